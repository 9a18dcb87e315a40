import { resolveAccess, type AccessOptions, type ResolvedAccess } from './access-options.js';
import { isTokenText, parseBearer } from './bearer.js';
import { AccessError } from './errors.js';
import { originKey } from './origin.js';
import type { Principal, Scope } from './principal.js';
import type { RequestFacts } from './request-facts.js';
import { checkHostAndOrigin, headerOf, refuseProxied } from './request-rules.js';
import { ANONYMOUS, TokenTable } from './token-table.js';

/** What a route allows, beyond what the endpoint allows. */
export interface AdmitOptions {
  /** The route takes `?access_token=`: SSE and the WebSocket upgrade, never POST (AEP-0003 §8.1). Default `false`. */
  readonly queryToken?: boolean;
}

/**
 * Who may emit, observe and control an endpoint: the trust rules of AEP-0003 §8.1, without any I/O.
 *
 * With tokens every caller presents one, loopback included, unless `anonymous` says what callers on this machine may do without. Without
 * tokens these may emit and observe, and nobody may control (AEP-0004 §4.1). Holds digests only; nothing it prints or throws has a token in it.
 *
 * @throws AccessConfigError at construction; see its codes.
 * @example
 * const access = new Access({ host: '127.0.0.1', tokens: [singleToken(process.env.AEP_TOKEN)] });
 * const principal = access.admit({ header: (name) => headers.get(name), encrypted: false }, 'observe');
 */
export class Access {
  readonly #access: ResolvedAccess;
  readonly #tokens: TokenTable;
  readonly #place: string;
  readonly #anybody: Principal;

  constructor(options: AccessOptions) {
    this.#access = resolveAccess(options);
    this.#tokens = new TokenTable(options.tokens ?? []);
    this.#anybody = Object.freeze({ name: ANONYMOUS, scopes: new Set(this.#access.anonymous), authenticated: false });
    const { name, kind } = this.#access.bound;
    this.#place = `${kind === 'ipv6' ? `[${name}]` : name}${options.port === undefined ? '' : `:${options.port}`}`;
  }

  /** Whether every caller has to present a token. */
  get requiresToken(): boolean {
    return this.#tokens.size > 0 && this.#access.anonymous.length === 0;
  }

  /** Whether discovery is served without a token (AEP-0003 §3.4). */
  get publicDiscovery(): boolean {
    return this.#access.publicDiscovery;
  }

  /**
   * Lets a request in that needs a right, and says who makes it. Host and Origin come first, then the token, then the
   * right.
   *
   * @throws AccessError; answer with its `status` and `wwwAuthenticate`.
   */
  admit(request: RequestFacts, scope: Scope, options: AdmitOptions = {}): Principal {
    const principal = this.authenticate(request, options);
    if (!principal.scopes.has(scope)) {
      throw new AccessError('insufficient-scope', `${principal.authenticated ? 'this token' : 'a caller without a token'} has no right to ${scope}`);
    }
    return principal;
  }

  /** As {@link Access.admit}, for a route that asks for no right in particular. */
  authenticate(request: RequestFacts, options: AdmitOptions = {}): Principal {
    this.checkOrigin(request);
    if (!this.#looksAtTokens(request)) return this.#anybody;
    const principal = this.#tokens.find(this.#tokenOf(request, options.queryToken === true));
    if (!principal) throw new AccessError('invalid-token', 'the token is not known');
    return principal;
  }

  /**
   * The Host, Origin and proxy rules alone, for routes that anybody may read, such as a health check.
   *
   * @throws AccessError `host-not-allowed`, `origin-not-allowed`, `proxied-without-token`
   */
  checkOrigin(request: RequestFacts): void {
    if (!this.requiresToken) refuseProxied(request);
    checkHostAndOrigin(request, this.#access, this.#place);
  }

  /** The gate of the discovery document: {@link Access.checkOrigin}, and a token too where discovery is not public. */
  checkDiscovery(request: RequestFacts): void {
    if (this.publicDiscovery) this.checkOrigin(request);
    else this.authenticate(request);
  }

  /**
   * The `Origin` to name in `Access-Control-Allow-Origin`: the request's, where it is one of `allowedOrigins`. A page of
   * the endpoint's own origin needs no such header.
   */
  crossOrigin(request: RequestFacts): string | undefined {
    const origin = headerOf(request, 'origin');
    const key = origin === undefined ? undefined : originKey(origin);
    return key !== undefined && this.#access.allowedOrigins.has(key) ? origin : undefined;
  }

  /** A caller that could do without a token and presents one means to be who it says: nobody is let in under another name. */
  #looksAtTokens(request: RequestFacts): boolean {
    if (this.requiresToken) return true;
    return this.#tokens.size > 0 && (headerOf(request, 'authorization') !== undefined || request.queryToken !== undefined);
  }

  #tokenOf(request: RequestFacts, routeTakesQuery: boolean): string {
    // O-80: a header decides, even one that holds no usable token.
    const header = headerOf(request, 'authorization');
    if (header !== undefined) {
      const token = parseBearer(header);
      if (token === undefined) throw new AccessError('invalid-token', 'the Authorization header is not one bearer token');
      return token;
    }
    const token = request.queryToken;
    if (token === undefined) throw new AccessError('missing-token', 'a bearer token is needed');
    if (!routeTakesQuery || !this.#access.queryTokens) {
      throw new AccessError('query-token-not-allowed', 'the token has to come in the Authorization header');
    }
    if (!isTokenText(token)) throw new AccessError('invalid-token', 'access_token is not a bearer token');
    return token;
  }
}
