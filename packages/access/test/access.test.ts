import { describe, expect, it } from 'vitest';
import { AccessError, parseTokenFile, singleToken } from '../src/index.js';
import { access, ALL, bearer, EMIT, OBSERVE, request, TOKENS, verdict } from './request.js';

describe('with tokens', () => {
  const guarded = access({ tokens: TOKENS });

  it('takes Authorization: Bearer and says who it is [B-173]', () => {
    const principal = guarded.admit(request(bearer(EMIT)), 'emit');
    expect(principal.name).toBe('hooks');
    expect(principal.authenticated).toBe(true);
    expect([...principal.scopes]).toEqual(['emit']);
  });

  it('asks every caller for a token, loopback included [B-027, B-171]', () => {
    expect(guarded.requiresToken).toBe(true);
    expect(verdict(() => guarded.admit(request({ remoteAddress: '127.0.0.1' }), 'emit'))).toBe('missing-token 401');
    expect(verdict(() => guarded.authenticate(request()))).toBe('missing-token 401');
  });

  it('answers a missing or wrong token with 401 and WWW-Authenticate: Bearer, one without the right with 403 [B-027]', () => {
    const refusals = [request(), request(bearer('wrong-token-0123456789')), request(bearer(EMIT))].map((facts) => {
      try {
        guarded.admit(facts, 'observe');
      } catch (error) {
        if (error instanceof AccessError) return [error.code, error.status, error.wwwAuthenticate];
      }
      return undefined;
    });
    expect(refusals).toEqual([
      ['missing-token', 401, 'Bearer'],
      ['invalid-token', 401, 'Bearer'],
      ['insufficient-scope', 403, undefined],
    ]);
  });

  it('grants exactly the scopes of the token', () => {
    const rows = [EMIT, OBSERVE, ALL].map((token) =>
      (['emit', 'observe', 'control'] as const).map((scope) => verdict(() => guarded.admit(request(bearer(token)), scope))),
    );
    const no = 'insufficient-scope 403';
    expect(rows).toEqual([['passes', no, no], [no, 'passes', no], ['passes', 'passes', 'passes']]);
  });

  it('lets requests through a proxy in, if they have a token', () => {
    const facts = { headers: { ...bearer(ALL).headers, 'x-forwarded-for': '203.0.113.7' } };
    expect(verdict(() => guarded.admit(request(facts), 'observe'))).toBe('passes');
  });

  it('finds a token that was configured by its digest', () => {
    const [entry] = parseTokenFile(`ci emit ${EMIT}`);
    expect(access({ tokens: [entry!] }).admit(request(bearer(EMIT)), 'emit').name).toBe('ci');
    expect(verdict(() => access({ tokens: [entry!] }).admit(request(bearer(entry!.token)), 'emit'))).toBe('invalid-token 401');
  });

  it('gives one token of the environment every right', () => {
    const principal = access({ tokens: [singleToken(ALL)] }).admit(request(bearer(ALL)), 'control');
    expect(principal.name).toBe('default');
  });
});

describe('a token in the URL', () => {
  const guarded = access({ tokens: TOKENS });
  const inUrl = { queryToken: OBSERVE };

  it('passes on a route that takes it, and nowhere else [B-174]', () => {
    expect(guarded.admit(request(inUrl), 'observe', { queryToken: true }).name).toBe('board');
    expect(verdict(() => guarded.admit(request(inUrl), 'observe'))).toBe('query-token-not-allowed 401');
    expect(verdict(() => guarded.admit(request(inUrl), 'observe', { queryToken: false }))).toBe('query-token-not-allowed 401');
  });

  it('can be switched off for the whole endpoint [B-174]', () => {
    const strict = access({ tokens: TOKENS, queryTokens: false });
    expect(verdict(() => strict.admit(request(inUrl), 'observe', { queryToken: true }))).toBe('query-token-not-allowed 401');
  });

  it('is refused when it is wrong, empty or no token text', () => {
    for (const queryToken of ['wrong-token-0123456789', '', 'a b', `${OBSERVE},${OBSERVE}`, 'é'.repeat(20)]) {
      expect(verdict(() => guarded.admit(request({ queryToken }), 'observe', { queryToken: true }))).toBe('invalid-token 401');
    }
  });

  it('does not count where the header has one: the header decides, right or wrong', () => {
    const both = (header: string, queryToken: string) =>
      verdict(() => guarded.admit(request({ headers: { authorization: header }, queryToken }), 'observe', { queryToken: true }));
    expect(both(`Bearer ${OBSERVE}`, 'wrong-token-0123456789')).toBe('passes');
    expect(both('Bearer wrong-token-0123456789', OBSERVE)).toBe('invalid-token 401');
    expect(both('Basic dXNlcjpwYXNz', OBSERVE)).toBe('invalid-token 401');
    expect(verdict(() => guarded.admit(request({ ...bearer(OBSERVE), queryToken: 'x' }), 'observe'))).toBe('passes');
  });
});

