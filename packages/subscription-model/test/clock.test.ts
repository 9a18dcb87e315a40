import { manualClock } from '@aepkit/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { Clock, systemTimers } from '../src/clock.js';
import { Deadlines, type Deadline } from '../src/deadlines.js';

describe('deadlines', () => {
  it('come by time, and those that were removed never', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(50), fc.boolean()), { maxLength: 60 }), (drawn) => {
        const deadlines = new Deadlines();
        const added: Deadline[] = drawn.map(([at]) => deadlines.add(at, () => undefined));
        for (const [at, [, gone]] of drawn.entries()) {
          if (gone) deadlines.remove(added[at]);
          if (gone) deadlines.remove(added[at]);
        }
        const expected = drawn.filter(([, gone]) => !gone).map(([at]) => at).toSorted((a, b) => a - b);
        expect([deadlines.size, deadlines.next]).toEqual([expected.length, expected[0]]);
        const taken: number[] = [];
        for (let next = deadlines.take(25); next !== undefined; next = deadlines.take(25)) taken.push(next.at);
        expect(taken).toEqual(expected.filter((at) => at <= 25));
        for (let next = deadlines.take(50); next !== undefined; next = deadlines.take(50)) taken.push(next.at);
        expect(taken).toEqual(expected);
      }),
    );
  });
});

describe('a deadline that is removed', () => {
  it('leaves the others in order, where the last one takes its place', () => {
    const deadlines = new Deadlines();
    const added = [0, 10, 1, 20, 30, 15, 3].map((at) => deadlines.add(at, () => undefined));
    deadlines.remove(added[3]);
    const taken: number[] = [];
    for (let next = deadlines.take(99); next !== undefined; next = deadlines.take(99)) taken.push(next.at);
    expect(taken).toEqual([0, 1, 3, 10, 15, 30]);
  });
});

describe('the clock', () => {
  it('runs everything in order with one timer, and lets go of it', async () => {
    const timers = manualClock(0);
    const clock = new Clock(() => timers.now(), timers);
    const ran: number[] = [];
    const note = (at: number) => () => void ran.push(at);
    clock.at(30, note(30));
    const gone = clock.at(20, note(20));
    clock.at(10, () => {
      note(10)();
      clock.at(15, note(15));
    });
    expect(clock.at(Infinity, note(0))).toBeUndefined();
    expect(timers.pending()).toBe(1);
    clock.cancel(gone);
    await timers.advance(12);
    expect(ran).toEqual([10]);
    await timers.advance(100);
    expect([ran, timers.pending(), clock.waiting]).toEqual([[10, 15, 30], 0, 0]);
    clock.at(1_000, note(1_000));
    clock.stop();
    await timers.advance(10_000);
    expect([ran.length, timers.pending()]).toEqual([3, 0]);
  });

  it('waits for what is farther than a timer can', async () => {
    const timers = manualClock(0);
    const clock = new Clock(() => timers.now(), timers);
    const ran: number[] = [];
    clock.at(5e9, () => ran.push(timers.now()));
    await timers.advance(4.9e9);
    expect(ran).toEqual([]);
    await timers.advance(1e8);
    expect(ran).toEqual([5e9]);
    // A longer timer of the runtime would fire at once.
    const delays: number[] = [];
    new Clock(() => 0, { setTimeout: (_run, delay) => delays.push(delay), clearTimeout: () => undefined }).at(5e9, () => undefined);
    expect(delays).toEqual([2_147_483_647]);
  });

  it('has the timers of the runtime, and never keeps a process alive', async () => {
    const clock = new Clock(Date.now, systemTimers);
    await new Promise<void>((resolve) => clock.at(Date.now() + 1, resolve));
    clock.at(Date.now() + 1e9, () => undefined);
    expect(clock.waiting).toBe(1);
    clock.stop();
  });
});
