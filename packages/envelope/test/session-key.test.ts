import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { sessionKey } from '../src/index.js';
import { runs } from './support.js';

const part = fc.string({ unit: fc.constantFrom('a', '1', ':', '\n', '\u0000', ' '), maxLength: 5 });

describe('sessionKey', () => {
  it('tells one session name of two sources apart', () => {
    expect(sessionKey({ source: 'aep://a', session: 's' })).not.toBe(sessionKey({ source: 'aep://b', session: 's' }));
    expect(sessionKey({ source: 'aep://a', session: 's' })).toBe(sessionKey({ source: 'aep://a', session: 's' }));
  });

  it('is injective, whatever the parts hold', () => {
    fc.assert(
      fc.property(part, part, part, part, (source, session, otherSource, otherSession) => {
        const equal = source === otherSource && session === otherSession;
        expect(sessionKey({ source, session }) === sessionKey({ source: otherSource, session: otherSession })).toBe(equal);
      }),
      runs(1000),
    );
  });
});
