import { MAX_TOKEN_CHARS } from './limits.js';

// RFC 6750 §2.1, b64token. A comma is not in it, so that two joined headers never pass.
const TOKEN = /^[A-Za-z0-9._~+/-]+=*$/;
const MAX_SPACES = 8;

/** Whether a text can be a bearer token at all. */
export function isTokenText(text: string): boolean {
  return text.length > 0 && text.length <= MAX_TOKEN_CHARS && TOKEN.test(text);
}

/** The token of an `Authorization` header; `undefined` where it is not exactly one bearer token. */
export function parseBearer(header: string): string | undefined {
  if (header.length > 'Bearer'.length + MAX_SPACES + MAX_TOKEN_CHARS) return undefined;
  const match = /^bearer +(\S+)$/i.exec(header);
  const token = match?.[1];
  return token !== undefined && isTokenText(token) ? token : undefined;
}
