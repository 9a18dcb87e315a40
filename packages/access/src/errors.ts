/**
 * Why a request is refused. Closed: a new member is a breaking change.
 *
 * - `missing-token`: a token is needed and the request has none (401).
 * - `invalid-token`: the `Authorization` header is not a well-formed bearer token, or the token is not known (401).
 * - `query-token-not-allowed`: the only token is in the URL, where this route or this endpoint takes none (401).
 * - `insufficient-scope`: the caller is known and lacks the right (403).
 * - `host-not-allowed`: the `Host` header is missing, malformed, or names somebody else (421).
 * - `origin-not-allowed`: a web page of another origin is asking (403).
 * - `proxied-without-token`: no token is configured and the request was not made on this machine (403).
 */
export type AccessErrorCode =
  | 'missing-token'
  | 'invalid-token'
  | 'query-token-not-allowed'
  | 'insufficient-scope'
  | 'host-not-allowed'
  | 'origin-not-allowed'
  | 'proxied-without-token';

/** HTTP status of a refusal. */
export type AccessStatus = 401 | 403 | 421;

const STATUS: Readonly<Record<AccessErrorCode, AccessStatus>> = {
  'missing-token': 401,
  'invalid-token': 401,
  'query-token-not-allowed': 401,
  'insufficient-scope': 403,
  'host-not-allowed': 421,
  'origin-not-allowed': 403,
  'proxied-without-token': 403,
};

/**
 * A request was refused (AEP-0003 §3.2, §8.1). Neither the message nor any member holds a token or a header value, so it
 * can be logged and sent to the peer as it is.
 */
export class AccessError extends Error {
  override readonly name: string = 'AccessError';
  /** See {@link AccessErrorCode}. */
  readonly code: AccessErrorCode;
  /** HTTP status to answer with. */
  readonly status: AccessStatus;
  /** Value of the `WWW-Authenticate` response header; set where {@link AccessError.status} is 401. */
  readonly wwwAuthenticate?: string;

  constructor(code: AccessErrorCode, message: string) {
    super(message);
    this.code = code;
    this.status = STATUS[code];
    if (this.status === 401) this.wwwAuthenticate = 'Bearer';
  }
}

/**
 * What is wrong with a configuration. Closed: a new member is a breaking change.
 *
 * - `invalid-host`: the bound address is empty or no host name or address.
 * - `token-required`: a non-loopback address, and no token.
 * - `tls-required`: a non-loopback address, and neither `tls` nor `tlsTerminatedByProxy`.
 * - `invalid-url`: a member of `publicUrls` is not an absolute `http(s)` URL.
 * - `invalid-origin`: a member of `allowedOrigins` is not one origin.
 * - `invalid-name`: the name of a token is not 1 to 64 of `A-Z a-z 0-9 . _ -`.
 * - `invalid-token`: a token is too short, too long, or has characters that a header cannot carry.
 * - `invalid-scope`: a scope is none of `emit`, `observe`, `control`, or none is given.
 * - `duplicate-name`: two tokens have one name.
 * - `duplicate-token`: one token is given twice.
 * - `too-many-tokens`: more than `MAX_TOKENS`.
 * - `invalid-line`: a line of a token file is not `name scopes token`.
 */
export type AccessConfigErrorCode =
  | 'invalid-host'
  | 'token-required'
  | 'tls-required'
  | 'invalid-url'
  | 'invalid-origin'
  | 'invalid-name'
  | 'invalid-token'
  | 'invalid-scope'
  | 'duplicate-name'
  | 'duplicate-token'
  | 'too-many-tokens'
  | 'invalid-line';

/** A configuration was refused at start. The message names the place and never a value that could be a token. */
export class AccessConfigError extends Error {
  override readonly name: string = 'AccessConfigError';
  /** See {@link AccessConfigErrorCode}. */
  readonly code: AccessConfigErrorCode;
  /** Line of a token file, from 1, where the fault is in one. */
  readonly line?: number;

  constructor(code: AccessConfigErrorCode, message: string, line?: number) {
    super(message);
    this.code = code;
    if (line !== undefined) this.line = line;
  }
}
