import type { JsonValue } from '@aepkit/envelope';

/** The redaction pipeline (AEP-0003 §9.4): what `createRedactor` of `@aepkit/redaction` makes. */
export interface Redactor {
  /** A text without secrets, home paths and personal data. */
  text(text: string): string;
  /** The same for every text of a JSON value, whose shape stays. */
  value(value: JsonValue): JsonValue;
}
