import { describe, expect, it } from 'vitest';
import { access, ALL, request, TOKENS, verdict } from './request.js';

const NO_HOST = 'host-not-allowed 421';
const NO_ORIGIN = 'origin-not-allowed 403';

/** Host, Origin, verdict: for an endpoint on 127.0.0.1, the same with a token and without. */
const PAIRS: readonly (readonly [string | null, string | undefined, string])[] = [
  ['localhost:4000', undefined, 'passes'],
  ['LocalHost:4000', undefined, 'passes'],
  ['localhost', undefined, 'passes'],
  ['127.0.0.1:4000', undefined, 'passes'],
  ['127.8.8.8:4000', undefined, 'passes'],
  ['[::1]:4000', undefined, 'passes'],
  ['[0:0:0:0:0:0:0:1]:4000', undefined, 'passes'],
  ['[::ffff:127.0.0.1]:4000', undefined, 'passes'],
  // DNS rebinding: the page's own name points at us.
  ['evil.example', undefined, NO_HOST],
  ['evil.example:4000', 'http://evil.example:4000', NO_HOST],
  ['localhost.evil.example:4000', 'http://localhost.evil.example:4000', NO_HOST],
  ['127.attacker.example:4000', 'http://127.attacker.example:4000', NO_HOST],
  ['127.0.0.1.evil.example', undefined, NO_HOST],
  ['a.localhost:4000', undefined, NO_HOST],
  ['192.168.1.5:4000', undefined, NO_HOST],
  ['0.0.0.0:4000', undefined, NO_HOST],
  ['[::]:4000', undefined, NO_HOST],
  ['[2001:db8::1]:4000', undefined, NO_HOST],
  // Odd ones.
  [null, undefined, NO_HOST],
  ['', undefined, NO_HOST],
  [' ', undefined, NO_HOST],
  ['localhost:4000, localhost:4000', undefined, NO_HOST],
  ['user@localhost:4000', undefined, NO_HOST],
  ['localhost.:4000', undefined, NO_HOST],
  ['localhost:', undefined, NO_HOST],
  ['localhost:0', undefined, NO_HOST],
  ['localhost:65536', undefined, NO_HOST],
  ['localhost:-1', undefined, NO_HOST],
  ['localhost:4000x', undefined, NO_HOST],
  ['localhost:999999999999', undefined, NO_HOST],
  ['::1', undefined, NO_HOST],
  ['[::1', undefined, NO_HOST],
  ['[::1]4000', undefined, NO_HOST],
  ['[::1%lo]:4000', undefined, NO_HOST],
  ['[127.0.0.1]', undefined, NO_HOST],
  ['[:::1]', undefined, NO_HOST],
  ['[]', undefined, NO_HOST],
  ['127.1', undefined, NO_HOST],
  ['2130706433', undefined, NO_HOST],
  ['0x7f000001', undefined, NO_HOST],
  ['0177.0.0.1', undefined, NO_HOST],
  ['127.0.0.256', undefined, NO_HOST],
  ['localhost/x', undefined, NO_HOST],
  ['localhost\u0000', undefined, NO_HOST],
  ['localhost\n', undefined, NO_HOST],
  ['ｌｏｃａｌｈｏｓｔ', undefined, NO_HOST],
  ['x'.repeat(100_000), undefined, NO_HOST],
  // A page of the endpoint itself.
  ['localhost:4000', 'http://localhost:4000', 'passes'],
  ['[::1]:4000', 'http://[::1]:4000', 'passes'],
  ['localhost', 'http://localhost', 'passes'],
  ['localhost:80', 'http://localhost', 'passes'],
  // Another port is another web application, and so is another spelling of this machine.
  ['localhost:4000', 'http://localhost:3000', NO_ORIGIN],
  ['localhost:4000', 'http://localhost', NO_ORIGIN],
  ['localhost:4000', 'http://127.0.0.1:4000', NO_ORIGIN],
  ['localhost:4000', 'http://[::1]:1', NO_ORIGIN],
  ['[::1]:4000', 'http://[::1]:1', NO_ORIGIN],
  ['localhost:4000', 'https://localhost:4000', NO_ORIGIN],
  // Other sites, and what is no origin.
  ['localhost:4000', 'http://127.attacker.example', NO_ORIGIN],
  ['localhost:4000', 'http://localhost.evil.example', NO_ORIGIN],
  ['localhost:4000', 'http://localhost.evil.example:4000', NO_ORIGIN],
  ['localhost:4000', 'http://localhost:4000.evil.example', NO_ORIGIN],
  ['localhost:4000', 'http://localhost:4000@evil.example', NO_ORIGIN],
  ['localhost:4000', 'http://user@localhost:4000', NO_ORIGIN],
  ['localhost:4000', 'http://localhost:4000/', NO_ORIGIN],
  ['localhost:4000', 'http://localhost:4000?x', NO_ORIGIN],
  ['localhost:4000', 'http://localhost:4000 http://localhost:4000', NO_ORIGIN],
  ['localhost:4000', 'http://localhost:4000, http://localhost:4000', NO_ORIGIN],
  ['localhost:4000', 'localhost:4000', NO_ORIGIN],
  ['localhost:4000', '//localhost:4000', NO_ORIGIN],
  ['localhost:4000', 'null', NO_ORIGIN],
  ['localhost:4000', '', NO_ORIGIN],
  ['localhost:4000', 'file://', NO_ORIGIN],
  ['localhost:4000', 'chrome-extension://abcdefghijklmnop', NO_ORIGIN],
  ['localhost:4000', 'javascript:alert(1)', NO_ORIGIN],
  ['localhost:4000', `http://${'x'.repeat(100_000)}`, NO_ORIGIN],
];

