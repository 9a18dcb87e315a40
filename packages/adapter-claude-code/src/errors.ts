/**
 * Why the adapter refused something.
 *
 * - `invalid-payload`: not a hook payload: not an object, no `session_id` or `hook_event_name`, a member of the wrong
 *   kind, or nested too deeply. `path` names the place.
 * - `invalid-record`: not a record of a hook call, see {@link parseRecord}.
 * - `invalid-key`: the key of a call is no ULID.
 * - `unsupported-ceiling`: a ceiling above `metadata`; it needs the redaction pipeline, which this version lacks.
 */
export type AdapterErrorCode = 'invalid-payload' | 'invalid-record' | 'invalid-key' | 'unsupported-ceiling';

/** What {@link ClaudeCodeAdapter} throws. Messages name places, never values: a payload holds content. */
export class AdapterError extends Error {
  override readonly name = 'AdapterError';
  readonly code: AdapterErrorCode;
  /** JSON path into the payload, the record or the options, such as `$.session_id`. */
  readonly path: string;

  constructor(code: AdapterErrorCode, path: string, message: string) {
    super(`${path}: ${message}`);
    this.code = code;
    this.path = path;
  }
}
