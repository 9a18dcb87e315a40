import * as crypto from 'node:crypto';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { AccessConfigError, AccessError, parseTokenFile, type RequestFacts } from '../src/index.js';
import { access, ALL, bearer, EMIT, OBSERVE, request, TOKENS, verdict } from './request.js';

vi.mock('node:crypto', { spy: true });
afterEach(() => vi.clearAllMocks());

describe('secrets', () => {
  it('never appear in what Access and Principal print [B-175]', () => {
    const endpoint = access({ tokens: TOKENS });
    const principal = endpoint.admit(request(bearer(ALL)), 'control');
    const digests = [EMIT, OBSERVE, ALL].map((token) => crypto.createHash('sha256').update(token).digest('hex'));
    for (const value of [endpoint, principal]) {
      const shown = [inspect(value, { depth: 9, showHidden: true }), JSON.stringify(value), Object.prototype.toString.call(value), Object.keys(value).join()].join('\n');
      for (const secret of [EMIT, OBSERVE, ALL, ...digests]) expect(shown).not.toContain(secret);
    }
  });

  it('never appear in refusals, from the header or the URL [B-175]', () => {
    const endpoint = access({ tokens: TOKENS });
    const secret = 'SECRET-token-0123456789';
    const facts = [
      request(bearer(secret)),
      request({ headers: { authorization: `Basic ${secret}` } }),
      request({ headers: { authorization: `Bearer ${secret} ${secret}` } }),
      request({ queryToken: secret }),
      request({ queryToken: `${secret} ` }),
      request({ host: secret }),
      request({ headers: { origin: `http://${secret}`, ...bearer(secret).headers } }),
    ];
    for (const one of facts) {
      for (const queryToken of [true, false]) {
        let caught: unknown;
        try {
          endpoint.admit(one, 'observe', { queryToken });
        } catch (error) {
          caught = error;
        }
        expect(caught).toBeInstanceOf(AccessError);
        expect(inspect(caught, { depth: 9, showHidden: true }) + JSON.stringify(caught)).not.toContain('SECRET');
      }
    }
  });

  it('never appear in errors of a configuration whose columns are swapped', () => {
    const secret = 'SECRET-token-0123456789';
    for (const entry of [
      { name: `${secret}/`, token: 'name', scopes: ['emit'] },
      { name: secret, token: 'name', scopes: [secret] },
      { name: secret, token: `${secret} `, scopes: ['emit'] },
    ]) {
      expect(() => access({ tokens: [entry as never] })).toThrow(AccessConfigError);
      expect(() => access({ tokens: [entry as never] })).toThrow(expect.not.objectContaining({ message: expect.stringContaining('SECRET') }) as Error);
    }
  });
});

describe('comparison', () => {
  it('looks at every token, by digests of one length, also behind the one that fits', () => {
    const endpoint = access({ tokens: TOKENS });
    for (const token of [EMIT, OBSERVE, ALL, 'x', 'x'.repeat(1024)]) {
      vi.mocked(crypto.timingSafeEqual).mockClear();
      verdict(() => endpoint.authenticate(request(bearer(token))));
      const calls = vi.mocked(crypto.timingSafeEqual).mock.calls;
      expect(calls).toHaveLength(TOKENS.length);
      for (const [left, right] of calls) expect([left.byteLength, right.byteLength]).toEqual([32, 32]);
    }
  });
});

describe('hostile requests', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.constantFrom('localhost', '127.0.0.1', '[::1]', 'http://localhost', 'http://[::1]:4000', 'null', `Bearer ${ALL}`, ALL, 'http://', '[', ']:', '::', '%00', '@'),
  );
  const glued = fc.array(text, { maxLength: 4 }).map((parts) => parts.join(''));
  const maybe = fc.option(glued, { nil: undefined });

  it('get an answer or an ordinary refusal, and pass only with a loopback Host', () => {
    const endpoints = [access(), access({ tokens: TOKENS }), access({ host: '::', tokens: TOKENS, tls: true, publicUrls: ['https://aep.example'] })];
    fc.assert(
      fc.property(maybe, maybe, maybe, maybe, fc.boolean(), (host, origin, authorization, queryToken, encrypted) => {
        const headers: Record<string, string | undefined> = { host, origin, authorization };
        const facts: RequestFacts = { header: (name) => headers[name], queryToken, encrypted };
        for (const endpoint of endpoints) {
          const first = verdict(() => endpoint.admit(facts, 'observe', { queryToken: true }));
          expect(verdict(() => endpoint.admit(facts, 'observe', { queryToken: true }))).toBe(first);
        }
        if (verdict(() => endpoints[0]!.checkOrigin(facts)) === 'passes') {
          expect(host).toMatch(/^(?:localhost|127\.\d+\.\d+\.\d+|\[[0-9a-f:.]+\])(?::\d+)?$/i);
          if (origin !== undefined) expect(new URL(origin).host).toBe(new URL(`http://${host!}`).host);
        }
      }),
      { numRuns: 2000, seed: 20 },
    );
  });

  it('do not make a token file throw anything else', () => {
    const line = fc.oneof(glued, fc.constantFrom('a emit', 'b all token-token-token-1', '#', '\r\n', '\n', '\t', 'c observe,control sha256:'));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 6 }), (lines) => {
        try {
          for (const entry of parseTokenFile(lines.join('\n'))) expect(entry.token).toMatch(/^sha256:[0-9a-f]{64}$/);
        } catch (error) {
          expect(error).toBeInstanceOf(AccessConfigError);
        }
      }),
      { seed: 21 },
    );
  });

  it('find nothing on prototypes', () => {
    const endpoint = access({ tokens: TOKENS });
    for (const token of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      expect(verdict(() => endpoint.authenticate(request(bearer(token))))).toBe('invalid-token 401');
    }
  });
});
