import type { ResolvedAccess } from './access-options.js';
import { AccessError } from './errors.js';
import { parseHost, type ParsedHost } from './host.js';
import { isLoopback, isLoopbackHost, isUnspecified } from './loopback.js';
import { originKey, parseWebOrigin, portOf } from './origin.js';
import { rememberLast } from './remember-last.js';
import type { RequestFacts } from './request-facts.js';

/** Headers that only a proxy writes. One of them means that the caller is not on this machine. */
export const PROXY_HEADERS: readonly string[] = Object.freeze([
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-port',
  'x-forwarded-server',
  'x-original-forwarded-for',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-envoy-external-address',
  'cf-connecting-ip',
  'true-client-ip',
  'fastly-client-ip',
]);

const hostOf: (text: string) => ParsedHost | undefined = rememberLast(parseHost);
const isLocalPeer: (address: string) => boolean = rememberLast(isLoopbackHost);
const PROXY_NAMES: ReadonlySet<string> = new Set(PROXY_HEADERS);

/** The value of a header, `undefined` where it is absent; an empty one is there. */
export function headerOf(request: RequestFacts, name: string): string | undefined {
  return request.header(name) ?? undefined;
}

/** AEP-0003 §8.1: behind a proxy a loopback endpoint is off-host too, and off-host needs a token. */
export function refuseProxied(request: RequestFacts): void {
  const remote = request.remoteAddress;
  if (passedProxy(request) || (remote !== undefined && !isLocalPeer(remote))) {
    throw new AccessError('proxied-without-token', 'no token is configured, and the request was not made on this machine');
  }
}

function passedProxy(request: RequestFacts): boolean {
  if (request.headerNames === undefined) return PROXY_HEADERS.some((name) => headerOf(request, name) !== undefined);
  for (const name of request.headerNames) if (PROXY_NAMES.has(name)) return true;
  return false;
}

/**
 * Whether a page may have been served by this endpoint under the `Host` it now asks. Only the very same host and port:
 * another port of the same host is another web application, loopback or not.
 */
function isSameOrigin(origin: string, host: ParsedHost, request: RequestFacts, access: ResolvedAccess): boolean {
  const web = parseWebOrigin(origin);
  if (!web) return false;
  const scheme = request.encrypted ? 'https' : 'http';
  if (web.scheme !== scheme && !(access.proxied && web.scheme === 'https')) return false;
  return web.host.name === host.name && web.port === portOf(host, web.scheme);
}

/** An address of ours that no name server can point elsewhere. */
function isOwnHost(host: ParsedHost, access: ResolvedAccess): boolean {
  if (isLoopback(host) || host.name === access.bound.name) return true;
  // Bound to every interface we cannot list our addresses; an attacker can rebind a name, never a literal address.
  return isUnspecified(access.bound) && host.kind !== 'name';
}

/**
 * Host and Origin (AEP-0003 §8.1). A page of another site reaches a local port in two ways: directly, and the browser
 * then states its `Origin`; or by pointing a name of its own at 127.0.0.1, and the `Host` then is that name.
 */
export function checkHostAndOrigin(request: RequestFacts, access: ResolvedAccess, place: string): void {
  const host = hostOf(headerOf(request, 'host') ?? '');
  const own = host !== undefined && isOwnHost(host, access);
  if (!host || !(own || access.publicHosts.has(host.name))) {
    throw new AccessError('host-not-allowed', `the Host header names neither loopback, nor ${place}, nor a configured public URL`);
  }
  const origin = headerOf(request, 'origin');
  if (origin === undefined) return;
  const key = originKey(origin);
  if (key !== undefined && (access.publicOrigins.has(key) || access.allowedOrigins.has(key))) return;
  if (own && isSameOrigin(origin, host, request, access)) return;
  throw new AccessError('origin-not-allowed', 'the Origin header names another site; configured are public URLs and allowed origins');
}
