import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  DedupWindow,
  encodeFrame,
  hello,
  mayBeDuplicate,
  negotiate,
  ReorderBuffer,
  SequenceCounter,
  SequenceTracker,
  traceContext,
  type WeidaEncodeError,
  type Agreed,
  type GuaranteeSet,
  type Uint,
} from '../src/index.js';
import { header } from './support.js';

function agreedOn(set: GuaranteeSet): Agreed {
  const outcome = negotiate(hello({ offered: set }), hello({ offered: set }));
  if (!outcome.ok) throw new Error('unreachable');
  return outcome;
}

describe('sequence', () => {
  it('is written where an order per producer was negotiated, and nowhere else [W-220]', () => {
    for (const ordering of [1, 2] as const) expect(encodeFrame({ kind: 'DATA', sequence: 1 }, { agreed: agreedOn({ ordering }) })).toHaveLength(6);
    for (const set of [{}, { ordering: 3 }, { ordering: 4 }] as const) {
      expect(() => encodeFrame({ kind: 'DATA', sequence: 1 }, { agreed: agreedOn(set) })).toThrow(expect.objectContaining({ code: 'forbidden-combination', field: 'sequence' }) as WeidaEncodeError);
      expect(encodeFrame({ kind: 'DATA', topic: 'a' }, { agreed: agreedOn(set) })).toHaveLength(7);
    }
  });

  it('is not the only thing that takes negotiation: nor is achieved 0 written where acknowledgement stands at core [W-231]', () => {
    const zero = { kind: 'DATA', achieved: 0 } as const;
    expect(() => encodeFrame(zero, { agreed: agreedOn({}) })).toThrow(expect.objectContaining({ code: 'forbidden-combination', field: 'achieved' }) as WeidaEncodeError);
    expect(encodeFrame(zero, { agreed: agreedOn({ acknowledgement: 2 }) })).toHaveLength(6);
    expect(encodeFrame({ kind: 'DATA' }, { agreed: agreedOn({}) })).toHaveLength(4);
  });

  it('is given once to each message, ahead of its copies, and rises from 0 [W-221, W-222]', () => {
    const counter = new SequenceCounter();
    const copies = [1, 2, 3].map(() => {
      const sequence = counter.next();
      return ['/a', '/b'].map((endpoint) => (header('DATA', Buffer.from(encodeFrame({ kind: 'DATA', endpoint, sequence })).subarray(3).toString('hex')) as { sequence: number }).sequence);
    });
    expect(copies).toEqual([[0, 0], [1, 1], [2, 2]]);
  });

  it('is ignored on a connection that negotiated no such order [W-223]', () => {
    const tracker = new SequenceTracker(agreedOn({}));
    expect([5, 9, 5].map((sequence) => tracker.observe('/t', sequence))).toEqual([{ type: 'ignored' }, { type: 'ignored' }, { type: 'ignored' }]);
    expect(new SequenceTracker(agreedOn({ ordering: 3 })).observe('/t', 1)).toEqual({ type: 'ignored' });
    expect(new SequenceTracker(agreedOn({ ordering: 1 })).observe('/t', undefined)).toEqual({ type: 'ignored' });
  });

  it('shows gaps, in each scope by itself, and takes the first number for the base (OPEN-15) [W-222, W-400]', () => {
    const tracker = new SequenceTracker(agreedOn({ ordering: 1 }));
    const seen = ([['a', 7], ['a', 8], ['b', 0], ['a', 12], ['a', 10], ['a', 12], ['b', 1], ['b', 2n ** 60n]] as [string, Uint][]).map(([scope, sequence]) => tracker.observe(scope, sequence));
    expect(seen).toEqual([{ type: 'next' }, { type: 'next' }, { type: 'next' }, { type: 'gap', missing: 3 }, { type: 'late' }, { type: 'late' }, { type: 'next' }, { type: 'gap', missing: 2n ** 60n - 2n }]);
  });

  it('is followed in 1024 scopes, and in no further one [W-407]', () => {
    const tracker = new SequenceTracker(agreedOn({ ordering: 1 }));
    for (let i = 0; i < 1024; i++) expect(tracker.observe(`/${i}`, 0).type).toBe('next');
    expect(tracker.observe('/more', 0)).toEqual({ type: 'untracked' });
    expect(tracker.observe('/0', 1)).toEqual({ type: 'next' });
    expect(tracker.scopes).toBe(1024);
  });
});

