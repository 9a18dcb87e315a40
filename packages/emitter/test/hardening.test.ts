import { runInNewContext } from 'node:vm';

import type { AepEvent, JsonObject } from '@aepkit/envelope';
import { describe, expect, it } from 'vitest';

import { memoryTransport, createEmitter, type EmitterOptions } from '../src/index.js';
import { collect, emitAny, refusal } from './support.js';

const type = 'x.acme.session.thing';

async function emitted(data: unknown, options: Partial<EmitterOptions> = {}, of = type): Promise<AepEvent> {
  const { emitter, events } = collect({ ceiling: 'full', ...options });
  const session = await emitter.session();
  emitAny(session, of, { run: 'r', data });
  return (await events())[0]!;
}

async function refused(data: unknown, options: Partial<EmitterOptions> = {}): Promise<unknown> {
  const { emitter, events } = collect({ ceiling: 'full', ...options });
  const session = await emitter.session();
  const code = refusal(() => emitAny(session, type, { data }));
  session.emit('progress.status');
  // No position was used.
  expect((await events()).map(({ seq }) => seq)).toEqual([0]);
  return code;
}

const cycle: Record<string, unknown> = {};
cycle.self = { cycle };
const deep = (levels: number): JsonObject => JSON.parse('{"a":'.repeat(levels) + '1' + '}'.repeat(levels)) as JsonObject;

