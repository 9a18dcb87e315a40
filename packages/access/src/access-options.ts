import { AccessConfigError } from './errors.js';
import { parseAddress, parseHost, type ParsedHost } from './host.js';
import { isLoopback } from './loopback.js';
import { originKey } from './origin.js';
import type { Scope } from './principal.js';
import type { TokenEntry } from './token-entry.js';

/** Whether `access_token` in the URL is taken where a binding allows it. */
export const DEFAULT_QUERY_TOKENS = true;
/** Whether discovery is served without a token. */
export const DEFAULT_PUBLIC_DISCOVERY = true;

/** All that a caller without a token can be allowed. */
const ANONYMOUS_SCOPES: readonly Scope[] = ['emit', 'observe'];

/** Options of {@link Access}. */
export interface AccessOptions {
  /** Address the server binds to. Anything but loopback needs a token, and TLS or {@link AccessOptions.tlsTerminatedByProxy}. */
  readonly host: string;
  /** Port the server binds to; only for messages. */
  readonly port?: number;
  /** Tokens and their rights. None: loopback callers may emit and observe, and nobody may control. */
  readonly tokens?: readonly TokenEntry[];
  /**
   * What callers on this machine may do without a token although there are tokens: `emit`, `observe` or both, never `control`
   * (AEP-0004 §4.1). A token that is presented all the same has to be a right one. An endpoint that lets such callers in counts as one
   * without tokens wherever other machines are concerned. Default: nothing where there are tokens, else `emit` and `observe`.
   */
  readonly anonymous?: readonly Scope[];
  /** The server itself speaks TLS. Default `false`. */
  readonly tls?: boolean;
  /** A proxy ahead of the server terminates TLS. Default `false`. */
  readonly tlsTerminatedByProxy?: boolean;
  /** Absolute URLs under which clients reach the endpoint; their hosts pass as `Host`, their origins as `Origin`. */
  readonly publicUrls?: readonly string[];
  /** Other origins whose pages may use the endpoint (AEP-0003 §3.3): `https://console.example`, `chrome-extension://id`. */
  readonly allowedOrigins?: readonly string[];
  /** See {@link DEFAULT_QUERY_TOKENS}. */
  readonly queryTokens?: boolean;
  /** See {@link DEFAULT_PUBLIC_DISCOVERY}. */
  readonly publicDiscovery?: boolean;
}

/** {@link AccessOptions}, checked and complete, tokens aside. */
export interface ResolvedAccess {
  readonly bound: ParsedHost;
  readonly proxied: boolean;
  readonly publicHosts: ReadonlySet<string>;
  readonly publicOrigins: ReadonlySet<string>;
  readonly allowedOrigins: ReadonlySet<string>;
  readonly queryTokens: boolean;
  readonly publicDiscovery: boolean;
  /** What a caller without a token may do; empty: nothing. */
  readonly anonymous: readonly Scope[];
}

function webUrl(text: string): URL | undefined {
  if (typeof text !== 'string' || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  return /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' ? url : undefined;
}

function publicUrl(text: string, index: number, authenticated: boolean): { host: string; origin: string } {
  const url = webUrl(text);
  const host = url && parseHost(url.host);
  const origin = url && originKey(url.origin);
  if (!host || origin === undefined) {
    throw new AccessConfigError('invalid-url', `publicUrls[${index}] is not an absolute http or https URL`);
  }
  // A public URL states that the endpoint is reached from elsewhere (AEP-0003 §8.1), whatever it is bound to.
  if (!isLoopback(host) && !host.name.endsWith('.localhost')) {
    if (!authenticated) throw new AccessConfigError('token-required', `publicUrls[${index}] is not on this machine: configure a token`);
    if (url.protocol !== 'https:') throw new AccessConfigError('tls-required', `publicUrls[${index}] is not on this machine: use https`);
  }
  return { host: host.name, origin };
}

function allowedOrigin(text: string, index: number): string {
  // Through URL where there is a web scheme, for names beyond ASCII.
  const url = webUrl(text);
  const bare = url?.pathname === '/' && url.search === '' && url.hash === '';
  const key = typeof text === 'string' ? originKey(bare ? url.origin : text) : undefined;
  if (key === undefined) throw new AccessConfigError('invalid-origin', `allowedOrigins[${index}] is not one origin, such as https://console.example`);
  return key;
}

function anonymousScopes({ anonymous, tokens = [] }: AccessOptions): readonly Scope[] {
  if (anonymous === undefined) return tokens.length > 0 ? [] : ANONYMOUS_SCOPES;
  if (!Array.isArray(anonymous) || !anonymous.every((scope: unknown) => ANONYMOUS_SCOPES.some((known) => known === scope))) {
    throw new AccessConfigError('invalid-scope', `anonymous: scopes are of ${ANONYMOUS_SCOPES.join(', ')}; control needs a token, always`);
  }
  return ANONYMOUS_SCOPES.filter((scope) => anonymous.includes(scope));
}

/** Checks the options and fills in defaults. Throws {@link AccessConfigError}. */
export function resolveAccess(options: AccessOptions): ResolvedAccess {
  const bound = typeof options.host === 'string' ? parseAddress(options.host) : undefined;
  if (!bound) throw new AccessConfigError('invalid-host', 'host is not a name or an address to bind to');
  const anonymous = anonymousScopes(options);
  // Whoever lets callers in without a token may not be reached from elsewhere, whatever tokens there are beside (AEP-0003 §8.1).
  const authenticated = (options.tokens?.length ?? 0) > 0 && anonymous.length === 0;
  const proxied = options.tlsTerminatedByProxy === true;
  if (!isLoopback(bound)) {
    if (!authenticated) throw new AccessConfigError('token-required', 'a host other than loopback needs a token, always');
    if (options.tls !== true && !proxied) {
      throw new AccessConfigError('tls-required', 'a host other than loopback needs TLS: set tls, or tlsTerminatedByProxy where a proxy does it');
    }
  }
  const urls = (options.publicUrls ?? []).map((text, index) => publicUrl(text, index, authenticated));
  return {
    bound,
    proxied,
    publicHosts: new Set(urls.map((url) => url.host)),
    publicOrigins: new Set(urls.map((url) => url.origin)),
    allowedOrigins: new Set((options.allowedOrigins ?? []).map(allowedOrigin)),
    queryTokens: options.queryTokens ?? DEFAULT_QUERY_TOKENS,
    publicDiscovery: options.publicDiscovery ?? DEFAULT_PUBLIC_DISCOVERY,
    anonymous,
  };
}
