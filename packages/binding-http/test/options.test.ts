import { describe, expect, it } from 'vitest';

import { resolveOptions } from '../src/options.js';
import { httpBinding, type HttpBindingOptions } from '../src/server.js';

const base = { hub: {} as HttpBindingOptions['hub'], access: {} as HttpBindingOptions['access'] };

describe('resolveOptions', () => {
  it('fills in the documented defaults', () => {
    expect(resolveOptions(base)).toMatchObject({
      endpoints: { events: '/events' },
      maxEventBytes: 1_048_576,
      maxBodyBytes: 16_777_216,
      maxLines: 10_000,
      maxPendingBytes: 268_435_456,
      bodyTimeoutMs: 60_000,
      lingerMs: 3_000,
      lingerBytes: 67_108_864,
      retryAfterSeconds: 1,
    });
  });

  it('does not change what it is given', () => {
    const options = Object.freeze({ ...base, endpoints: Object.freeze({ stream: '/stream' }) });
    expect(resolveOptions(options).endpoints).toEqual({ events: '/events', stream: '/stream' });
  });

  it('takes Infinity for off', () => {
    const off = { maxEventBytes: Infinity, maxBodyBytes: Infinity, maxLines: Infinity, maxPendingBytes: Infinity, bodyTimeoutMs: Infinity, lingerMs: Infinity, lingerBytes: Infinity };
    expect(resolveOptions({ ...base, ...off })).toMatchObject(off);
  });

  it.each<[Partial<HttpBindingOptions>]>([
    [{ maxEventBytes: 0 }],
    [{ maxBodyBytes: 1.5 }],
    [{ maxLines: -1 }],
    [{ maxPendingBytes: Number.NaN }],
    [{ maxPendingBytes: 1_000 }],
    [{ bodyTimeoutMs: 0 }],
    [{ bodyTimeoutMs: 2_147_483_648 }],
    [{ lingerMs: -1 }],
    [{ lingerBytes: '1' as never }],
    [{ retryAfterSeconds: Infinity }],
    [{ retryAfterSeconds: 0.5 }],
  ])('refuses %j at construction', (options) => {
    expect(() => httpBinding({ ...base, ...options })).toThrow(RangeError);
  });

  it.each([['events'], ['//h/events'], ['ftp://h/events'], ['javascript:x'], [''], ['http://']])('refuses %j as an endpoint: it would not mean the same everywhere', (reference) => {
    expect(() => httpBinding({ ...base, endpoints: { stream: reference } })).toThrow(TypeError);
  });

  it.each([['/p/events'], ['https://h/events'], ['wss://h/socket'], ['/events?x=1']])('takes %j as an endpoint', (reference) => {
    expect(resolveOptions({ ...base, endpoints: { socket: reference } }).endpoints.socket).toBe(reference);
  });
});
