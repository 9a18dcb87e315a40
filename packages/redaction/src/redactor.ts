import type { JsonValue } from '@aepkit/envelope';

import type { Finding } from './finding.js';
import type { Settings } from './find-edits.js';
import { homeList } from './find-homes.js';
import { nameForms } from './find-names.js';
import { indexTokens } from './find-tokens.js';
import { resolveOptions, type RedactorOptions } from './options.js';
import { redactText, redactValue } from './redact-value.js';
import { HeldText, type RedactionStream } from './redaction-stream.js';
import { TOKEN_ROWS } from './token-row.js';

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

/** The pipeline of AEP-0003 §9.4, configured. All of it is idempotent. */
export interface Redactor {
  /** The text without secrets, configured values, home paths and personal data. */
  text(text: string): string;
  /**
   * The same for every text of a JSON value, names of members included; what a credential-named member holds goes whatever it
   * looks like. The value that was given stays as it is. Throws {@link RedactionError} `too-deep` and `not-json`.
   */
  value(value: JsonValue): JsonValue;
  /** `text`, with the places. */
  scan(text: string): TextScan;
  /** `value`, with the places. */
  scanValue(value: JsonValue): ValueScan;
  /** `text` for chunks: the joined output is that of the joined chunks. */
  stream(): RedactionStream;
}

/**
 * Makes a {@link Redactor} (AEP-0003 §9.4). Throws RangeError or TypeError for options that make no sense.
 *
 * @example
 * const redactor = createRedactor({ names: [process.env.DB_PASSWORD ?? ''] });
 * redactor.text('curl -H "X-Api-Key: 12345"'); // curl -H "X-Api-Key: [REDACTED:secret]"
 */
export function createRedactor(options: RedactorOptions = {}): Redactor {
  const { names, homes, tokens, pii, lookahead, maxDepth } = resolveOptions(options);
  const settings: Settings = {
    tokens: indexTokens([...TOKEN_ROWS, ...tokens.map((token) => ({ rule: 'configured-token', ...token }))]),
    names: nameForms(names),
    homes: homeList(homes),
    pii,
    ahead: lookahead,
  };
  return {
    text: (text) => redactText(text, settings),
    value: (value) => redactValue(value, { settings, maxDepth, findings: undefined }),
    scan(text) {
      const findings: Finding[] = [];
      return { text: redactText(text, settings, findings), findings };
    },
    scanValue(value) {
      const findings: Finding[] = [];
      return { value: redactValue(value, { settings, maxDepth, findings }), findings };
    },
    stream: () => new HeldText(settings),
  };
}
