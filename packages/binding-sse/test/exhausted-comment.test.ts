import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { formatExhausted, parseExhausted } from '../src/client.js';

describe('formatExhausted', () => {
  it('writes session, epoch and seq [B-045]', () => {
    expect(formatExhausted({ session: 's1', epoch: 3, seq: 17 })).toBe('replay-exhausted s1 3:17');
  });

  it.each([
    ['a b', 'a b'],
    ['50%', '50%'],
    ['a%2Fb', 'a%2Fb'],
    ['a\nb', 'a%0Ab'],
    ['a\r\nb', 'a%0D%0Ab'],
    ['a\0b', 'a%00b'],
    ['a%0Ab', 'a%250Ab'],
    ['a%0db', 'a%250db'],
    ['a%25b', 'a%2525b'],
  ])('writes the session %j as %j', (session, written) => {
    expect(formatExhausted({ session, epoch: 0, seq: 0 })).toBe(`replay-exhausted ${written} 0:0`);
  });
});

describe('parseExhausted', () => {
  it('splits from the right, since a session may hold blanks and colons', () => {
    expect(parseExhausted('replay-exhausted a 1:2 b 3:17')).toEqual({ session: 'a 1:2 b', epoch: 3, seq: 17 });
  });

  it.each([['ping'], ['replay-exhausted'], ['replay-exhausted s1'], ['replay-exhausted  1:2'], ['replay-exhausted s1 1'], ['replay-exhausted s1 1:-2'], ['replay-exhausted s1 1:9007199254740992'], ['x replay-exhausted s1 1:2']])(
    'takes %j for another comment',
    (text) => {
      expect(parseExhausted(text)).toBeUndefined();
    },
  );

  it('reads back whatever is written, on one line', () => {
    const session = fc.oneof(fc.string({ unit: 'binary', minLength: 1 }), fc.stringMatching(/^[%0-9aAdD\r\n\0 :]+$/));
    const whole = fc.nat({ max: Number.MAX_SAFE_INTEGER });
    fc.assert(
      fc.property(session, whole, whole, (name, epoch, seq) => {
        const text = formatExhausted({ session: name, epoch, seq });
        expect(text).not.toMatch(/[\0\r\n]/);
        expect(parseExhausted(text)).toEqual({ session: name, epoch, seq });
      }),
    );
  });
});
