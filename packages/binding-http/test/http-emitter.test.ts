import { manualClock, buildEvent, buildWire, turn, type ManualClock } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { HttpEmitError, HttpEmitter, type HttpEmitterOptions, type HttpRetry } from '../src/client.js';

interface Seen {
  readonly url: string;
  readonly init: RequestInit & { readonly headers: Record<string, string> };
  readonly body: string;
}

type Step = Response | Error | 'hang' | ((seen: Seen) => Response | Promise<Response>);

interface Setup {
  readonly emitter: HttpEmitter;
  readonly seen: Seen[];
  readonly clock: ManualClock;
  readonly retries: HttpRetry[];
}

/** An emitter whose endpoint answers as told, step by step; then 202. */
function setup(steps: Step[] = [], options: Partial<HttpEmitterOptions> = {}): Setup {
  const clock = manualClock();
  const seen: Seen[] = [];
  const retries: HttpRetry[] = [];
  const emitter = new HttpEmitter({
    url: 'http://127.0.0.1:1/events',
    now: clock.now,
    timers: clock,
    random: () => 0,
    baseDelayMs: 100,
    onRetry: (retry) => retries.push(retry),
    fetch: async (url, init) => {
      const entry = { url, init: init as Seen['init'], body: new TextDecoder().decode(init.body as Uint8Array) };
      seen.push(entry);
      const step = steps.shift() ?? accepted();
      if (step === 'hang') {
        return new Promise((_resolve, reject) => {
          init.signal?.addEventListener('abort', () => {
            reject(new Error('aborted'));
          });
        });
      }
      if (step instanceof Error) throw step;
      return typeof step === 'function' ? step(entry) : step;
    },
    ...options,
  });
  return { emitter, seen, clock, retries };
}

function accepted(): Response {
  return Response.json({ accepted: 1 }, { status: 202 });
}

function says(status: number, body: object = {}, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers });
}

async function failure(promise: Promise<unknown>): Promise<HttpEmitError> {
  const error: unknown = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(HttpEmitError);
  return error as HttpEmitError;
}

