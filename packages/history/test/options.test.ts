import { describe, expect, it } from 'vitest';
import { openHistory, type HistoryOptions } from '../src/index.js';
import { resolveOptions } from '../src/options.js';

describe('options', () => {
  it('fills in defaults and leaves the object alone', () => {
    const options = Object.freeze({ path: '/tmp/history.db' });
    expect(resolveOptions(options)).toEqual({
      path: '/tmp/history.db',
      buffer: 10_000,
      sessions: 1000,
      synchronous: 'NORMAL',
      writer: 'worker',
      groupEvents: 1000,
      maxBytes: Infinity,
      mapBytes: 1_073_741_824,
    });
  });

  it.each([
    { buffer: 0 },
    { buffer: 1.5 },
    { buffer: NaN },
    { sessions: 0 },
    { groupEvents: 0 },
    { maxBytes: 1024 ** 2 - 1 },
    { mapBytes: -1 },
    { synchronous: 'OFF' },
    { writer: 'process' },
  ])('refuses %o', async (bad) => {
    await expect(openHistory({ path: '/nonexistent/history.db', ...bad } as HistoryOptions)).rejects.toThrow(RangeError);
  });

  it.each([{ buffer: 1 }, { buffer: Infinity }, { sessions: 1 }, { maxBytes: 1024 ** 2 }, { mapBytes: 0 }, { groupEvents: Infinity }])('takes %o', (good) => {
    expect(resolveOptions({ path: 'history.db', ...good })).toMatchObject(good);
  });

  it.each(['', ':memory:', 'file:history.db', 'a\0b'])('refuses the path %j, which names no file of the disk', async (path) => {
    await expect(openHistory({ path })).rejects.toThrow(TypeError);
  });
});
