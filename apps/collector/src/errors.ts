/**
 * Why a collector did not start.
 *
 * - `config-unreadable`: the configuration file cannot be read.
 * - `token-file-unusable`: the token file cannot be read, or others may read it.
 * - `tls-unusable`: certificate or key missing, unreadable, or not a pair.
 * - `data-unusable`: the data folder cannot be made or opened; another collector uses it, or its history is newer.
 * - `address-unusable`: the address cannot be bound, most often since the port is in use.
 *
 * Settings out of bounds are a `ConfigError`, an address that needs a token or TLS an `AccessConfigError`.
 */
export type CollectorErrorCode = 'config-unreadable' | 'token-file-unusable' | 'tls-unusable' | 'data-unusable' | 'address-unusable';

/** A collector that could not start. The message says what to do about it. */
export class CollectorError extends Error {
  override readonly name = 'CollectorError';
  readonly code: CollectorErrorCode;

  constructor(code: CollectorErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