describe('a payload', () => {
  it.each([
    ['NaN', { a: Number.NaN }],
    ['Infinity', { a: [Infinity] }],
    ['a bigint', { a: 1n }],
    ['a date', { a: new Date() }],
    ['a map', { a: new Map() }],
    ['a typed array', { a: new Uint8Array(3) }],
    ['a function', { a: () => 1 }],
    ['a symbol', { a: Symbol('x') }],
    ['something that writes itself', { a: { toJSON: () => 'x' } }],
    ['a cycle', cycle],
    ['a hole', { a: [1, , 2] }],
    ['undefined in a list', { a: [undefined] }],
    ['too many levels', deep(64)],
    ['a name with half of a character', { 'a\ud800': 1 }],
    ['a list', [1]],
    ['null', null],
    ['a text', 'x'],
    ['a date itself', new Date()],
    ['a getter that throws', { get a() { throw new Error('no'); } }],
    ['a proxy that throws', new Proxy({}, { ownKeys: () => { throw new Error('no'); } })],
    ['a proxy that is gone', revoked()],
  ])('with %s is refused, and no position is used', async (_name, data) => {
    expect(await refused(data)).toBe('invalid-payload');
  });

  it('keeps what JSON can hold, at the limit of depth too', async () => {
    expect((await emitted(deep(62))).data).toEqual(deep(62));
    expect((await emitted({ a: undefined, b: null, c: -0, d: 1e300, e: '', f: [], g: {} })).data).toEqual({ b: null, c: 0, d: 1e300, e: '', f: [], g: {} });
    expect((await emitted(Object.assign(Object.create(null) as object, { a: 1 }))).data).toEqual({ a: 1 });
    expect((await emitted(runInNewContext('({ a: [1, { b: 2 }] })'))).data).toEqual({ a: [1, { b: 2 }] });
  });

  it('of a class shows its own members, and none of its prototype', async () => {
    class Thing { a = 1; get b() { return this.a + 1; } }
    expect((await emitted(new Thing())).data).toEqual({ a: 1 });
    Object.defineProperty(Object.prototype, 'injected', { value: 'x', enumerable: true, configurable: true });
    let text: string;
    try {
      text = JSON.stringify((await emitted({ a: 1 })).data);
    } finally {
      delete (Object.prototype as { injected?: string }).injected;
    }
    expect(text).toBe('{"a":1}');
  });

  it('is read once: no getter shows the ceiling one value and the wire another', async () => {
    let reads = 0;
    const flip = { get prompt() { return (reads += 1) === 1 ? 'first' : 'second'; } };
    expect((await emitted(flip, {}, 'run.started')).data).toEqual({ prompt: 'first' });
    expect(reads).toBe(1);
    let keys = 0;
    const shifting = new Proxy({ phase: 'a', message: 'secret' }, { ownKeys: () => ((keys += 1) === 1 ? ['phase', 'message'] : ['message']) });
    expect((await emitted(shifting, { ceiling: 'metadata' }, 'progress.status')).data).toEqual({ phase: 'a' });
    expect(keys).toBe(1);
  });

  it('has __proto__ as a member like others, at every ceiling', async () => {
    const data = JSON.parse('{"__proto__":{"polluted":true},"constructor":1,"phase":"a"}') as JsonObject;
    for (const ceiling of ['metadata', 'redacted', 'full'] as const) {
      const event = await emitted(data, { ceiling, redact: (text) => text }, 'progress.status');
      expect(JSON.stringify(event.data)).toBe('{"__proto__":{"polluted":true},"constructor":1,"phase":"a"}');
    }
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('with halves of characters has U+FFFD instead, before the digest is taken', async () => {
    const half = await emitted({ tool: { name: 'A' }, args: { text: 'cut \ud83d' } }, {}, 'tool.requested');
    expect(half.data).toMatchObject({ args: { text: 'cut \ufffd' } });
    const whole = await emitted({ tool: { name: 'A' }, args: { text: 'cut \ufffd' } }, {}, 'tool.requested');
    expect(half.data!.args_digest).toBe(whole.data!.args_digest);
  });

  it('is not what is changed afterwards', async () => {
    const { emitter, events } = collect({ ceiling: 'full' });
    const session = await emitter.session();
    const data = { a: { b: 1 } };
    emitAny(session, type, { data });
    data.a.b = 2;
    expect((await events())[0]!.data).toEqual({ a: { b: 1 } });
  });

  it('is bounded as given and as it goes out', async () => {
    expect(await refused({ a: 'x'.repeat(2 ** 20) })).toBe('too-large');
    expect(await refused({ a: 'x'.repeat(1000) }, { maxPayloadUnits: 1000 })).toBe('too-large');
    expect(await refused({ a: Array<number>(1000).fill(1) }, { maxPayloadUnits: 10_000 })).toBe('too-large');
    // One value reached on very many ways.
    let shared: JsonObject = { a: 1 };
    for (let level = 0; level < 40; level += 1) shared = { a: shared, b: shared };
    expect(await refused(shared)).toBe('too-large');
    // What the ceiling takes away does not count on the wire.
    const event = await emitted({ tool: { name: 'A' }, result: 'x'.repeat(2 ** 21) }, { ceiling: 'metadata' }, 'tool.completed');
    expect(event.data).toMatchObject({ result_digest: expect.stringMatching(/^[0-9a-f]{32}$/) });
    const limit = 1000;
    const size = JSON.stringify(await emitted({ a: '' }, { createId: numbered() })).length;
    await emitted({ a: 'x'.repeat(limit - size) }, { maxEventBytes: limit, createId: numbered() });
    await expect(emitted({ a: 'x'.repeat(limit - size + 1) }, { maxEventBytes: limit, createId: numbered() })).rejects.toMatchObject({ code: 'too-large' });
  });

  it('costs in proportion to its size', async () => {
    const { emitter } = collect({ ceiling: 'metadata' });
    const session = await emitter.session();
    const cost = (members: number): number => {
      const data = Object.fromEntries(Array.from({ length: members }, (_, at) => [`k${at}`, 'v']));
      const from = process.cpuUsage();
      for (let round = 0; round < 10; round += 1) session.emit(type, { data });
      const { user } = process.cpuUsage(from);
      return user;
    };
    cost(500);
    expect(cost(8000)).toBeLessThan(Math.max(20_000, cost(1000)) * 40);
  });
});

describe('what is emitted', () => {
  it.each([
    ['a number', 5],
    ['null', null],
    ['a text', 'x'],
    ['a getter that throws', { get data() { throw new Error('no'); } }],
    ['a proxy that throws', new Proxy({}, { ownKeys: () => { throw new Error('no'); } })],
  ])('is refused when it is %s', async (_name, emission) => {
    const { emitter, events } = collect();
    const session = await emitter.session();
    for (const of of ['progress.status', 'session.ended']) {
      expect(['invalid-payload', 'invalid-identifier']).toContain(refusal(() => emitAny(session, of, emission)));
    }
    expect(await events()).toEqual([]);
  });

  it('takes nothing from a prototype', async () => {
    const { emitter, events } = collect();
    const session = await emitter.session();
    emitAny(session, 'progress.status', Object.create({ subject: 'inherited', extensions: { acme: 1 } }));
    expect(Object.keys((await events())[0]!)).not.toContain('subject');
  });
});

describe('a flood', () => {
  it('of Events with a dead transport stays within its bounds', async () => {
    const transport = memoryTransport();
    transport.fail(true);
    let lost = 0;
    const emitter = createEmitter({ agent: 'a', transport, maxQueuedEvents: 1000, maxQueuedBytes: 2 ** 20, onLoss: ({ count }) => { lost += count; } });
    const session = await emitter.session();
    const total = 40_000;
    for (let count = 0; count < total; count += 1) {
      session.emit('progress.status', { severity: count % 100 === 0 ? 'notice' : count % 3 === 0 ? 'debug' : 'info' });
    }
    await Promise.resolve();
    const stats = emitter.stats();
    expect(stats.queued).toBeLessThanOrEqual(1000);
    expect(stats.queuedBytes).toBeLessThanOrEqual(2 ** 20);
    expect(stats.queued + stats.lost['queue-full']).toBe(total);
    expect(lost).toBe(stats.lost['queue-full']);
    const left = await emitter.close({ timeoutMs: 0 });
    expect(left.left).toBe(stats.queued);
  });
});

function numbered(): () => string {
  let count = 0;
  return () => `id${(count += 1)}`;
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}
