import { describe, expect, it } from 'vitest';

import { manualClock } from '../src/index.js';

describe('manualClock', () => {
  it('moves only when told to and runs what falls due, earliest first', async () => {
    const clock = manualClock(0);
    const ran: string[] = [];
    clock.setTimeout(() => ran.push(`b at ${clock.now()}`), 20);
    clock.setTimeout(() => ran.push(`a at ${clock.now()}`), 10);
    clock.setTimeout(() => ran.push('late'), 31);
    await clock.advance(30);
    expect(ran).toEqual(['a at 10', 'b at 20']);
    expect([clock.now(), clock.pending()]).toEqual([30, 1]);
  });

  it('repeats an interval and stops what is cleared', async () => {
    const clock = manualClock();
    let ticks = 0;
    const interval = clock.setInterval(() => {
      ticks += 1;
    }, 10);
    const never = clock.setTimeout(() => expect.unreachable(), 5);
    clock.clearTimeout(never);
    await clock.advance(35);
    clock.clearInterval(interval);
    await clock.advance(100);
    expect([ticks, clock.pending()]).toEqual([3, 0]);
  });

  it('lets promises run between two timers, and runs timers that timers make', async () => {
    const clock = manualClock(0);
    const ran: string[] = [];
    clock.setTimeout(() => {
      void Promise.resolve().then(() => ran.push('promise'));
      clock.setTimeout(() => ran.push(`made at ${clock.now()}`), 5);
    }, 10);
    clock.setTimeout(() => ran.push('second'), 20);
    await clock.advance(20);
    expect(ran).toEqual(['promise', 'made at 15', 'second']);
  });
});
