import { manualClock } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { deadline, pause } from '../src/deadline.js';

describe('deadline', () => {
  it('fires when time is up', async () => {
    const clock = manualClock();
    const until = deadline(undefined, 100, clock);
    await clock.advance(99);
    expect(until.signal.aborted).toBe(false);
    await clock.advance(1);
    expect(until.signal.aborted).toBe(true);
  });

  it('fires with the signal of the caller, early or late', () => {
    const clock = manualClock();
    const caller = new AbortController();
    const until = deadline(caller.signal, 100, clock);
    caller.abort();
    expect(until.signal.aborted).toBe(true);
    expect(deadline(caller.signal, 100, clock).signal.aborted).toBe(true);
  });

  it('leaves nothing behind when closed, and starts no timer when it is off', () => {
    const clock = manualClock();
    const caller = new AbortController();
    const until = deadline(caller.signal, 100, clock);
    until.close();
    caller.abort();
    expect(until.signal.aborted).toBe(false);
    deadline(undefined, Infinity, clock);
    expect(clock.pending()).toBe(0);
  });
});

describe('pause', () => {
  it('waits', async () => {
    const clock = manualClock();
    const waiting = pause(100, new AbortController().signal, clock);
    await clock.advance(100);
    expect(await waiting).toBe(true);
    expect(clock.pending()).toBe(0);
  });

  it('ends with the signal', async () => {
    const clock = manualClock();
    const caller = new AbortController();
    const waiting = pause(100, caller.signal, clock);
    caller.abort();
    expect(await waiting).toBe(false);
    expect(await pause(100, caller.signal, clock)).toBe(false);
    expect(clock.pending()).toBe(0);
  });
});
