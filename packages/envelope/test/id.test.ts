import { describe, expect, it } from 'vitest';

import { createId, createIdFactory } from '../src/index.js';

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

describe('createId', () => {
  it('gives ULIDs that sort by time [E-011]', () => {
    const early = createIdFactory()(1_000_000_000_000);
    const late = createIdFactory()(1_000_000_000_001);
    for (const id of [early, late, createId()]) expect(id).toMatch(ULID);
    expect(early < late).toBe(true);
    expect(early.slice(0, 10)).toBe('00X3AAA400');
  });

  it('ascends within the process', () => {
    const ids = Array.from({ length: 5000 }, () => createId());
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
    const future = createId(Date.now() + 60_000);
    expect(createId() > future).toBe(true);
  });
});

describe('createIdFactory', () => {
  it('takes its clock and its randomness', () => {
    let now = 0;
    const id = createIdFactory({ now: () => now, random: () => 0 });
    expect(id()).toBe('00000000000000000000000000');
    expect(id()).toBe('00000000000000000000000001');
    now = 32;
    expect(id()).toBe('00000000100000000000000000');
    expect(createIdFactory({ now: () => 5, random: () => 0.5 })()).toBe(`0000000005${'G'.repeat(16)}`);
    expect(createIdFactory({ now: () => 5.9, random: () => 0.999 })()).toBe(`0000000005${'Z'.repeat(16)}`);
  });

  it('keeps ascending when the clock steps back', () => {
    let now = 1000;
    const id = createIdFactory({ now: () => now });
    const first = id();
    now = 10;
    const second = id();
    const third = id(5);
    expect(first < second && second < third).toBe(true);
    expect(second.slice(0, 10)).toBe(first.slice(0, 10));
  });

  it('goes on where the random part has run out', () => {
    const id = createIdFactory({ now: () => 7, random: () => 0.999 });
    const first = id();
    const second = id();
    expect(first).toBe(`0000000007${'Z'.repeat(16)}`);
    expect(second).toBe(`0000000008${'Z'.repeat(16)}`);
  });

  it('refuses a time that no ULID can hold', () => {
    for (const time of [-1, NaN, Infinity, 2 ** 48]) expect(() => createIdFactory()(time)).toThrow(RangeError);
    expect(createIdFactory({ random: () => 0 })(2 ** 48 - 1)).toBe('7ZZZZZZZZZ0000000000000000');
  });

  it('keeps factories apart', () => {
    const options = { now: () => 1, random: () => 0.25 };
    expect(createIdFactory(options)()).toBe(createIdFactory(options)());
  });
});
