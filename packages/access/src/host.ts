import { isIPv4, isIPv6 } from 'node:net';

/** A host with an optional port, taken apart. */
export interface ParsedHost {
  /** Lower-case name, dotted IPv4 address, or the shortest spelling of an IPv6 address, without brackets. */
  readonly name: string;
  readonly kind: 'name' | 'ipv4' | 'ipv6';
  readonly port: number | undefined;
}

// A name has at most 253 characters, brackets and a port come on top.
const MAX_HOST_CHARS = 262;
// Ahead of lower-casing, which turns some letters beyond ASCII into ASCII ones.
const PRINTABLE = /^[\x21-\x7e]+$/;
const AUTHORITY = /^(?:\[([0-9a-f:.]+)\]|([^[\]:]+))(?::([0-9]{1,5}))?$/;
const NAME = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/;

/** Shortest spelling of an IPv6 address (RFC 5952). */
function shortest(address: string): string {
  return new URL(`http://[${address}]`).hostname.slice(1, -1);
}

function literalOrName(text: string): Omit<ParsedHost, 'port'> | undefined {
  if (isIPv4(text)) return { name: text, kind: 'ipv4' };
  if (!NAME.test(text)) return undefined;
  // `127.1`, `0177.0.0.1`, `2130706433` and `0x7f.1` are addresses to some resolvers and names to others.
  const last = text.slice(text.lastIndexOf('.') + 1);
  if (/^(?:[0-9]+|0x[0-9a-f]*)$/.test(last)) return undefined;
  return { name: text, kind: 'name' };
}

/**
 * Reads a `Host` header or the authority of an origin. Strict: user information, a trailing dot, an empty port, port 0,
 * a zone, several values or anything outside ASCII give `undefined`. Never throws.
 */
export function parseHost(text: string): ParsedHost | undefined {
  if (text.length > MAX_HOST_CHARS || !PRINTABLE.test(text)) return undefined;
  const match = AUTHORITY.exec(text.toLowerCase());
  if (!match) return undefined;
  const [, address, name, digits] = match;
  const port = digits === undefined ? undefined : Number(digits);
  if (port !== undefined && (port === 0 || port > 65_535)) return undefined;
  if (address !== undefined) return isIPv6(address) ? { name: shortest(address), kind: 'ipv6', port } : undefined;
  const host = name === undefined ? undefined : literalOrName(name);
  return host && { ...host, port };
}

/** Reads a bound address: a name, an IPv4 address, or an IPv6 address with or without brackets; no port. */
export function parseAddress(text: string): ParsedHost | undefined {
  const host = parseHost(isIPv6(text) ? `[${text.replace(/%.*$/, '')}]` : text);
  return host?.port === undefined ? host : undefined;
}
