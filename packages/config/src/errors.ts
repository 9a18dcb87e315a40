/**
 * Why settings were refused.
 *
 * - `invalid-file`: the text of the file is not TOML.
 * - `unknown-key`: no setting has this name; `suggestion` holds the nearest one that exists.
 * - `invalid-value`: the value has another type, or lies outside its bounds.
 */
export type ConfigErrorCode = 'invalid-file' | 'unknown-key' | 'invalid-value';

/** Where a value came from. */
export type ConfigOrigin = 'flag' | 'environment' | 'file' | 'default';

/** Settings that cannot be used. The message names the key, where it stands and what is allowed there. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly code: ConfigErrorCode;
  readonly key: string;
  readonly origin: ConfigOrigin;
  /** An existing name close to an unknown one. */
  readonly suggestion: string | undefined;

  constructor(code: ConfigErrorCode, key: string, origin: ConfigOrigin, message: string, suggestion?: string) {
    super(message);
    this.code = code;
    this.key = key;
    this.origin = origin;
    this.suggestion = suggestion;
  }
}
