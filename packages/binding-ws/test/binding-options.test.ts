import { describe, expect, it } from 'vitest';

import { resolveBindingOptions } from '../src/binding-options.js';
import type { WebSocketBindingOptions } from '../src/server.js';

const given = { hub: {}, access: {} } as unknown as WebSocketBindingOptions;
const DEFAULTS = {
  helloTimeoutMs: 10_000,
  pingMs: 30_000,
  idleTimeoutMs: 90_000,
  probeTimeoutMs: 5_000,
  messageTimeoutMs: 60_000,
  overloadTimeoutMs: 10_000,
  closeGraceMs: 10_000,
  maxMessageBytes: 4_194_304,
  maxEventBytes: 1_048_576,
  maxHelloBytes: 65_536,
  maxUncommittedBytes: 4_194_304,
  highWaterMarkBytes: 65_536,
  maxBufferedBytes: 1_048_576,
  maxUnfinishedBytes: 67_108_864,
  maxRosterBytes: 4_194_304,
  maxOpening: 1_000,
  maxFaults: 16,
  maxUrlChars: 8_192,
  retryAfterSeconds: 1,
};
const names = Object.keys(DEFAULTS) as (keyof typeof DEFAULTS)[];

describe('the options', () => {
  it('have these defaults', () => {
    expect(resolveBindingOptions(given)).toMatchObject(DEFAULTS);
  });

  it.each(names.filter((name) => name !== 'retryAfterSeconds'))('take any number above 0 for %s, and Infinity for off', (name) => {
    const off = name === 'pingMs' ? { idleTimeoutMs: Infinity } : {};
    expect(resolveBindingOptions({ ...given, ...off, [name]: Infinity })[name]).toBe(Infinity);
    for (const value of [0, -1, NaN, -Infinity, '5' as never]) expect(() => resolveBindingOptions({ ...given, [name]: value })).toThrow(RangeError);
  });

  it('take no wait that a timer cannot count', () => {
    expect(() => resolveBindingOptions({ ...given, closeGraceMs: 2 ** 31 })).toThrow(RangeError);
    expect(resolveBindingOptions({ ...given, closeGraceMs: 2 ** 31 - 1 }).closeGraceMs).toBe(2 ** 31 - 1);
  });

  it('refuse what makes no sense together', () => {
    expect(() => resolveBindingOptions({ ...given, pingMs: 90_000 })).toThrow(/idleTimeoutMs/);
    expect(() => resolveBindingOptions({ ...given, retryAfterSeconds: 0.5 })).toThrow(RangeError);
    expect(resolveBindingOptions({ ...given, retryAfterSeconds: 0 }).retryAfterSeconds).toBe(0);
    expect(() => resolveBindingOptions({ ...given, identity: { agent: '' } })).toThrow(TypeError);
  });

  it('leave room for the largest Event', () => {
    expect(resolveBindingOptions({ ...given, maxEventBytes: 10_000_000 }).maxMessageBytes).toBe(10_000_000);
    expect(resolveBindingOptions({ ...given, maxEventBytes: 10_000_000, maxMessageBytes: 5 }).maxMessageBytes).toBe(5);
  });

  it('tell nobody and use the timers of the platform where nothing is given', async () => {
    const { timers, now, onIncident, onRefusal } = resolveBindingOptions(given);
    onIncident({ connection: 'x', error: 1 });
    onRefusal({ status: 401, error: 'unauthorized' });
    expect(now()).toBeLessThanOrEqual(now());
    await new Promise<void>((resolve) => {
      timers.clearTimeout(timers.setTimeout(() => expect.unreachable(), 0));
      timers.setTimeout(resolve, 1);
      // Keeps the process for the one above, which does not.
      setTimeout(() => undefined, 50);
    });
  });
});
