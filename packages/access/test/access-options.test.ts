import { describe, expect, it } from 'vitest';
import { Access, AccessConfigError, DEFAULT_PUBLIC_DISCOVERY, DEFAULT_QUERY_TOKENS, type AccessOptions } from '../src/index.js';
import { TOKENS } from './request.js';

function configured(options: AccessOptions): string {
  try {
    new Access(options);
    return 'fine';
  } catch (error) {
    if (!(error instanceof AccessConfigError)) throw error;
    return error.code;
  }
}

const UNSAFE_HOSTS = ['0.0.0.0', '::', '[::]', '0:0:0:0:0:0:0:0', '::ffff:0.0.0.0', '192.168.1.5', 'box', 'box.lan', '127.attacker.example', 'localhost.evil.example', '2001:db8::1', 'fe80::1%eth0'];
const LOOPBACK_HOSTS = ['localhost', 'LOCALHOST', '127.0.0.1', '127.9.9.9', '::1', '[::1]', '::ffff:127.0.0.1'];

describe('binding beyond loopback', () => {
  it.each(UNSAFE_HOSTS)('to %s needs a token, always [B-172, E-118]', (host) => {
    expect(configured({ host })).toBe('token-required');
    expect(configured({ host, tls: true })).toBe('token-required');
    expect(configured({ host, tlsTerminatedByProxy: true })).toBe('token-required');
    expect(configured({ host, tls: true, tokens: [] })).toBe('token-required');
  });

  it.each(UNSAFE_HOSTS)('to %s needs TLS, here or at a proxy [B-172, E-118]', (host) => {
    expect(configured({ host, tokens: TOKENS })).toBe('tls-required');
    expect(configured({ host, tokens: TOKENS, tls: true })).toBe('fine');
    expect(configured({ host, tokens: TOKENS, tlsTerminatedByProxy: true })).toBe('fine');
  });

  it.each(LOOPBACK_HOSTS)('is not what %s does', (host) => {
    expect(configured({ host })).toBe('fine');
    expect(configured({ host, tokens: TOKENS })).toBe('fine');
  });

  it('is stated by a public URL, too [B-172]', () => {
    const host = '127.0.0.1';
    expect(configured({ host, publicUrls: ['https://aep.example'] })).toBe('token-required');
    expect(configured({ host, publicUrls: ['http://aep.example'], tokens: TOKENS })).toBe('tls-required');
    expect(configured({ host, publicUrls: ['https://aep.example/base/'], tokens: TOKENS })).toBe('fine');
    expect(configured({ host, publicUrls: ['http://aep.localhost:4000', 'http://127.0.0.1:8080'] })).toBe('fine');
  });
});

describe('options', () => {
  it.each(['', ' ', 'a b', 'localhost:4000', '[::1]:4000', '127.1', '2130706433', '0x7f.1', 'http://localhost', 'localhost.', 'user@localhost', '[::1', 'ö.example', '::1::'])('refuse the host %j', (host) => {
    expect(configured({ host, tokens: TOKENS, tls: true })).toBe('invalid-host');
  });

  it.each(['', 'aep.example', '/events', 'ftp://aep.example', 'https://user:secret@aep.example', 'https://'])('refuse the public URL %j', (url) => {
    expect(configured({ host: 'localhost', tokens: TOKENS, publicUrls: [url] })).toBe('invalid-url');
  });

  it.each(['', '*', 'null', 'console.example', 'https://console.example/page', 'https://a.example, https://b.example', 'https://u:p@a.example', 'file://', 'chrome-extension://', 'https://*.example'])('refuse the origin %j', (origin) => {
    expect(configured({ host: 'localhost', allowedOrigins: [origin] })).toBe('invalid-origin');
  });

  it('have these defaults', () => {
    expect(DEFAULT_QUERY_TOKENS).toBe(true);
    expect(DEFAULT_PUBLIC_DISCOVERY).toBe(true);
  });

  it('are refused for tokens that could not be told apart or found', () => {
    const token = 'a-token-0123456789';
    const cases = [
      [[{ name: 'a', token: 'short', scopes: ['emit'] }], 'invalid-token'],
      [[{ name: 'a', token: 'x'.repeat(1025), scopes: ['emit'] }], 'invalid-token'],
      [[{ name: 'a', token: 'white space 0123456789', scopes: ['emit'] }], 'invalid-token'],
      [[{ name: 'a', token: `sha256:${'A'.repeat(64)}`, scopes: ['emit'] }], 'invalid-token'],
      [[{ name: '', token, scopes: ['emit'] }], 'invalid-name'],
      [[{ name: 'anonymous', token, scopes: ['emit'] }], 'invalid-name'],
      [[{ name: 'a', token, scopes: [] }], 'invalid-scope'],
      [[{ name: 'a', token, scopes: ['admin' as 'emit'] }], 'invalid-scope'],
      [[{ name: 'a', token, scopes: ['emit'] }, { name: 'a', token: `${token}-`, scopes: ['emit'] }], 'duplicate-name'],
      [[{ name: 'a', token, scopes: ['emit'] }, { name: 'b', token, scopes: ['emit'] }], 'duplicate-token'],
      [Array.from({ length: 1001 }, (_, index) => ({ name: `n${index}`, token: `${token}${index}`, scopes: ['emit'] })), 'too-many-tokens'],
    ] as [AccessOptions['tokens'], string][];
    for (const [tokens, code] of cases) expect(configured({ host: 'localhost', tokens: tokens! })).toBe(code);
    expect(configured({ host: 'localhost', tokens: [{ name: 'a', token: 'x'.repeat(16), scopes: ['emit'] }] })).toBe('fine');
    expect(configured({ host: 'localhost', tokens: [{ name: 'a', token: 'x'.repeat(15), scopes: ['emit'] }] })).toBe('invalid-token');
    expect(configured({ host: 'localhost', tokens: [{ name: 'a', token: 'x'.repeat(1024), scopes: ['emit'] }] })).toBe('fine');
  });
});
