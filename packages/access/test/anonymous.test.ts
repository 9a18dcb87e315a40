import { describe, expect, it } from 'vitest';

import { AccessConfigError, type AccessOptions, type Scope } from '../src/index.js';
import { access, ALL, bearer, EMIT, request, TOKENS, verdict } from './request.js';

const mixed = access({ tokens: TOKENS, anonymous: ['emit', 'observe'] });

const refused = (options: Partial<AccessOptions>): string => {
  try {
    access(options);
    return 'passes';
  } catch (error) {
    if (!(error instanceof AccessConfigError)) throw error;
    return error.code;
  }
};

describe('what callers may do without a token where there are tokens', () => {
  it('is what was configured, and never control [B-212]', () => {
    expect(mixed.requiresToken).toBe(false);
    const anybody = mixed.admit(request(), 'observe');
    expect([anybody.name, anybody.authenticated, [...anybody.scopes]]).toEqual(['anonymous', false, ['emit', 'observe']]);
    expect(verdict(() => mixed.admit(request(), 'control'))).toBe('insufficient-scope 403');
    const watching = access({ tokens: TOKENS, anonymous: ['observe'] });
    expect(verdict(() => watching.admit(request(), 'emit'))).toBe('insufficient-scope 403');
    expect(verdict(() => watching.admit(request(), 'observe'))).toBe('passes');
  });

  it('does not change what a token gives [B-212]', () => {
    const owner = mixed.admit(request(bearer(ALL)), 'control');
    expect([owner.name, owner.authenticated]).toEqual(['owner', true]);
    expect(verdict(() => mixed.admit(request(bearer(EMIT)), 'observe'))).toBe('insufficient-scope 403');
    expect(mixed.admit(request({ queryToken: ALL }), 'control', { queryToken: true }).name).toBe('owner');
  });

  it.each([
    ['an unknown token', bearer('wrong-token-0123456789')],
    ['no bearer token', { headers: { authorization: 'Basic abc' } }],
    ['an empty header', { headers: { authorization: '' } }],
    ['two tokens', { headers: { authorization: `Bearer ${ALL}, Bearer ${ALL}` } }],
  ])('is refused to whoever presents %s, where none is needed too [B-027]', (_, facts) => {
    for (const scope of ['emit', 'observe', 'control'] as const) expect(verdict(() => mixed.admit(request(facts), scope))).toBe('invalid-token 401');
    expect(verdict(() => mixed.authenticate(request(facts)))).toBe('invalid-token 401');
  });

  it('is refused with a wrong token in the URL, and with a right one where none is taken', () => {
    expect(verdict(() => mixed.admit(request({ queryToken: 'wrong-token-0123456789' }), 'observe', { queryToken: true }))).toBe('invalid-token 401');
    expect(verdict(() => mixed.admit(request({ queryToken: '' }), 'observe', { queryToken: true }))).toBe('invalid-token 401');
    expect(verdict(() => mixed.admit(request({ queryToken: ALL }), 'emit'))).toBe('query-token-not-allowed 401');
    expect(verdict(() => access({ tokens: TOKENS, anonymous: ['observe'], queryTokens: false }).admit(request({ queryToken: ALL }), 'observe', { queryToken: true }))).toBe('query-token-not-allowed 401');
  });

  it('is for this machine: what came through a proxy or from elsewhere is refused, token or none [B-172]', () => {
    for (const facts of [{ headers: { 'x-forwarded-for': '203.0.113.7' } }, { headers: { forwarded: 'for=203.0.113.7', ...bearer(ALL).headers } }, { ...bearer(ALL), remoteAddress: '203.0.113.7' }]) {
      expect(verdict(() => mixed.admit(request(facts), 'observe'))).toBe('proxied-without-token 403');
      expect(verdict(() => mixed.checkOrigin(request(facts)))).toBe('proxied-without-token 403');
    }
  });

  it('is not for pages of other sites', () => {
    expect(verdict(() => mixed.admit(request({ headers: { origin: 'http://evil.example' } }), 'observe'))).toBe('origin-not-allowed 403');
    expect(verdict(() => mixed.admit(request({ host: 'evil.example' }), 'observe'))).toBe('host-not-allowed 421');
  });

  it('makes an endpoint one without tokens where other machines are concerned [B-172]', () => {
    const anonymous: readonly Scope[] = ['observe'];
    expect(refused({ tokens: TOKENS, anonymous, host: '0.0.0.0', tls: true })).toBe('token-required');
    expect(refused({ tokens: TOKENS, anonymous, publicUrls: ['https://aep.example'] })).toBe('token-required');
    expect(refused({ tokens: TOKENS, anonymous: [], host: '0.0.0.0', tls: true })).toBe('passes');
  });

  it.each([
    ['control', ['control']],
    ['control among others', ['emit', 'control']],
    ['no scope', ['everything']],
    ['no list', 'emit'],
    ['no text', [null]],
  ])('cannot be %s', (_, anonymous) => {
    expect(refused({ tokens: TOKENS, anonymous: anonymous as readonly Scope[] })).toBe('invalid-scope');
    expect(refused({ anonymous: anonymous as readonly Scope[] })).toBe('invalid-scope');
  });

  it('can be nothing, with tokens and without', () => {
    expect(access({ tokens: TOKENS, anonymous: [] }).requiresToken).toBe(true);
    expect(verdict(() => access({ tokens: TOKENS, anonymous: [] }).authenticate(request()))).toBe('missing-token 401');
    expect(verdict(() => access({ anonymous: [] }).admit(request(), 'observe'))).toBe('insufficient-scope 403');
  });

  it('leaves an endpoint without tokens as it was: a token says nothing there', () => {
    const open = access({ anonymous: ['emit', 'observe'] });
    expect(verdict(() => open.admit(request(bearer('whatever-0123456789')), 'observe'))).toBe('passes');
  });
});
