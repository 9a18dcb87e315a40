import { Access, AccessError, type AccessErrorCode, type AccessOptions, type RequestFacts, type TokenEntry } from '../src/index.js';

export const EMIT = 'emit-token-0123456789';
export const OBSERVE = 'observe-token-0123456789';
export const ALL = 'all-token-0123456789';

export const TOKENS: readonly TokenEntry[] = [
  { name: 'hooks', token: EMIT, scopes: ['emit'] },
  { name: 'board', token: OBSERVE, scopes: ['observe'] },
  { name: 'owner', token: ALL, scopes: ['emit', 'observe', 'control'] },
];

export interface Facts {
  readonly headers?: Readonly<Record<string, string>>;
  readonly host?: string | null;
  readonly queryToken?: string;
  readonly encrypted?: boolean;
  readonly remoteAddress?: string;
}

/** A request to `localhost:4000`, unless told otherwise; `host: null` leaves the header out. */
export function request(facts: Facts = {}): RequestFacts {
  const headers = new Map(Object.entries(facts.headers ?? {}));
  const host = facts.host === undefined ? 'localhost:4000' : facts.host;
  if (host !== null) headers.set('host', host);
  return {
    header: (name) => headers.get(name) ?? null,
    encrypted: facts.encrypted ?? false,
    ...(facts.queryToken === undefined ? {} : { queryToken: facts.queryToken }),
    ...(facts.remoteAddress === undefined ? {} : { remoteAddress: facts.remoteAddress }),
  };
}

export function bearer(token: string): { readonly headers: Readonly<Record<string, string>> } {
  return { headers: { authorization: `Bearer ${token}` } };
}

export function access(options: Partial<AccessOptions> = {}): Access {
  return new Access({ host: '127.0.0.1', ...options });
}

/** `code status` of the refusal, `passes` where there is none; anything else that is thrown goes on. */
export function verdict(check: () => unknown): `${AccessErrorCode} ${number}` | 'passes' {
  try {
    check();
    return 'passes';
  } catch (error) {
    if (!(error instanceof AccessError)) throw error;
    return `${error.code} ${error.status}`;
  }
}
