/**
 * Why an adapter refused something.
 *
 * - `invalid-payload`: not a hook payload: not an object, no session or hook name, a member of the wrong kind, or nested too
 *   deeply. `path` names the place.
 * - `invalid-record`: not a record of a hook call of this agent, see {@link parseRecord}.
 * - `invalid-key`: the key of a call is no ULID.
 * - `invalid-definition`: {@link defineAdapter} was given a table that cannot work.
 * - `unknown-session`: {@link HookAdapter.mint} for a session whose state is not held.
 */
export type AdapterErrorCode = 'invalid-payload' | 'invalid-record' | 'invalid-key' | 'invalid-definition' | 'unknown-session';

/** What an adapter throws. Messages name places, never values: a payload holds content. */
export class AdapterError extends Error {
  override readonly name = 'AdapterError';
  readonly code: AdapterErrorCode;
  /** JSON path into the payload, the record or the definition, such as `$.session_id`. */
  readonly path: string;

  constructor(code: AdapterErrorCode, path: string, message: string) {
    super(`${path}: ${message}`);
    this.code = code;
    this.path = path;
  }
}
