import type { JsonValue } from '@aepkit/envelope';

import type { Finding } from './finding.js';

/** A text and what was found in it. */
export interface TextScan {
  readonly text: string;
  readonly findings: readonly Finding[];
}

/** A value and what was found in it. */
export interface ValueScan {
  readonly value: JsonValue;
  readonly findings: readonly Finding[];
}

/** Redaction of a text that comes in chunks. */
export interface RedactionStream {
  /** Takes a chunk and gives what can be told by now. */
  push(chunk: string): string;
  /** Gives the rest. */
  end(): string;
  /** What was found so far, in places of the whole text. */
  readonly findings: readonly Finding[];
}

/** The pipeline of AEP-0003 §9.4, configured. */
export interface Redactor {
  /** The text without secrets, configured values, home paths and personal data. */
  text(text: string): string;
  /** The same for every string of a JSON value; what a credential-named member holds goes whatever it looks like. */
  value(value: JsonValue): JsonValue;
  /** `text`, with the places. */
  scan(text: string): TextScan;
  /** `value`, with the places. */
  scanValue(value: JsonValue): ValueScan;
  /** `text` for chunks: the joined output is that of the joined chunks. */
  stream(): RedactionStream;
}

/** What can be configured. */
export interface RedactorOptions {
  /** Values that are secret here, such as those of listed environment variables. Shorter than 4 characters are left out. */
  readonly names?: readonly string[];
  /** Home folders besides `/home/…`, `/Users/…` and `X:\Users\…`. */
  readonly homes?: readonly string[];
  /** Whether e-mail addresses and phone numbers go. Default true. */
  readonly pii?: boolean;
}

/** Makes a {@link Redactor}. */
export function createRedactor(_options: RedactorOptions = {}): Redactor {
  throw new Error('not yet');
}
