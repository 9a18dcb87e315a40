import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { formatEventId, MAX_EVENT_ID_BYTES, parseEventId } from '../src/server.js';

const at = (session: string) => ({ session, epoch: 0, seq: 1 });

describe('formatEventId', () => {
  it('writes session, epoch and seq [B-040]', () => {
    expect(formatEventId({ session: 's1', epoch: 3, seq: 17 })).toBe('s1:3:17');
  });

  it.each([
    ['a colon', 'a:b:c', 'a:b:c:0:1'],
    ['blanks inside', 'a b  c', 'a b  c:0:1'],
    ['a blank at the end', 'a ', 'a :0:1'],
    ['a tab inside', 'a\tb', 'a\tb:0:1'],
    ['text beyond ASCII', 'größe 日本 🙂', 'größe 日本 🙂:0:1'],
    ['a line separator of Unicode', 'a\u2028b\u0085c', 'a\u2028b\u0085c:0:1'],
    ['a byte-order mark', '\ufeffa', '\ufeffa:0:1'],
    ['what looks like a path', '../x', '../x:0:1'],
  ])('carries a session with %s [B-040]', (_, session, id) => {
    expect(formatEventId(at(session))).toBe(id);
  });

  it.each([
    ['LF', 'a\nb'],
    ['CR', 'a\rb'],
    ['NUL', 'a\0b'],
    ['another control character', 'a\u0001b'],
    ['ESC', '\u001b[2J'],
    ['DEL', 'a\u007f'],
    ['a blank in front', ' a'],
    ['a tab in front', '\ta'],
    ['nothing in it', ''],
  ])('has no id for a session with %s, which the header cannot carry', (_, session) => {
    expect(formatEventId(at(session))).toBeUndefined();
  });

  it('has an id up to the bound in bytes and none beyond', () => {
    const room = MAX_EVENT_ID_BYTES - 36;
    expect(formatEventId(at('x'.repeat(room)))).toBeDefined();
    expect(formatEventId(at('x'.repeat(room - 1)))).toBeDefined();
    expect(formatEventId(at('x'.repeat(room + 1)))).toBeUndefined();
    expect(formatEventId(at('é'.repeat(room / 2)))).toBeDefined();
    expect(formatEventId(at('é'.repeat(room / 2 + 1)))).toBeUndefined();
    expect(formatEventId(at('日'.repeat(room / 2)))).toBeUndefined();
    expect(formatEventId(at('🙂'.repeat(room / 4)))).toBeDefined();
    expect(formatEventId(at('🙂'.repeat(room / 4 + 1)))).toBeUndefined();
  });
});

describe('parseEventId', () => {
  it.each([
    ['s1:0:0', 's1', 0, 0],
    ['a:b:c:3:17', 'a:b:c', 3, 17],
    ['::0:1', ':', 0, 1],
    ['a b :1:2', 'a b ', 1, 2],
    ['s:1767225600000:9007199254740991', 's', 1_767_225_600_000, 9_007_199_254_740_991],
  ])('splits %j on the last two colons [B-042]', (id, session, epoch, seq) => {
    expect(parseEventId(id)).toEqual({ session, epoch, seq });
  });

  it.each([['s'], [''], ['s:1'], [':1'], [':0:1'], ['s:0:'], ['s::1'], ['s:-1:0'], ['s:0:1.5'], ['s:0x1:1'], ['s:0:1 '], ['s: 0:1'], ['s:0:9007199254740992'], ['s:1e3:1'], ['s:٣:1']])(
    'takes %j for no position',
    (id) => {
      expect(parseEventId(id)).toBeUndefined();
    },
  );

  it('reads back whatever is written', () => {
    const whole = fc.nat({ max: Number.MAX_SAFE_INTEGER });
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), whole, whole, (session, epoch, seq) => {
        const id = formatEventId({ session, epoch, seq });
        if (id === undefined) return;
        expect(parseEventId(id)).toEqual({ session, epoch, seq });
        expect(id).not.toMatch(/[\0\r\n]/);
        expect(Buffer.byteLength(id)).toBeLessThanOrEqual(MAX_EVENT_ID_BYTES);
      }),
    );
  });
});
