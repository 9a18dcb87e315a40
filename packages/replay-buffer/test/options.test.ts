import { expect, it } from 'vitest';
import * as exported from '../src/index.js';
import { ReplayBuffer } from '../src/index.js';

it('has these defaults', () => {
  expect(exported.DEFAULT_PER_SESSION_EVENTS).toBe(10_000);
  expect(exported.DEFAULT_SESSIONS).toBe(1000);
  expect(exported.DEFAULT_BYTES).toBe(268_435_456);
  expect(exported.DEFAULT_CHUNK_STEPS).toBe(256);
  expect(exported.DEFAULT_CHUNK_TEXT).toBe(262_144);
  expect(exported.DEFAULT_EVICTED_SESSIONS).toBe(10_000);
  expect(exported.DEFAULT_COPY).toBe(true);
  expect(new ReplayBuffer().perSession).toBe(10_000);
});

it.each([
  ['perSession', 1],
  ['sessions', 1],
  ['bytes', 1],
  ['chunk', 1],
  ['chunkText', 1],
  ['evictedSessions', 0],
] as const)('takes %s from %i on, and Infinity', (name, least) => {
  for (const value of [least, least + 1, Infinity]) expect(() => new ReplayBuffer({ [name]: value })).not.toThrow();
  for (const value of [least - 1, -1, 1.5, NaN, -Infinity, '5' as unknown as number]) {
    expect(() => new ReplayBuffer({ [name]: value })).toThrow(RangeError);
  }
});

it('leaves the options of the caller alone', () => {
  const options = Object.freeze({ perSession: 3 });
  new ReplayBuffer(options);
  expect(options).toEqual({ perSession: 3 });
});
