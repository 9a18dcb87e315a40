import { describe, expect, it } from 'vitest';

import { Unfinished } from '../src/unfinished.js';

describe('Unfinished', () => {
  const make = () => {
    let now = 100;
    let sum = 0;
    const unfinished = new Unfinished(
      () => now,
      (change) => {
        sum += change;
      },
    );
    return { unfinished, sum: () => sum, tick: () => void (now += 10) };
  };

  it('counts what came in since the last whole message, and since when', () => {
    const { unfinished, sum, tick } = make();
    expect(unfinished.state).toBeUndefined();
    unfinished.received(50);
    tick();
    unfinished.received(30);
    expect(unfinished.state).toEqual({ bytes: 80, since: 100 });
    expect(sum()).toBe(80);
    unfinished.complete();
    unfinished.received(20);
    expect(unfinished.state).toBeUndefined();
    expect(sum()).toBe(0);
    tick();
    unfinished.received(5);
    expect(unfinished.state).toEqual({ bytes: 5, since: 120 });
  });

  it('does not count control frames, also when they come in two parts', () => {
    const { unfinished } = make();
    unfinished.received(3);
    unfinished.control(6);
    unfinished.received(3);
    expect(unfinished.state).toBeUndefined();
    unfinished.received(100);
    unfinished.control(10);
    unfinished.received(10);
    expect(unfinished.state?.bytes).toBe(100);
  });

  it('starts its time again, and ends', () => {
    const { unfinished, sum, tick } = make();
    unfinished.received(7);
    tick();
    unfinished.restart();
    expect(unfinished.state).toEqual({ bytes: 7, since: 110 });
    unfinished.end();
    unfinished.received(9);
    expect(unfinished.state).toBeUndefined();
    expect(sum()).toBe(0);
  });
});