describe('without tokens', () => {
  const open = access();

  it('lets callers on this machine emit and observe', () => {
    expect(open.requiresToken).toBe(false);
    const principal = open.admit(request(), 'emit');
    expect(principal.name).toBe('anonymous');
    expect(principal.authenticated).toBe(false);
    expect([...principal.scopes]).toEqual(['emit', 'observe']);
    expect(verdict(() => open.admit(request({ host: '[::1]:4000', remoteAddress: '::ffff:127.0.0.1' }), 'observe'))).toBe('passes');
  });

  it('lets nobody control, localhost included [B-212, E-119]', () => {
    expect(verdict(() => open.admit(request({ remoteAddress: '127.0.0.1' }), 'control'))).toBe('insufficient-scope 403');
    expect(verdict(() => open.admit(request(bearer(ALL)), 'control'))).toBe('insufficient-scope 403');
    expect(open.authenticate(request(bearer(ALL))).authenticated).toBe(false);
  });

  it.each([
    ['forwarded', 'for=203.0.113.7'],
    ['x-forwarded-for', '203.0.113.7'],
    ['x-forwarded-for', ''],
    ['x-forwarded-host', 'aep.example'],
    ['x-forwarded-proto', 'https'],
    ['x-real-ip', '203.0.113.7'],
    ['via', '1.1 proxy'],
    ['cf-connecting-ip', '203.0.113.7'],
    ['true-client-ip', '203.0.113.7'],
    ['x-client-ip', '127.0.0.1'],
  ])('refuses a request with the proxy header %s: %s [B-172]', (name, value) => {
    const facts = request({ headers: { [name]: value } });
    expect(verdict(() => open.admit(facts, 'observe'))).toBe('proxied-without-token 403');
    // A binding that knows the names is asked for no header more.
    expect(verdict(() => open.admit({ ...facts, headerNames: ['host', name] }, 'observe'))).toBe('proxied-without-token 403');
    expect(verdict(() => open.admit({ ...request(), headerNames: ['host', 'accept', `x-${name}`] }, 'observe'))).toBe('passes');
    expect(verdict(() => open.checkOrigin(facts))).toBe('proxied-without-token 403');
    expect(verdict(() => open.checkDiscovery(facts))).toBe('proxied-without-token 403');
  });

  it('refuses a peer that is not on this machine [B-172]', () => {
    for (const remoteAddress of ['192.168.1.7', '::ffff:192.168.1.7', 'fe80::1%eth0', '']) {
      expect(verdict(() => open.admit(request({ remoteAddress }), 'observe'))).toBe('proxied-without-token 403');
    }
  });
});

describe('discovery', () => {
  it('is public by default, under the Host and Origin rules', () => {
    const guarded = access({ tokens: TOKENS });
    expect(guarded.publicDiscovery).toBe(true);
    expect(verdict(() => guarded.checkDiscovery(request()))).toBe('passes');
    expect(verdict(() => guarded.checkDiscovery(request({ host: 'evil.example' })))).toBe('host-not-allowed 421');
  });

  it('can be put behind the token', () => {
    const guarded = access({ tokens: TOKENS, publicDiscovery: false });
    expect(guarded.publicDiscovery).toBe(false);
    expect(verdict(() => guarded.checkDiscovery(request()))).toBe('missing-token 401');
    expect(verdict(() => guarded.checkDiscovery(request(bearer(EMIT))))).toBe('passes');
    expect(verdict(() => guarded.checkDiscovery(request({ queryToken: EMIT })))).toBe('query-token-not-allowed 401');
  });
});
