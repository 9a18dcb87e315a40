import { buildWire, type EventOverrides } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { type SavedPosition, SseConsumer, SseConsumerError } from '../src/client.js';
import { scripted, settle } from './scripted.js';

const at = (seq: number, overrides: EventOverrides = {}) => buildWire({ id: `${(overrides.session as string | undefined) ?? 's1'}-${seq}`, seq, ...overrides });
const from = (url: URL): unknown => {
  const value = url.searchParams.get('from');
  return value?.startsWith('[') === true ? JSON.parse(value) : value;
};

describe('SseConsumer', () => {
  it('asks for an event stream and gives what comes [B-034]', async () => {
    const { next, items, consumer, run } = scripted({ token: 'secret', filter: { agent: 'a1' }, capture: 'none' });
    const request = await next();
    expect(request.headers).toEqual({ accept: 'text/event-stream', authorization: 'Bearer secret' });
    expect(Object.fromEntries(request.url.searchParams)).toEqual({ filter: '{"agent":"a1"}', capture: 'none' });
    request.open();
    const event = at(1);
    const unplaced = buildWire({ type: 'control.cancel', seq: undefined });
    request.send(': stream\n\n', event, unplaced);
    await settle();
    expect(items).toEqual([
      { type: 'open', resume: 'live' },
      { type: 'event', event, position: { session: 's1', epoch: 0, seq: 1 }, replaces: false },
      { type: 'event', event: unplaced, replaces: false },
    ]);
    consumer.close();
    await run;
    expect(request.signal.aborted).toBe(true);
  });

  it('gives the text as it came, digits and separators included', async () => {
    const { next, of, consumer } = scripted();
    const json = '{"aep":"0.1","id":"1","type":"x.acme.build.done","time":"2026-01-01T00:00:00Z","source":"s:","agent":"a","session":"s1","seq":1,"data":{"n":2512292042121000001,"t":"a\u2028b\u0085c"}}';
    const request = await next();
    request.open();
    for (const byte of Buffer.from(`event: x\ndata: ${json}\n\n`)) request.send(Uint8Array.of(byte));
    await settle();
    expect(of('event').map((item) => item.event.json)).toEqual([json]);
    consumer.close();
  });

  it('drops a repeat, and lets a richer copy replace a poorer one', async () => {
    const { next, of, consumer } = scripted();
    const request = await next();
    request.open();
    request.send(at(1, { capture: 'none', data: undefined }), at(1, { capture: 'none', data: undefined }), at(1), at(1));
    await settle();
    expect(of('event').map((item) => item.replaces)).toEqual([false, true]);
    expect(consumer.stats()).toEqual({ events: 2, duplicates: 2, replaced: 1, invalid: 0, opened: 1 });
    consumer.close();
  });

  it('gives out what was sent again where a hop asks for it, and not what a replay brings again [B-110]', async () => {
    const { next, again, of, consumer } = scripted({ from: 'all', redeliveries: true });
    const first = await next();
    first.open();
    first.send(at(1), at(2), at(1));
    await settle();
    first.cut();
    const second = await again();
    second.open();
    second.send(at(1), at(2), at(3), at(2));
    await settle();
    expect(of('event').map(({ event, redelivered = false }) => [event.event.id, redelivered])).toEqual([
      ['s1-1', false],
      ['s1-2', false],
      ['s1-1', true],
      ['s1-3', false],
      ['s1-2', true],
    ]);
    expect(consumer.stats()).toMatchObject({ events: 3, duplicates: 4 });
    expect(consumer.positions()).toMatchObject([{ session: 's1', seq: 3 }]);
    consumer.close();
  });

  it('tells of a message that is no Event and reads on', async () => {
    const { next, of, ids, consumer } = scripted();
    const request = await next();
    request.open();
    request.send('data: {"aep":"0.1"}\n\n', 'data: nonsense\n\n', `data: ${at(1).json.replace('"0.1"', '"9.9"')}\n\n`, Buffer.from('data: \xff\n\n', 'latin1'), at(2));
    await settle();
    expect(of('invalid').map(({ code }) => code)).toEqual([expect.any(String), 'invalid-json', 'unsupported-version', 'invalid-utf8']);
    expect(ids()).toEqual(['s1-2']);
    expect(consumer.stats().invalid).toBe(4);
    consumer.close();
  });

  describe('comes back', () => {
    it('with everything where the filter names no sessions, and drops what it has [B-001, B-002, B-217]', async () => {
      const { next, again, ids, of, consumer } = scripted({ from: 'all' });
      const first = await next();
      expect(from(first.url)).toBe('all');
      first.open();
      first.send(at(1), at(2));
      await settle();
      first.cut();
      const second = await again();
      expect(from(second.url)).toBe('all');
      second.open();
      second.send(at(1), at(2), at(3), at(0, { session: 'new' }));
      await settle();
      expect(ids()).toEqual(['s1-1', 's1-2', 's1-3', 'new-0']);
      expect(of('closed')).toEqual([{ type: 'closed', reason: 'cut', retryInMs: 375 }]);
      expect(of('gap')).toEqual([]);
      consumer.close();
    });

    it('with its filter, and with positions where that names its sessions [B-043, B-166, E-113]', async () => {
      const { next, again, consumer } = scripted({ filter: { session: ['s1', 's2'] } });
      const first = await next();
      first.open();
      first.send(at(4), at(7, { session: 's2', epoch: 3 }), at(5));
      await settle();
      first.end();
      const second = await again();
      expect(from(second.url)).toEqual([
        { session: 's1', epoch: 0, seq: 5 },
        { session: 's2', epoch: 3, seq: 7 },
      ]);
      for (const { url } of [first, second]) expect(new URL(url).searchParams.get('filter')).toBe('{"session":["s1","s2"]}');
      consumer.close();
    });

    it('behind the last Event that the handler has finished with [B-166]', async () => {
      let release: () => void = () => undefined;
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      const { next, consumer, run } = scripted({ sessions: ['s1'] }, async (item) => {
        if (item.type === 'event' && item.position?.seq === 2) await held;
      });
      const first = await next();
      first.open();
      first.send(at(1), at(2), at(3));
      await settle();
      expect(consumer.positions()).toMatchObject([{ seq: 1 }]);
      consumer.close();
      release();
      await run;
      expect(consumer.positions()).toMatchObject([{ seq: 2 }]);
    });

    it('in a later epoch, which lies wholly behind an earlier one [B-169]', async () => {
      const { next, again, ids, consumer } = scripted({ sessions: ['s1'] });
      const first = await next();
      first.open();
      first.send(at(50, { epoch: 1 }), at(0, { epoch: 2 }));
      await settle();
      first.cut();
      const second = await again();
      expect(from(second.url)).toEqual([{ session: 's1', epoch: 2, seq: 0 }]);
      second.open();
      second.send(at(1, { epoch: 2 }));
      await settle();
      expect(ids()).toEqual(['s1-50', 's1-0', 's1-1']);
      consumer.close();
    });

    it('when nothing comes for too long, however the silence began', async () => {
      const { next, again, clock, of, consumer } = scripted({ heartbeatTimeoutMs: 45_000 });
      const first = await next();
      first.open();
      first.send(': stream\n\n');
      await settle();
      await clock.advance(44_000);
      first.send(': ping\n\n');
      await settle();
      await clock.advance(44_999);
      expect(of('closed')).toEqual([]);
      await clock.advance(1);
      expect(of('closed')).toMatchObject([{ reason: 'silent' }]);
      expect(first.signal.aborted).toBe(true);
      await again();
      consumer.close();
    });

    it('not while a slow handler holds the stream up', async () => {
      let release: () => void = () => undefined;
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      const { next, clock, of, ids, consumer } = scripted({}, (item) => (item.type === 'event' ? held : undefined));
      const request = await next();
      request.open();
      request.send(at(1));
      await settle();
      await clock.advance(300_000);
      release();
      request.send(at(2));
      await settle();
      expect(of('closed')).toEqual([]);
      expect(ids()).toEqual(['s1-1', 's1-2']);
      consumer.close();
    });

    it('when an answer does not come in time, with waits that grow', async () => {
      const { next, again, clock, of, consumer } = scripted({ connectTimeoutMs: 15_000 });
      await next();
      await clock.advance(15_000);
      for (let attempt = 0; attempt < 4; attempt += 1) (await again()).fail(new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } }));
      await settle();
      expect(of('closed')).toEqual([
        { type: 'closed', reason: 'no-answer', detail: 'No answer in time.', retryInMs: 375 },
        ...[750, 1500, 3000, 6000].map((retryInMs) => ({ type: 'closed', reason: 'no-answer', detail: 'ECONNREFUSED', retryInMs })),
      ]);
      consumer.close();
    });

    it('as it first meant to, where it never had a stream', async () => {
      const { next, again, consumer } = scripted({ filter: { agent: 'a1' } });
      (await next()).answer(503);
      expect(from((await again()).url)).toBeNull();
      consumer.close();
    });

    it('quickly again once a stream was of use', async () => {
      const { next, again, of, consumer } = scripted();
      (await next()).fail(new TypeError('x'));
      (await again()).fail(new TypeError('x'));
      const third = await again();
      third.open();
      third.send(at(1));
      await settle();
      third.cut();
      await settle();
      expect(of('closed').map(({ retryInMs }) => retryInMs)).toEqual([375, 750, 375]);
      consumer.close();
    });

    it('ever later to an endpoint that opens streams and drops them', async () => {
      const { next, again, of, consumer } = scripted();
      let request = await next();
      for (let attempt = 0; attempt < 4; attempt += 1) {
        request.open();
        request.send(': stream\n\n');
        await settle();
        request.cut();
        request = await again();
      }
      expect(of('closed').map(({ retryInMs }) => retryInMs)).toEqual([375, 750, 1500, 3000]);
      consumer.close();
    });

    it('after the goodbye of the endpoint, and says what it was', async () => {
      const { next, of, consumer } = scripted();
      const request = await next();
      request.open();
      request.send(at(1), ': slow-consumer\n\n');
      await settle();
      request.end();
      await settle();
      expect(of('closed')).toEqual([{ type: 'closed', reason: 'ended', detail: 'slow-consumer', retryInMs: 375 }]);
      consumer.close();
    });

    it('no sooner than the stream asked for by retry', async () => {
      const { next, of, consumer } = scripted();
      const request = await next();
      request.open();
      request.send('retry: 8000\n\n', at(1));
      await settle();
      request.end();
      await settle();
      expect(of('closed')).toMatchObject([{ retryInMs: 6000 }]);
      consumer.close();
    });

    it.each([
      [503, '20', 20_250],
      [429, '1', 1_250],
      [503, 'Thu, 01 Jan 2026 00:01:00 GMT', 60_250],
      [503, '86400', 300_250],
      [500, undefined, 375],
      [502, 'nonsense', 375],
    ])('to a %i with Retry-After %j in %i ms', async (status, retryAfter, retryInMs) => {
      const { next, of, consumer } = scripted();
      (await next()).answer(status, retryAfter === undefined ? {} : { headers: { 'Retry-After': retryAfter } });
      await settle();
      expect(of('closed')).toEqual([{ type: 'closed', reason: 'unavailable', status, retryInMs }]);
      consumer.close();
    });
  });

  describe('says what it may have missed', () => {
    it('where the endpoint says that it no longer holds what was asked for', async () => {
      const { next, again, items, consumer } = scripted({ sessions: ['a b'] });
      const first = await next();
      first.open();
      first.send(at(3, { session: 'a b' }));
      await settle();
      first.cut();
      const second = await again();
      second.open();
      second.send(': replay-exhausted a b 0:9\n\n', at(9, { session: 'a b' }));
      await settle();
      expect(items.slice(-3).map((item) => (item.type === 'event' ? item.event.event.id : item))).toEqual([
        { type: 'exhausted', session: 'a b', epoch: 0, seq: 9 },
        { type: 'gap', reason: 'exhausted', session: 'a b', after: { epoch: 0, seq: 3 }, earliest: { epoch: 0, seq: 9 } },
        'a b-9',
      ]);
      consumer.close();
    });

    it('where a replay of everything did not reach back far enough', async () => {
      const { next, again, of, consumer } = scripted({ from: 'all' });
      const first = await next();
      first.open();
      first.send(at(3), at(1, { session: 's2' }));
      await settle();
      first.cut();
      const second = await again();
      second.open();
      second.send(at(8), at(9), at(1, { session: 's2' }), at(5, { session: 's2' }));
      await settle();
      const { source } = at(8).event;
      expect(of('gap')).toEqual([{ type: 'gap', reason: 'not-held', source, session: 's1', after: { epoch: 0, seq: 3 }, earliest: { epoch: 0, seq: 8 } }]);
      consumer.close();
    });

    it('where the endpoint has no replay of everything; it falls back to positions, and stays there [B-108]', async () => {
      const { next, again, items, of, consumer } = scripted();
      const first = await next();
      first.open();
      first.send(at(3));
      await settle();
      first.cut();
      const refused = await again();
      expect(from(refused.url)).toBe('all');
      refused.answer(400, { body: '{"error":"invalid-filter","detail":"no"}' });
      const second = await next();
      expect(from(second.url)).toEqual([{ session: 's1', epoch: 0, seq: 3 }]);
      second.open();
      await settle();
      expect(items.slice(-2)).toEqual([{ type: 'open', resume: 'positions' }, { type: 'gap', reason: 'not-listed' }]);
      second.cut();
      expect(from((await again()).url)).toEqual([{ session: 's1', epoch: 0, seq: 3 }]);
      expect(of('refused')).toEqual([]);
      consumer.close();
    });

    it('where a run from the start of everything can only go live', async () => {
      const { next, items, consumer } = scripted({ from: 'all' });
      (await next()).answer(400);
      const second = await next();
      expect(from(second.url)).toBeNull();
      second.open();
      await settle();
      expect(items).toEqual([{ type: 'open', resume: 'live' }, { type: 'gap', reason: 'not-listed' }]);
      consumer.close();
    });
  });

  describe('ends', () => {
    it.each([
      [401, '{"error":"unauthorized","detail":"a bearer token is needed"}', 'unauthorized', 'a bearer token is needed'],
      [403, '{"error":"unauthorized"}', 'unauthorized', 'The endpoint answered 403.'],
      [400, '{"error":"invalid-filter","detail":"filter: no"}', 'invalid-filter', 'filter: no'],
      [404, '<html>', 'refused', 'The endpoint answered 404.'],
      [406, '{"error":7,"detail":null}', 'refused', 'The endpoint answered 406.'],
      [301, '', 'refused', 'The endpoint answered 301.'],
    ])('with a refusal on %i', async (status, body, code, detail) => {
      const { next, items, run } = scripted();
      (await next()).answer(status, { body });
      await run;
      expect(items).toEqual([{ type: 'refused', status, code, detail }]);
    });

    it('with the first refusal where every way to ask was refused', async () => {
      const { next, again, of, run } = scripted();
      const first = await next();
      first.open();
      first.send(at(1));
      await settle();
      first.cut();
      (await again()).answer(400, { body: '{"error":"invalid-filter","detail":"first"}' });
      (await next()).answer(400, { body: '{"error":"invalid-filter","detail":"second"}' });
      (await next()).answer(400, { body: '{"error":"invalid-filter","detail":"third"}' });
      await run;
      expect(of('refused')).toMatchObject([{ detail: 'first' }]);
    });

    it('with a refusal where the answer is no event stream', async () => {
      const { next, items, run } = scripted();
      (await next()).answer(200, { headers: { 'Content-Type': 'text/html' }, body: '<html>' });
      await run;
      expect(items).toMatchObject([{ type: 'refused', status: 200, code: 'not-an-event-stream' }]);
    });

    it('on 204', async () => {
      const { next, items, run } = scripted();
      (await next()).answer(204);
      await run;
      expect(items).toEqual([{ type: 'closed', reason: 'no-content' }]);
    });

    it('on the signal, in the middle of a wait, without an error and without a timer left', async () => {
      const stop = new AbortController();
      const { next, clock, run } = scripted({ signal: stop.signal });
      (await next()).answer(503);
      await settle();
      stop.abort();
      await run;
      expect(clock.pending()).toBe(0);
    });

    it('before it begins, where the signal has come already', async () => {
      const { items, run, requests } = scripted({ signal: AbortSignal.abort() });
      await run;
      expect(items).toEqual([]);
      expect(requests).toEqual([]);
    });

    it('with the error of the handler', async () => {
      const { next, run } = scripted({}, (item) => {
        if (item.type === 'event') throw new Error('mine');
      });
      const request = await next();
      request.open();
      request.send(at(1));
      await expect(run).rejects.toThrow('mine');
      expect(request.signal.aborted).toBe(true);
    });

    it('a replay alone when it is complete [B-103]', async () => {
      const { next, again, ids, of, run } = scripted({ live: false, from: 'all' });
      const first = await next();
      expect(first.url.search).toBe('?live=0&from=all');
      first.open();
      first.send(at(1));
      await settle();
      first.cut();
      const second = await again();
      second.open();
      second.send(at(1), at(2), ': slow-consumer\n\n');
      await settle();
      second.end();
      const third = await again();
      third.open();
      third.send(at(1), at(2), at(3), ': replay-done\n\n');
      await settle();
      third.end();
      await run;
      expect(ids()).toEqual(['s1-1', 's1-2', 's1-3']);
      expect(of('closed').map(({ reason, detail }) => [reason, detail])).toEqual([
        ['cut', undefined],
        ['ended', 'slow-consumer'],
        ['complete', undefined],
      ]);
    });

    it('a replay alone of named sessions without ever asking for others', async () => {
      const { next, again, consumer } = scripted({ live: false, from: [{ session: 's1', epoch: 0, seq: 0 }] });
      const first = await next();
      first.open();
      first.send(at(1));
      await settle();
      first.cut();
      expect(from((await again()).url)).toEqual([{ session: 's1', epoch: 0, seq: 1 }]);
      consumer.close();
    });
  });

  describe('positions that outlive a run', () => {
    function memoryStore(initial: SavedPosition[] = []) {
      const saved = new Map(initial.map((position) => [`${position.source} ${position.session}`, position]));
      const calls: number[] = [];
      return {
        saved,
        calls,
        load: () => [...saved.values()],
        save: async (changed: readonly SavedPosition[]) => {
          calls.push(changed.length);
          await Promise.resolve();
          for (const position of changed) saved.set(`${position.source} ${position.session}`, position);
        },
      };
    }

    it('are saved as Events are processed, and resumed from [B-166]', async () => {
      const store = memoryStore();
      const one = scripted({ sessions: ['s1'], positions: store });
      const first = await one.next();
      first.open();
      first.send(at(1), at(2));
      await settle();
      one.consumer.close();
      await one.run;
      expect([...store.saved.values()]).toEqual([{ source: at(1).event.source, session: 's1', epoch: 0, seq: 2 }]);

      const two = scripted({ sessions: ['s1'], positions: store, from: 'all' });
      expect(from((await two.next()).url)).toEqual([{ session: 's1', epoch: 0, seq: 2 }]);
      two.consumer.close();
    });

    it('let a new run drop what the last one has processed, where it has to ask for everything', async () => {
      const store = memoryStore([{ source: at(1).event.source, session: 's1', epoch: 0, seq: 2 }]);
      const { next, ids, of, consumer } = scripted({ positions: store });
      const request = await next();
      expect(from(request.url)).toBe('all');
      request.open();
      request.send(at(1), at(2), at(3), at(1, { session: 's2' }));
      await settle();
      expect(ids()).toEqual(['s1-3', 's2-1']);
      expect(of('gap')).toEqual([]);
      consumer.close();
    });

    it('are not saved for an Event whose handling failed', async () => {
      const store = memoryStore();
      const { next, run } = scripted({ positions: store }, (item) => {
        if (item.type === 'event' && item.position?.seq === 2) throw new Error('mine');
      });
      const request = await next();
      request.open();
      request.send(at(1), at(2));
      await expect(run).rejects.toThrow('mine');
      expect([...store.saved.values()].map(({ seq }) => seq)).toEqual([1]);
    });

    it('end the run with store-failed where they cannot be loaded', async () => {
      const cause = new Error('disk');
      const { run } = scripted({ positions: { load: () => Promise.reject(cause), save: () => undefined } });
      await expect(run).rejects.toMatchObject({ name: 'SseConsumerError', code: 'store-failed', cause });
    });

    it('end the run with store-failed where they cannot be saved', async () => {
      const cause = new Error('disk');
      const failing = {
        load: () => [],
        save: () => {
          throw cause;
        },
      };
      const { next, run } = scripted({ positions: failing });
      const request = await next();
      request.open();
      request.send(at(1));
      await settle();
      request.send(at(2));
      await expect(run).rejects.toMatchObject({ code: 'store-failed', cause });
    });
  });

  it('runs once', async () => {
    const { consumer, next } = scripted();
    await next();
    const again = consumer[Symbol.asyncIterator]();
    await expect(again.next()).rejects.toBeInstanceOf(SseConsumerError);
    await expect(consumer.run(() => undefined)).rejects.toMatchObject({ code: 'already-running' });
    consumer.close();
  });

  it('never puts a token into an item or an error', async () => {
    const { next, again, items, run } = scripted({ url: 'http://127.0.0.1:1/stream?access_token=SECRET', token: 'SECRET' });
    (await next()).fail(new TypeError('cannot fetch http://127.0.0.1:1/stream?access_token=SECRET'));
    (await again()).answer(503);
    (await again()).answer(401, { body: '{"error":"unauthorized","detail":"no"}' });
    await run;
    expect(JSON.stringify(items)).not.toContain('SECRET');
    expect(() => new SseConsumer({ url: 'http://127.0.0.1/stream?access_token=SECRET&from=all', token: 'SECRET' })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('SECRET') }) as Error,
    );
  });
});
