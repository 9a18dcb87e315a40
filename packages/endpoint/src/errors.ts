/**
 * Why an endpoint did not start.
 *
 * - `config-unreadable`: the configuration file cannot be read.
 * - `token-file-unusable`: a file of tokens cannot be read, or others may read it.
 * - `tls-unusable`: certificate or key missing, unreadable, or not a pair.
 * - `data-unusable`: the data folder cannot be made or opened; another collector uses it, or its history is newer.
 * - `address-unusable`: the address cannot be bound, most often since the port is in use.
 * - `owner-token-unusable`: the file of the owner token cannot be written, or something else is in its place.
 * - `upstream-unusable`: the endpoint to draw from is no URL that can be used, or its token cannot be.
 *
 * Settings out of bounds are a `ConfigError`, an address that needs a token or TLS an `AccessConfigError`.
 */
export type EndpointErrorCode =
  | 'config-unreadable'
  | 'token-file-unusable'
  | 'tls-unusable'
  | 'data-unusable'
  | 'address-unusable'
  | 'owner-token-unusable'
  | 'upstream-unusable';

/** An endpoint that could not start. The message says what to do about it. */
export class EndpointError extends Error {
  override readonly name = 'EndpointError';
  readonly code: EndpointErrorCode;

  constructor(code: EndpointErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