describe('reassembly', () => {
  const order = (released: readonly { value: unknown; gap: boolean }[]): unknown[] => released.map(({ value, gap }) => (gap ? [value, 'gap'] : value));

  it('holds what comes early until what is before it has come', () => {
    const buffer = new ReorderBuffer<string>();
    expect(order(buffer.push('s', 0, 'a'))).toEqual(['a']);
    expect(order(buffer.push('s', 2, 'c'))).toEqual([]);
    expect(order(buffer.push('t', 9, 'z'))).toEqual(['z']);
    expect(order(buffer.push('s', 3, 'd'))).toEqual([]);
    expect(buffer.size).toBe(2);
    expect(order(buffer.push('s', 1, 'b'))).toEqual(['b', 'c', 'd']);
    expect(order(buffer.push('s', 0, 'late'))).toEqual(['late']);
    expect(buffer.size).toBe(0);
  });

  it('holds 256 at most, over all scopes: the oldest goes on with its gap reported [W-408]', () => {
    const buffer = new ReorderBuffer<number>();
    for (const scope of ['s', 't']) buffer.push(scope, 0, 0);
    for (let i = 0; i < 256; i++) expect(buffer.push(i % 2 === 0 ? 's' : 't', i + 10, i)).toEqual([]);
    expect(buffer.size).toBe(256);
    expect(buffer.push('t', 1000, 999)).toEqual([{ value: 0, scope: 's', sequence: 10, gap: true }]);
    expect(buffer.size).toBe(256);
  });

  it('lets what is before the oldest go first, and what it kept waiting after it', () => {
    const buffer = new ReorderBuffer<string>({ maxHold: 3 });
    buffer.push('s', 0, '0');
    for (const sequence of [5, 3, 6]) expect(buffer.push('s', sequence, `${sequence}`)).toEqual([]);
    expect(order(buffer.push('s', 9, '9'))).toEqual([['3', 'gap'], ['5', 'gap'], '6']);
    expect(order(buffer.push('s', 7, '7'))).toEqual(['7']);
    expect(order(buffer.flush())).toEqual([['9', 'gap']]);
  });

  it('loses and repeats nothing, and keeps the order of each scope but for what was passed', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom('a', 'b'), fc.integer({ min: 0, max: 30 })), { maxLength: 60 }), fc.integer({ min: 1, max: 8 }), (messages, maxHold) => {
        const buffer = new ReorderBuffer<number>({ maxHold });
        const out = messages.flatMap(([scope, sequence], i) => {
          const released = buffer.push(scope, sequence, i);
          expect(buffer.size).toBeLessThanOrEqual(maxHold);
          return released;
        });
        out.push(...buffer.flush());
        expect(out.map(({ value }) => value).sort((a, b) => a - b)).toEqual(messages.map((_, i) => i));
        for (const { value, scope, sequence } of out) expect([scope, sequence]).toEqual(messages[value]);
      }),
    );
  });

  it('passes what belongs to one scope too many', () => {
    const buffer = new ReorderBuffer<string>({ maxScopes: 1 });
    buffer.push('a', 0, 'x');
    expect(order(buffer.push('b', 5, 'y'))).toEqual(['y']);
    expect(order(buffer.push('b', 9, 'z'))).toEqual(['z']);
  });
});

describe('deduplication', () => {
  it('remembers 4096 identities and forgets the oldest [W-409]', () => {
    const window = new DedupWindow({ windowMs: 1000, now: () => 0 });
    for (let i = 0; i < 4096; i++) expect(window.admit(`${i}`)).toBe(true);
    expect([window.admit('0'), window.size]).toEqual([false, 4096]);
    expect(window.admit('new')).toBe(true);
    expect([window.size, window.admit('1'), window.admit('0')]).toEqual([4096, false, true]);
  });

  it('remembers each for the window that was agreed on', () => {
    let now = 0;
    const window = new DedupWindow({ windowMs: 100, now: () => now });
    window.admit('a');
    now = 99;
    expect(window.admit('a')).toBe(false);
    now = 100;
    expect(window.admit('a')).toBe(true);
    expect(() => new DedupWindow({ windowMs: -1 })).toThrow(RangeError);
    expect(new DedupWindow({ windowMs: 0 }).admit('a')).toBe(true);
  });

  it('takes a later hand-out for a possible duplicate, and for nothing else [W-245, W-246]', () => {
    expect([undefined, 1, 2, 2n ** 60n].map((deliveryAttempt) => mayBeDuplicate({ deliveryAttempt }))).toEqual([false, false, true, true]);
  });
});

describe('trace context', () => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

  it('may be absent, and malformed is absent [W-214, W-215]', () => {
    for (const bad of [
      undefined,
      '',
      'x',
      traceparent.toUpperCase(),
      traceparent.slice(1),
      `${traceparent}-00`,
      `${traceparent}x`,
      'ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      '00-00000000000000000000000000000000-b7ad6b7169203331-01',
      '00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01',
    ]) {
      expect(traceContext({ traceparent: bad, tracestate: 'a=1' })).toBeUndefined();
    }
    expect(header('DATA', 'a1036178')).toEqual({ kind: 'DATA', traceparent: 'x' });
  });

  it('is handed on unchanged, its state octet for octet [W-219]', () => {
    expect(traceContext({ traceparent })).toEqual({ traceparent });
    expect(traceContext({ traceparent: `01${traceparent.slice(2)}-extra` })).toEqual({ traceparent: `01${traceparent.slice(2)}-extra` });
    for (const tracestate of ['', ' a=1 , b=2', 'é', 'not valid at all']) expect(traceContext({ traceparent, tracestate })).toEqual({ traceparent, tracestate });
  });
});
