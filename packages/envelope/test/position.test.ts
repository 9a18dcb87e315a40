import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { comparePositions, epochOf, parseEvent, positionOf, type AepEvent } from '../src/index.js';
import { full, minimal, runs } from './support.js';

const position = fc.record({ epoch: fc.maxSafeNat(), seq: fc.maxSafeNat() });
const small = fc.record({ epoch: fc.nat(2), seq: fc.nat(2) });

describe('positionOf', () => {
  it('consists of session, epoch and seq [E-090]', () => {
    expect(positionOf(full)).toEqual({ session: 's', epoch: 3, seq: 1 });
    expect(Object.keys(positionOf(full) ?? {})).toEqual(['session', 'epoch', 'seq']);
  });

  it('reads a missing epoch as 0 [E-032]', () => {
    expect(positionOf(minimal.session)).toEqual({ session: 's', epoch: 0, seq: 1 });
    expect(epochOf({})).toBe(0);
    expect(epochOf(full)).toBe(3);
  });

  it('gives agent-scoped Events no place in any order [E-038]', () => {
    expect(positionOf(minimal.agent)).toBeUndefined();
    expect(positionOf({ ...minimal.agent, epoch: 4 })).toBeUndefined();
  });

  it('gives none to commands and attention.routed, so that no mark is taken from them [E-043]', () => {
    for (const event of [minimal.command, minimal.routed, minimal.vendorCommand]) expect(positionOf({ ...event, epoch: 9 })).toBeUndefined();
  });

  it('knows one zero', () => {
    const { event } = parseEvent(JSON.stringify(full).replace('"seq":1', '"seq":-0').replace('"epoch":3', '"epoch":-0'));
    expect(positionOf(event)).toEqual({ session: 's', epoch: 0, seq: 0 });
    expect(Object.is(positionOf(event)?.seq, 0)).toBe(true);
  });

  it('sees own properties only', () => {
    Object.assign(Object.prototype, { session: 's', seq: 4, epoch: 7 });
    try {
      expect(positionOf(minimal.agent)).toBeUndefined();
      expect(positionOf({ ...minimal.session })?.epoch).toBe(0);
    } finally {
      for (const name of ['session', 'seq', 'epoch']) Reflect.deleteProperty(Object.prototype, name);
    }
  });
});

describe('comparePositions', () => {
  it('orders by epoch first and seq second [E-081]', () => {
    const sorted = [{ epoch: 0, seq: 0 }, { epoch: 0, seq: 1 }, { epoch: 0, seq: 2 ** 53 - 1 }, { epoch: 1, seq: 0 }, { epoch: 1, seq: 5 }, { epoch: 2 ** 53 - 1, seq: 0 }, { epoch: 2 ** 53 - 1, seq: 2 ** 53 - 1 }];
    for (const [i, a] of sorted.entries()) {
      for (const [j, b] of sorted.entries()) expect(comparePositions(a, b)).toBe(Math.sign(i - j));
    }
  });

  it('orders sequenced Events against their times where these contradict [E-082]', () => {
    const at = (seq: number, epoch: number, time: string): AepEvent => ({ ...minimal.session, id: `${String(epoch)}-${String(seq)}`, seq, epoch, time });
    const events = [at(0, 1, '2020-01-01T00:00:00Z'), at(2, 0, '2021-01-01T00:00:00Z'), at(1, 0, '2030-01-01T00:00:00Z')];
    const positions = events.map((event) => positionOf(event) ?? expect.unreachable());
    expect(positions.sort(comparePositions).map(({ epoch, seq }) => [epoch, seq])).toEqual([[0, 1], [0, 2], [1, 0]]);
  });

  it('is a total order at the far end too, where packing two numbers into one would fail', () => {
    fc.assert(
      fc.property(fc.oneof(position, small), fc.oneof(position, small), fc.oneof(position, small), (a, b, c) => {
        const direct = a.epoch < b.epoch || (a.epoch === b.epoch && a.seq < b.seq) ? -1 : a.epoch === b.epoch && a.seq === b.seq ? 0 : 1;
        expect(comparePositions(a, b)).toBe(direct);
        expect(comparePositions(a, b) + comparePositions(b, a)).toBe(0);
        if (comparePositions(a, b) <= 0 && comparePositions(b, c) <= 0) expect(comparePositions(a, c)).toBeLessThanOrEqual(0);
      }),
      runs(1000),
    );
  });
});
