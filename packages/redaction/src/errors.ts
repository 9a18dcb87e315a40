/** Codes of {@link RedactionError}: `too-deep`, the value nests deeper than `maxDepth`; `not-json`, it is no JSON value; `ended`, the stream has ended. */
export type RedactionErrorCode = 'too-deep' | 'not-json' | 'ended';

/** Redaction that cannot be done. Nothing of the value is in the message. */
export class RedactionError extends Error {
  readonly code: RedactionErrorCode;
  /** Depth of the place, `$` for the whole. Names of members are left out: they may be secrets. */
  readonly path: string;

  constructor(code: RedactionErrorCode, path: string, detail: string) {
    super(`${path}: ${detail}`);
    this.name = 'RedactionError';
    this.code = code;
    this.path = path;
  }
}