function facts(host: string | null, origin: string | undefined, encrypted = false) {
  return request({ host, encrypted, headers: { authorization: `Bearer ${ALL}`, ...(origin === undefined ? {} : { origin }) } });
}

describe('Host and Origin', () => {
  it.each(PAIRS)('of %j and %j on a loopback endpoint: %s', (host, origin, expected) => {
    for (const endpoint of [access(), access({ tokens: TOKENS })]) {
      expect(verdict(() => endpoint.admit(facts(host, origin), 'observe'))).toBe(expected);
      expect(verdict(() => endpoint.checkOrigin(facts(host, origin)))).toBe(expected);
      expect(verdict(() => endpoint.checkDiscovery(facts(host, origin)))).toBe(expected);
    }
  });

  it('are looked at ahead of the token', () => {
    const endpoint = access({ tokens: TOKENS });
    expect(verdict(() => endpoint.admit(request({ host: 'evil.example' }), 'observe'))).toBe(NO_HOST);
    expect(verdict(() => endpoint.admit(request({ headers: { origin: 'null' } }), 'observe'))).toBe(NO_ORIGIN);
  });

  it('of a bound address pass, and those of its neighbours do not', () => {
    const endpoint = access({ host: '192.168.1.5', port: 4000, tokens: TOKENS, tls: true });
    expect(verdict(() => endpoint.checkOrigin(facts('192.168.1.5:4000', 'https://192.168.1.5:4000', true)))).toBe('passes');
    expect(verdict(() => endpoint.checkOrigin(facts('192.168.1.5:4000', 'http://192.168.1.5:4000', true)))).toBe(NO_ORIGIN);
    expect(verdict(() => endpoint.checkOrigin(facts('192.168.1.6:4000', undefined, true)))).toBe(NO_HOST);
    const named = access({ host: 'Box.lan', tokens: TOKENS, tls: true });
    expect(verdict(() => named.checkOrigin(facts('box.lan:4000', undefined, true)))).toBe('passes');
    expect(verdict(() => named.checkOrigin(facts('xbox.lan:4000', undefined, true)))).toBe(NO_HOST);
    const kelvin = access({ host: 'k.lan', tokens: TOKENS, tls: true });
    expect(verdict(() => kelvin.checkOrigin(facts('\u212A.lan', undefined, true)))).toBe(NO_HOST);
  });

  it.each(['0.0.0.0', '::'])('of any literal address pass on %s, and of a name only a configured one', (host) => {
    const endpoint = access({ host, tokens: TOKENS, tlsTerminatedByProxy: true, publicUrls: ['https://aep.example'] });
    expect(verdict(() => endpoint.checkOrigin(facts('192.168.1.5:4000', 'http://192.168.1.5:4000')))).toBe('passes');
    expect(verdict(() => endpoint.checkOrigin(facts('[fd00::5]:4000', undefined)))).toBe('passes');
    expect(verdict(() => endpoint.checkOrigin(facts('evil.example:4000', 'http://evil.example:4000')))).toBe(NO_HOST);
    expect(verdict(() => endpoint.checkOrigin(facts('aep.example', 'https://aep.example')))).toBe('passes');
  });
});

