import { describe, expect, it } from 'vitest';

import { resolveBindingOptions } from '../src/binding-options.js';
import { resolveConsumerOptions, type SseConsumerOptions } from '../src/consumer-options.js';

describe('resolveBindingOptions', () => {
  const resolve = (options: object) => resolveBindingOptions({ hub: {} as never, access: {} as never, ...options });

  it('has these defaults', () => {
    expect(resolve({})).toMatchObject({
      heartbeatMs: 15_000,
      highWaterMarkBytes: 65_536,
      closeGraceMs: 2_000,
      drainMs: 30_000,
      maxQueryChars: 65_536,
      retryAfterSeconds: 1,
    });
  });

  it.each([
    { heartbeatMs: 0 },
    { heartbeatMs: 30_001 },
    { heartbeatMs: Number.NaN },
    { highWaterMarkBytes: 0 },
    { closeGraceMs: -1 },
    { closeGraceMs: 2 ** 31 },
    { drainMs: -1 },
    { maxQueryChars: 0 },
    { retryAfterSeconds: -1 },
    { retryAfterSeconds: 1.5 },
  ])('refuses %j', (options) => {
    expect(() => resolve(options)).toThrow(RangeError);
  });

  it('takes Infinity for off', () => {
    const off = { heartbeatMs: Infinity, highWaterMarkBytes: Infinity, closeGraceMs: Infinity, drainMs: Infinity, maxQueryChars: Infinity };
    expect(resolve(off)).toMatchObject(off);
  });
});

describe('resolveConsumerOptions', () => {
  const resolve = (options: Partial<SseConsumerOptions>) => resolveConsumerOptions({ url: 'http://127.0.0.1/stream', ...options });

  it('has these defaults', () => {
    expect(resolve({})).toMatchObject({
      live: true,
      resume: 'all',
      heartbeatTimeoutMs: 45_000,
      connectTimeoutMs: 15_000,
      minBackoffMs: 500,
      maxBackoffMs: 30_000,
      maxRetryAfterMs: 300_000,
      maxSeen: 50_000,
      maxSessions: 10_000,
      maxMessageBytes: 4_194_304,
      maxUrlChars: 7_500,
    });
  });

  it.each<Partial<SseConsumerOptions>>([
    { heartbeatTimeoutMs: 0 },
    { connectTimeoutMs: -1 },
    { minBackoffMs: 2, maxBackoffMs: 1 },
    { maxSeen: 0 },
    { maxSessions: Number.NaN },
    { sessions: [] },
  ])('refuses %j', (options) => {
    expect(() => resolve(options)).toThrow(RangeError);
  });

  it.each<Partial<SseConsumerOptions>>([
    { url: 'ftp://127.0.0.1/stream' },
    { url: '/stream' },
    { url: 'http://me:secret@127.0.0.1/stream' },
    { url: 'http://127.0.0.1/stream?from=all' },
    { url: 'http://127.0.0.1/stream?filter={}' },
    { sessions: ['a'], filter: '{}' },
    { sessions: ['a'], filter: { session: 'b' } },
  ])('refuses %j as a contradiction', (options) => {
    expect(() => resolve(options)).toThrow(TypeError);
  });

  it('sends a token in the header, and lets no other header take its place [B-173]', () => {
    expect(resolve({ token: 'secret', headers: { 'X-A': '1', Authorization: 'other', ACCEPT: '*/*' } }).headers).toEqual({ 'x-a': '1', accept: 'text/event-stream', authorization: 'Bearer secret' });
    expect(resolve({ token: 'secret' }).url).not.toContain('secret');
  });

  it('leaves the object it is given alone', () => {
    const filter = Object.freeze({ agent: 'a' });
    const options = Object.freeze({ filter, sessions: Object.freeze(['s']) });
    expect(resolve(options).filter).toBe('{"agent":"a","session":["s"]}');
  });
});
