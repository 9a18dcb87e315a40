import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { sourceUri, validateEvent } from '../src/index.js';
import { brief, minimal, refusal, runs } from './support.js';

/** The characters RFC 3986 has, and nothing else; `%` only in front of two hex digits. */
const RFC3986 = /^aep:\/\/(?:[A-Za-z0-9._~!$&'()*+,;=-]|%[0-9A-F]{2})+\/agent\/(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-F]{2})+(?:\/session\/(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-F]{2})+)?$/;
const part = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }).filter((text) => text.isWellFormed());

describe('sourceUri', () => {
  it('has the recommended form, without the session part where there is none [E-018]', () => {
    expect(sourceUri({ host: 'laptop.example', agent: 'claude-code', session: '0f4c' })).toBe('aep://laptop.example/agent/claude-code/session/0f4c');
    expect(sourceUri({ host: 'laptop', agent: 'a' })).toBe('aep://laptop/agent/a');
  });

  it('encodes each part, so that any session id gives a valid URI [E-131]', () => {
    expect(sourceUri({ host: '[::1]:80', agent: 'a/b', session: 's?x#y %/..\n😀' })).toBe(
      'aep://%5B%3A%3A1%5D%3A80/agent/a%2Fb/session/s%3Fx%23y%20%25%2F..%0A%F0%9F%98%80',
    );
    fc.assert(
      fc.property(part, part, part, (host, agent, session) => {
        const source = sourceUri({ host, agent, session });
        expect(source).toMatch(RFC3986);
        expect(validateEvent({ ...minimal.session, source })).toBeUndefined();
        expect(source.split('/').slice(2).map(decodeURIComponent)).toEqual([host, 'agent', agent, 'session', session]);
      }),
      runs(500),
    );
  });

  it('refuses an empty part and half of a surrogate pair', () => {
    for (const parts of [{ host: '', agent: 'a' }, { host: 'h', agent: '' }, { host: 'h', agent: 'a', session: '' }]) {
      expect(brief(refusal(() => sourceUri(parts)))).toBe('invalid-attribute $.source');
    }
    expect(brief(refusal(() => sourceUri({ host: 'h', agent: 'a', session: '\ud83d' })))).toBe('lone-surrogate $.source');
  });
});