describe('a public URL', () => {
  const endpoint = access({ tokens: TOKENS, tlsTerminatedByProxy: true, publicUrls: ['https://AEP.example:8443/base'] });

  it('lets its host in under any port, since proxies keep or strip it', () => {
    for (const host of ['aep.example', 'aep.example:8443', 'AEP.example:80']) {
      expect(verdict(() => endpoint.checkOrigin(facts(host, undefined)))).toBe('passes');
    }
    expect(verdict(() => endpoint.checkOrigin(facts('x.aep.example', undefined)))).toBe(NO_HOST);
  });

  it('lets pages of exactly its origin in, whatever Host the proxy sends', () => {
    for (const host of ['aep.example', '127.0.0.1:4000']) {
      expect(verdict(() => endpoint.checkOrigin(facts(host, 'https://aep.example:8443')))).toBe('passes');
      expect(verdict(() => endpoint.checkOrigin(facts(host, 'https://aep.example')))).toBe(NO_ORIGIN);
      expect(verdict(() => endpoint.checkOrigin(facts(host, 'http://aep.example:8443')))).toBe(NO_ORIGIN);
    }
  });

  it('of another port of the same name is not made up from Host', () => {
    expect(verdict(() => endpoint.checkOrigin(facts('aep.example:9999', 'https://aep.example:9999')))).toBe(NO_ORIGIN);
  });
});

describe('allowed origins', () => {
  const endpoint = access({ allowedOrigins: ['https://console.example/', 'http://localhost:5173', 'chrome-extension://abcdef', 'https://bücher.example'] });

  it.each([
    ['https://console.example', 'passes'],
    ['https://console.example:443', 'passes'],
    ['https://console.example:444', NO_ORIGIN],
    ['http://console.example', NO_ORIGIN],
    ['https://x.console.example', NO_ORIGIN],
    ['http://localhost:5173', 'passes'],
    ['chrome-extension://abcdef', 'passes'],
    ['chrome-extension://abcdefg', NO_ORIGIN],
    ['https://xn--bcher-kva.example', 'passes'],
  ])('%s: %s', (origin, expected) => {
    expect(verdict(() => endpoint.checkOrigin(facts('localhost:4000', origin)))).toBe(expected);
    expect(endpoint.crossOrigin(facts('localhost:4000', origin))).toBe(expected === 'passes' ? origin : undefined);
  });

  it('never loosen the Host rule', () => {
    expect(verdict(() => endpoint.checkOrigin(facts('console.example', 'https://console.example')))).toBe(NO_HOST);
  });

  it('are the only ones to name in a CORS answer', () => {
    expect(endpoint.crossOrigin(facts('localhost:4000', 'http://localhost:4000'))).toBeUndefined();
    expect(endpoint.crossOrigin(facts('localhost:4000', undefined))).toBeUndefined();
    expect(access().crossOrigin(facts('localhost:4000', 'null'))).toBeUndefined();
  });
});
