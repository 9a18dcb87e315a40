import { manualClock, turn } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { discover, DiscoverError, type DiscoverOptions } from '../src/client.js';

const DOCUMENT = { aep: ['0.1'], endpoints: { events: '/events' } };

async function read(document: unknown, url = 'http://h:1/p/events', options: DiscoverOptions = {}): ReturnType<typeof discover> {
  const body = typeof document === 'string' ? document : JSON.stringify(document);
  return discover(url, { fetch: () => Promise.resolve(new Response(body)), ...options });
}

async function failure(promise: Promise<unknown>): Promise<DiscoverError> {
  const error: unknown = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(DiscoverError);
  return error as DiscoverError;
}

describe('discover', () => {
  it('reads a whole document', async () => {
    const document = {
      aep: ['0.1', '0.2'],
      role: 'collector',
      endpoints: { events: '/events', stream: '/stream', socket: '/socket' },
      capabilities: { filters: ['attr-match'], replay: { buffer: 10, all: true } },
    };
    expect(await read(document)).toEqual({
      url: 'http://h:1/p/events',
      versions: ['0.1', '0.2'],
      role: 'collector',
      endpoints: { events: 'http://h:1/events', stream: 'http://h:1/stream', socket: 'ws://h:1/socket' },
      capabilities: document.capabilities,
      document,
    });
  });

  it('resolves references against the URL of the document, behind redirects', async () => {
    const endpoints = { events: 'events', stream: '../stream?x=1', socket: 'wss://other/socket' };
    expect((await read({ aep: [], endpoints }, 'https://h/a/b/events')).endpoints).toEqual({
      events: 'https://h/a/b/events',
      stream: 'https://h/a/stream?x=1',
      socket: 'wss://other/socket',
    });
    const moved = Object.defineProperty(new Response(JSON.stringify(DOCUMENT)), 'url', { value: 'https://elsewhere/x/events' });
    expect(await discover('http://h/events', { fetch: () => Promise.resolve(moved) })).toMatchObject({
      url: 'https://elsewhere/x/events',
      endpoints: { events: 'https://elsewhere/events' },
    });
    expect((await read({ aep: [], endpoints: { socket: 'https://h/socket' } })).endpoints).toEqual({ socket: 'wss://h/socket' });
  });

  it('ignores members it does not know, wherever they stand, and does without all but two [B-052, B-053]', async () => {
    const plain = await read(DOCUMENT);
    const odd = await read({ ...DOCUMENT, future: { x: 1 }, endpoints: { ...DOCUMENT.endpoints, quic: 7 }, capabilities: { future: [] } });
    expect(plain).toMatchObject({ versions: ['0.1'], endpoints: { events: 'http://h:1/events' } });
    expect('role' in plain || 'capabilities' in plain).toBe(false);
    expect(odd.endpoints).toEqual(plain.endpoints);
    expect(odd.document.future).toEqual({ x: 1 });
  });

  it.each<[string, unknown]>([
    ['no JSON', '<html>'],
    ['an array', []],
    ['a member named twice', '{"aep":["0.1"],"aep":[],"endpoints":{}}'],
    ['no aep', { endpoints: {} }],
    ['an aep that is a string', { aep: '0.1', endpoints: {} }],
    ['numbers in aep', { aep: [0.1], endpoints: {} }],
    ['no endpoints', { aep: ['0.1'] }],
    ['endpoints that are a list', { aep: ['0.1'], endpoints: [] }],
    ['an endpoint that is no text', { aep: ['0.1'], endpoints: { events: 1 } }],
    ['an endpoint with another scheme', { aep: ['0.1'], endpoints: { events: 'javascript:alert(1)' } }],
    ['a stream over WebSocket', { aep: ['0.1'], endpoints: { stream: 'ws://h/stream' } }],
    ['an endpoint that is no reference', { aep: ['0.1'], endpoints: { events: 'http://[' } }],
    ['a role that is no text', { ...DOCUMENT, role: 1 }],
    ['capabilities that are text', { ...DOCUMENT, capabilities: 'x' }],
  ])('refuses a document with %s', async (_name, document) => {
    expect(await failure(read(document))).toMatchObject({ code: 'invalid-document', status: 200 });
  });

  it.each([
    [401, 'unauthorized'],
    [403, 'unauthorized'],
    [404, 'not-found'],
    [204, 'not-found'],
    [500, 'not-found'],
  ])('takes %i for %s', async (status, code) => {
    const fetch = (): Promise<Response> => Promise.resolve(new Response(null, { status }));
    expect(await failure(discover('http://h/events', { fetch }))).toMatchObject({ code, status });
  });

  it('bounds the document, at the limit and beside it', async () => {
    const size = JSON.stringify(DOCUMENT).length;
    await read(DOCUMENT, undefined, { maxBytes: size + 1 });
    await read(DOCUMENT, undefined, { maxBytes: size });
    expect((await failure(read(DOCUMENT, undefined, { maxBytes: size - 1 }))).code).toBe('invalid-document');
  });

  it('sends the token as a header and keeps it out of errors', async () => {
    let headers: unknown;
    const fetch = (_url: string, init: RequestInit): Promise<Response> => {
      headers = init.headers;
      return Promise.reject(new Error('refused'));
    };
    const error = await failure(discover('http://h/events', { token: 'SECRET', fetch }));
    expect(headers).toEqual({ accept: 'application/json', authorization: 'Bearer SECRET' });
    expect(error.code).toBe('network');
    expect(JSON.stringify([error, error.message, error.stack])).not.toContain('SECRET');
    await expect(discover('http://h/events', { token: 'a b', fetch })).rejects.toThrow(TypeError);
  });

  it('waits no longer than allowed, and no longer than the caller', async () => {
    const fetch = (_url: string, init: RequestInit): Promise<Response> =>
      new Promise((_resolve, reject) => {
        init.signal?.addEventListener('abort', () => {
          reject(new Error('aborted'));
        });
      });
    const clock = manualClock();
    const late = failure(discover('http://h/events', { fetch, timers: clock, timeoutMs: 50 }));
    await clock.advance(50);
    expect((await late).code).toBe('network');
    const caller = new AbortController();
    const left = failure(discover('http://h/events', { fetch, timers: clock, signal: caller.signal }));
    await turn();
    caller.abort('enough');
    expect(await left).toMatchObject({ code: 'aborted', cause: 'enough' });
    expect(clock.pending()).toBe(0);
  });
});
