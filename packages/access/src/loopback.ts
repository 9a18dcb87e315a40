import { parseAddress, type ParsedHost } from './host.js';

// ::ffff:127.0.0.0/104, the form in which a dual-stack socket sees an IPv4 peer, in its shortest spelling.
const MAPPED_LOOPBACK = /^::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}$/;
const UNSPECIFIED: ReadonlySet<string> = new Set(['0.0.0.0', '::', '::ffff:0:0']);

/** Whether a parsed host is this machine and nothing else. */
export function isLoopback(host: ParsedHost): boolean {
  switch (host.kind) {
    case 'name':
      return host.name === 'localhost';
    case 'ipv4':
      return host.name.startsWith('127.');
    case 'ipv6':
      return host.name === '::1' || MAPPED_LOOPBACK.test(host.name);
  }
}

/** Whether a bound address means every interface. */
export function isUnspecified(host: ParsedHost): boolean {
  return UNSPECIFIED.has(host.name);
}

/**
 * Whether an address to bind to, or of a peer, is loopback: `localhost`, an IPv4 literal of `127.0.0.0/8`, `::1` (with
 * or without brackets) and its IPv4-mapped kin. Literal, never by prefix: `127.attacker.example`, `localhost.`,
 * `a.localhost`, `127.1`, `0.0.0.0` and `::` are not.
 *
 * @example
 * isLoopbackHost('127.0.0.1'); // true
 * isLoopbackHost('0.0.0.0');   // false: every interface
 */
export function isLoopbackHost(host: string): boolean {
  const parsed = parseAddress(host);
  return parsed !== undefined && isLoopback(parsed);
}