describe('HttpEmitter', () => {
  it('posts one Event as JSON with version and token, and never follows a redirect [B-021, B-173]', async () => {
    const { emitter, seen } = setup([], { token: 'tok' });
    const event = buildWire();
    expect(await emitter.send(event)).toEqual({ accepted: 1, requests: 1 });
    expect(seen).toMatchObject([
      {
        url: 'http://127.0.0.1:1/events',
        body: event.json,
        init: {
          method: 'POST',
          redirect: 'manual',
          credentials: 'omit',
          headers: { 'content-type': 'application/json', 'aep-version': '0.1', authorization: 'Bearer tok' },
        },
      },
    ]);
  });

  it('states the version on every request, repeats and later batches included [B-021]', async () => {
    const { emitter, seen, clock } = setup([says(503)], { maxBatchEvents: 1 });
    const sent = emitter.send([buildWire(), buildWire()]);
    await clock.advance(1_000);
    await sent;
    expect(seen.map(({ init }) => init.headers['aep-version'])).toEqual(['0.1', '0.1', '0.1']);
  });

  it('sends no authorization without a token', async () => {
    const { emitter, seen } = setup();
    await emitter.send(buildEvent());
    expect(Object.keys(seen[0]!.init.headers)).toEqual(['content-type', 'aep-version']);
  });

  it('makes no request for no Event', async () => {
    const { emitter, seen } = setup();
    expect(await emitter.send([])).toEqual({ accepted: 0, requests: 0 });
    expect(seen).toEqual([]);
  });

  it('splits by count and by bytes and keeps the order', async () => {
    const events = Array.from({ length: 5 }, () => buildWire());
    const byCount = setup([], { maxBatchEvents: 2 });
    expect(await byCount.emitter.send(events)).toEqual({ accepted: 5, requests: 3 });
    expect(byCount.seen.map(({ body }) => body)).toEqual([
      `${events[0]!.json}\n${events[1]!.json}\n`,
      `${events[2]!.json}\n${events[3]!.json}\n`,
      events[4]!.json,
    ]);
    const byBytes = setup([], { maxBatchBytes: events[0]!.json.length * 2 + 4 });
    await byBytes.emitter.send(events);
    expect(byBytes.seen).toHaveLength(3);
  });

  it.each<[string, () => Step, number | undefined]>([
    ['a network failure', () => new TypeError('fetch failed'), undefined],
    ['500', () => says(500), 500],
    ['502 with a page of a proxy', () => new Response('<html>', { status: 502 }), 502],
    ['503', () => says(503), 503],
    ['504', () => says(504), 504],
    ['429', () => says(429), 429],
    ['408', () => says(408), 408],
  ])('sends the same bytes again after %s [B-030]', async (_name, step, status) => {
    const { emitter, seen, clock, retries } = setup([step(), step()]);
    const events = [buildWire(), buildWire()];
    const sent = emitter.send(events);
    await clock.advance(10_000);
    expect(await sent).toEqual({ accepted: 2, requests: 3 });
    expect(new Set(seen.map(({ body }) => body))).toEqual(new Set([`${events[0]!.json}\n${events[1]!.json}\n`]));
    expect(seen).toHaveLength(3);
    expect(retries).toEqual([
      { attempt: 1, delayMs: 50, ...(status === undefined ? {} : { status }) },
      { attempt: 2, delayMs: 100, ...(status === undefined ? {} : { status }) },
    ]);
    expect(clock.pending()).toBe(0);
  });

  it('serialises an Event built in code once, so that a repeat has the same id and the same bytes [B-030]', async () => {
    const { emitter, seen, clock } = setup([says(503)]);
    const event = buildEvent();
    const sent = emitter.send(event);
    (event as { id: string }).id = 'changed';
    await clock.advance(1_000);
    await sent;
    expect(seen[1]!.body).toBe(seen[0]!.body);
    expect(seen[0]!.body).not.toContain('changed');
  });

  it('waits as long as Retry-After asks, in seconds or as a date', async () => {
    const date = new Date(Date.UTC(2026, 0, 1, 0, 0, 20)).toUTCString();
    const { emitter, seen, clock } = setup([says(429, {}, { 'retry-after': '7' }), says(503, {}, { 'retry-after': date })]);
    const sent = emitter.send(buildWire());
    await clock.advance(7_000);
    expect(seen).toHaveLength(1);
    await clock.advance(50);
    expect(seen).toHaveLength(2);
    await clock.advance(12_900);
    expect(seen).toHaveLength(2);
    await clock.advance(200);
    expect(seen).toHaveLength(3);
    await sent;
  });

  it('gives up at once when Retry-After asks for more than the time it has', async () => {
    const { emitter, seen } = setup([says(503, { error: 'unavailable' }, { 'retry-after': '61' })]);
    const error = await failure(emitter.send(buildWire()));
    expect(error).toMatchObject({ code: 'unavailable', status: 503, reason: 'unavailable', retryAfterMs: 61_000, attempts: 1, accepted: 0 });
    expect(seen).toHaveLength(1);
  });

  it.each<[string, () => Step, string]>([
    ['no answer', () => new TypeError('fetch failed'), 'network'],
    ['503', () => says(503), 'unavailable'],
    ['429', () => says(429), 'overloaded'],
    ['408', () => says(408), 'network'],
  ])('gives up after the last attempt on %s', async (_name, step, code) => {
    const { emitter, seen, clock } = setup([step(), step(), step(), step()], { maxAttempts: 3 });
    const failed = failure(emitter.send(buildWire()));
    await clock.advance(60_000);
    expect(await failed).toMatchObject({ code, attempts: 3 });
    expect(seen).toHaveLength(3);
  });

  it('gives up when the time is over, however many attempts are left', async () => {
    const { emitter, seen, clock } = setup(Array.from({ length: 50 }, () => says(503)), { maxAttempts: Infinity, maxRetryMs: 1_000, maxDelayMs: 400 });
    const failed = failure(emitter.send(buildWire()));
    await clock.advance(5_000);
    expect(await failed).toMatchObject({ code: 'unavailable' });
    expect(seen).toHaveLength(7);
  });

  it('keeps the cause of a network failure', async () => {
    const cause = new TypeError('fetch failed');
    const { emitter } = setup([cause], { maxAttempts: 1 });
    expect((await failure(emitter.send(buildWire()))).cause).toBe(cause);
  });

  it('tries again when a request takes too long', async () => {
    const { emitter, seen, clock } = setup(['hang'], { requestTimeoutMs: 5_000 });
    const sent = emitter.send(buildWire());
    await clock.advance(5_100);
    expect(await sent).toEqual({ accepted: 1, requests: 2 });
    expect(seen).toHaveLength(2);
    expect(clock.pending()).toBe(0);
  });

  it.each<[number, string]>([
    [400, 'invalid-event'],
    [401, 'unauthorized'],
    [403, 'forbidden'],
    [404, 'refused'],
    [405, 'refused'],
    [413, 'too-large'],
    [415, 'unsupported-media-type'],
    [421, 'refused'],
    [426, 'unsupported-version'],
    [200, 'unexpected-answer'],
    [207, 'unexpected-answer'],
    [302, 'unexpected-answer'],
  ])('takes %i as final: %s', async (status, code) => {
    const { emitter, seen } = setup([says(status, { error: 'token', detail: 'text' })]);
    expect(await failure(emitter.send(buildWire()))).toMatchObject({ code, status, reason: 'token', detail: 'text', attempts: 1 });
    expect(seen).toHaveLength(1);
  });

  it('takes a redirect as a browser shows it for what it is', async () => {
    const opaque = Object.defineProperty(new Response(null), 'status', { value: 0 });
    const { emitter } = setup([opaque]);
    expect(await failure(emitter.send(buildWire()))).toMatchObject({ code: 'unexpected-answer', status: 0 });
  });

  it('tells which versions the endpoint speaks', async () => {
    const { emitter } = setup([says(426, { versions: ['0.2', 7, '1.0'] })]);
    expect(await failure(emitter.send(buildWire()))).toMatchObject({ code: 'unsupported-version', versions: ['0.2', '1.0'] });
  });

  it('says which Event is to blame and how many were acknowledged before', async () => {
    const { emitter, seen } = setup([accepted(), says(400, { error: 'invalid-event', detail: 'no id', index: 1 })], { maxBatchEvents: 2 });
    const error = await failure(emitter.send(Array.from({ length: 6 }, () => buildWire())));
    expect(error).toMatchObject({ code: 'invalid-event', index: 3, accepted: 2, detail: 'no id' });
    expect(seen).toHaveLength(2);
  });

  it('halves a batch that is too large, down to one Event, and keeps the order', async () => {
    const limit = ({ body }: Seen): Response => (body.split('\n').length > 3 ? says(413) : accepted());
    const { emitter, seen } = setup(Array.from({ length: 9 }, () => limit));
    const events = Array.from({ length: 5 }, () => buildWire());
    expect(await emitter.send(events)).toEqual({ accepted: 5, requests: 5 });
    expect(seen.map(({ body }) => body.trim().split('\n').length)).toEqual([5, 3, 2, 1, 2]);
    const passed = seen.filter(({ body }) => body.split('\n').length <= 3).flatMap(({ body }) => body.trim().split('\n'));
    expect(passed).toEqual(events.map(({ json }) => json));
  });

  it('names the one Event that is too large', async () => {
    const { emitter } = setup([says(413), says(413), accepted(), says(413)]);
    expect(await failure(emitter.send([buildWire(), buildWire(), buildWire()]))).toMatchObject({ code: 'too-large', index: 1, accepted: 1 });
  });

  it('has one request on its way at a time, in the order of the calls', async () => {
    const { emitter, seen, clock } = setup(['hang'], { requestTimeoutMs: 1_000 });
    const [one, two] = [buildWire(), buildWire()];
    const both = [emitter.send(one), emitter.send(two)];
    await clock.advance(999);
    expect(seen).toHaveLength(1);
    await clock.advance(200);
    await Promise.all(both);
    expect(seen.map(({ body }) => body)).toEqual([one.json, one.json, two.json]);
  });

  it('goes on behind a call that failed', async () => {
    const { emitter } = setup([says(400)]);
    const first = failure(emitter.send(buildWire()));
    const second = emitter.send(buildWire());
    expect((await first).code).toBe('invalid-event');
    expect(await second).toEqual({ accepted: 1, requests: 1 });
  });

  it('sends nothing and throws EnvelopeError for an Event that does not hold', async () => {
    const { emitter, seen } = setup();
    await expect(emitter.send([buildEvent(), buildEvent({ id: '' })])).rejects.toMatchObject({ name: 'EnvelopeError' });
    expect(seen).toEqual([]);
    expect(emitter.queuedBytes).toBe(0);
  });

  it('stops when the caller gives up: on its way, in a pause, in the queue, before the start', async () => {
    const onItsWay = setup(['hang']);
    const controller = new AbortController();
    const failed = failure(onItsWay.emitter.send(buildWire(), { signal: controller.signal }));
    await turn();
    controller.abort('enough');
    expect(await failed).toMatchObject({ code: 'aborted', cause: 'enough', attempts: 1 });
    expect(onItsWay.clock.pending()).toBe(0);

    const inPause = setup([says(503)]);
    const second = new AbortController();
    const paused = failure(inPause.emitter.send(buildWire(), { signal: second.signal }));
    await turn();
    second.abort();
    expect(await paused).toMatchObject({ code: 'aborted', attempts: 1 });
    expect(inPause.clock.pending()).toBe(0);

    const queued = setup(['hang'], { requestTimeoutMs: Infinity, maxAttempts: 1 });
    const ahead = new AbortController();
    const first = failure(queued.emitter.send(buildWire(), { signal: ahead.signal }));
    const third = new AbortController();
    const waiting = failure(queued.emitter.send(buildWire(), { signal: third.signal }));
    const behind = queued.emitter.send(buildWire());
    await turn();
    third.abort();
    expect(await waiting).toMatchObject({ code: 'aborted', attempts: 0 });
    await turn();
    expect(queued.seen).toHaveLength(1);
    ahead.abort();
    await first;
    expect(await behind).toEqual({ accepted: 1, requests: 1 });

    const never = setup();
    expect(await failure(never.emitter.send(buildWire(), { signal: AbortSignal.abort() }))).toMatchObject({ code: 'aborted' });
    expect(never.seen).toEqual([]);
  });

  it('counts what an abort arrives too late for as accepted', async () => {
    const controller = new AbortController();
    const { emitter } = setup([
      () => {
        controller.abort();
        return accepted();
      },
    ]);
    expect(await emitter.send(buildWire(), { signal: controller.signal })).toEqual({ accepted: 1, requests: 1 });
  });

  it('bounds what waits, by bytes, and lets go of what is done', async () => {
    const event = buildWire();
    const { emitter, clock } = setup(['hang'], { maxQueuedBytes: event.json.length * 2, requestTimeoutMs: 10 });
    const sent = [emitter.send(event), emitter.send(event)];
    expect(emitter.queuedBytes).toBe(event.json.length * 2);
    expect((await failure(emitter.send(event))).code).toBe('queue-full');
    await clock.advance(1_000);
    await Promise.all(sent);
    expect(emitter.queuedBytes).toBe(0);
    expect(await emitter.send([event, event])).toMatchObject({ accepted: 2 });
  });

  it('never shows the token, even when the endpoint repeats it', async () => {
    const token = 'SECRET-token';
    const { emitter } = setup([says(403, { error: `no ${token}`, detail: `Bearer ${token} is not allowed` })], { token });
    const error = await failure(emitter.send(buildWire()));
    expect(error.detail).toBe('Bearer [token] is not allowed');
    expect(JSON.stringify([error, error.message, error.stack, String(error.cause)])).not.toContain('SECRET');
    expect(JSON.stringify(emitter)).not.toContain('SECRET');
  });

  it.each<[string, () => Response]>([
    ['no JSON', () => new Response('<h1>no</h1>', { status: 400 })],
    ['an array', () => new Response('[1]', { status: 400 })],
    ['members of another type', () => says(400, { error: 1, detail: {}, index: '3', versions: 'x' })],
    ['a place that cannot be', () => says(400, { index: -1 })],
    ['a prototype', () => new Response('{"__proto__":{"detail":"x"}}', { status: 400 })],
    ['nothing', () => new Response(null, { status: 400 })],
    ['far too much', () => says(400, { detail: 'x'.repeat(100_000) })],
  ])('makes nothing of a body that is %s', async (_name, response) => {
    const { emitter } = setup([response()]);
    const error = await failure(emitter.send([buildWire(), buildWire()]));
    expect(error).toMatchObject({ code: 'invalid-event', status: 400, index: undefined, versions: undefined, detail: undefined, reason: undefined });
  });

  it('cuts a long detail', async () => {
    const { emitter } = setup([says(400, { detail: 'x'.repeat(5_000) })]);
    expect((await failure(emitter.send(buildWire()))).detail).toHaveLength(1_000);
  });

  it('takes the status for the answer when the body breaks off', async () => {
    const broken = (status: number): Response =>
      new Response(
        new ReadableStream({
          pull(controller) {
            controller.error(new Error('reset'));
          },
        }),
        { status },
      );
    expect(await setup([broken(202)]).emitter.send(buildWire())).toEqual({ accepted: 1, requests: 1 });
    expect(await failure(setup([broken(400)]).emitter.send(buildWire()))).toMatchObject({ code: 'invalid-event' });
  });

  it('is not stopped by a counter that throws', async () => {
    const { emitter, clock } = setup([says(503)], {
      onRetry: () => {
        throw new Error('counter');
      },
    });
    const sent = emitter.send(buildWire());
    await clock.advance(1_000);
    expect(await sent).toMatchObject({ accepted: 1 });
  });

  it.each<[Partial<HttpEmitterOptions>]>([
    [{ maxBatchEvents: 0 }],
    [{ maxBatchBytes: 0.5 }],
    [{ maxQueuedBytes: -1 }],
    [{ maxAttempts: 0 }],
    [{ maxRetryMs: Number.NaN }],
    [{ requestTimeoutMs: 0 }],
    [{ baseDelayMs: -1 }],
    [{ maxDelayMs: '1' as never }],
  ])('refuses %j at construction', (options) => {
    expect(() => new HttpEmitter({ url: 'http://h/events', ...options })).toThrow(RangeError);
  });

  it.each<[Partial<HttpEmitterOptions>]>([[{ url: 'nowhere' }], [{ url: 'http://a:b@h/' }], [{ token: 'a b' }]])('refuses %j at construction', (options) => {
    expect(() => new HttpEmitter({ url: 'http://h/events', ...options })).toThrow(TypeError);
  });
});
