import type { Position, WireEvent } from '@aepkit/envelope';
import { ReplayBuffer } from '@aepkit/replay-buffer';
import { buildWire } from '@aepkit/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Hub, memoryLog, type SubscribeRequest } from '../src/index.js';
import { type Bench, bench, EVERYTHING, POST, settle, TestSink } from './support.js';

/** What a writer, a reader and the event loop do, in any order. */
type Step =
  | { readonly type: 'append'; readonly sessions: readonly string[] }
  | { readonly type: 'repeat'; readonly pick: number }
  | { readonly type: 'store'; readonly batches: number }
  | { readonly type: 'commit'; readonly batches: number }
  | { readonly type: 'drain'; readonly room: number }
  | { readonly type: 'turn'; readonly turns: number }
  | { readonly type: 'subscribe'; readonly from: 'all' | 'positions' | 'none'; readonly session: string | undefined }
  | { readonly type: 'unsubscribe'; readonly pick: number };

const SESSIONS = ['a', 'b'];
const session = fc.constantFrom(...SESSIONS);
const writing: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ type: fc.constant('append'), sessions: fc.array(session, { minLength: 1, maxLength: 4 }) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('repeat'), pick: fc.nat(1000) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('store'), batches: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 5, arbitrary: fc.record({ type: fc.constant('commit'), batches: fc.integer({ min: 1, max: 3 }) }) },
);
const reading: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ type: fc.constant('drain'), room: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ type: fc.constant('turn'), turns: fc.integer({ min: 1, max: 4 }) }),
);
const subscribing: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constant('subscribe'), from: fc.constantFrom('all', 'positions', 'none'), session: fc.option(session, { nil: undefined }) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('unsubscribe'), pick: fc.nat(1000) }) },
);

/** Appends in order, and knows which Event was committed as which. */
class Writer {
  readonly committed: WireEvent[] = [];
  readonly repeats: WireEvent[] = [];
  #waiting: { readonly wires: readonly WireEvent[]; readonly repeat: boolean }[] = [];
  #stored: { readonly wires: readonly WireEvent[]; readonly repeat: boolean }[] = [];
  #seq = new Map<string, number>();
  readonly #bench: Bench;

  constructor(bench: Bench) {
    this.#bench = bench;
  }

  append(sessions: readonly string[]): void {
    const wires = sessions.map((name) => {
      const seq = (this.#seq.get(name) ?? 0) + 1;
      this.#seq.set(name, seq);
      return buildWire({ session: name, source: `aep://test/${name}`, seq, severity: 'notice' });
    });
    this.#put(wires, false);
  }

  repeat(pick: number): void {
    if (this.committed.length > 0) this.#put([this.committed[pick % this.committed.length]!], true);
  }

  /** On disk, and not yet fanned out. */
  store(batches: number): void {
    this.#stored.push(...this.#waiting.splice(0, batches));
    this.#bench.log.store(batches);
  }

  commit(batches: number): { fresh: WireEvent[]; repeats: WireEvent[] } {
    const group = [...this.#stored.splice(0), ...this.#waiting.splice(0, batches)];
    const fresh = group.filter(({ repeat }) => !repeat).flatMap(({ wires }) => wires);
    const repeats = group.filter(({ repeat }) => repeat).flatMap(({ wires }) => wires);
    this.committed.push(...fresh);
    this.repeats.push(...repeats);
    this.#bench.log.commit(batches);
    return { fresh, repeats };
  }

  #put(wires: readonly WireEvent[], repeat: boolean): void {
    this.#waiting.push({ wires, repeat });
    void this.#bench.hub.ingest(wires, POST);
  }
}

function positionsOf(sink: TestSink, before: ReadonlyMap<string, Position>): Map<string, Position> {
  const positions = new Map(before);
  for (const { session, epoch, seq } of sink.closing?.delivered ?? []) positions.set(session, { session, epoch, seq });
  return positions;
}

describe('from replay to live', () => {
  it('gives each admitted Event once and in order, whatever the writer and the sink do, also over disconnects [B-215, B-225, B-164, B-165, B-181]', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof({ weight: 3, arbitrary: writing }, { weight: 2, arbitrary: reading }), { minLength: 10, maxLength: 80 }),
        fc.nat(20),
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 400, max: 4_000 }),
        async (steps, subscribeAt, room, maxQueueBytes) => {
          const it = bench({ maxQueueBytes, replayWriteBytes: 300 });
          const writer = new Writer(it);
          const got: WireEvent[] = [];
          let repeatsAfter = 0;
          let sink: TestSink | undefined;
          let positions = new Map<string, Position>(SESSIONS.map((name) => [name, { session: name, epoch: 0, seq: 0 }]));
          const connect = (): void => {
            sink = new TestSink(room);
            const from = [...positions.values()];
            it.hub.connect({ sink, principal: EVERYTHING }).subscribe({ id: 's', filter: { value: { session: SESSIONS } }, from });
          };
          const reconnect = (): void => {
            if (sink?.closing === undefined) return;
            expect(sink.closing.reason).toBe('slow-consumer');
            positions = positionsOf(sink, positions);
            got.push(...sink.events);
            connect();
          };
          for (const [i, step] of steps.entries()) {
            if (i === subscribeAt) connect();
            if (step.type === 'append') writer.append(step.sessions);
            if (step.type === 'repeat') writer.repeat(step.pick);
            if (step.type === 'store') writer.store(step.batches);
            if (step.type === 'commit') {
              const { repeats } = writer.commit(step.batches);
              if (sink !== undefined) repeatsAfter += repeats.length;
            }
            if (step.type === 'drain') sink?.drain(step.room);
            if (step.type === 'turn') await settle(step.turns);
            reconnect();
          }
          writer.commit(Infinity);
          if (sink === undefined) connect();
          for (let i = 0; i < 20; i++) {
            sink?.drain(Infinity);
            await settle();
            reconnect();
          }
          got.push(...sink!.events);
          // Every Event is there; a copy more only where the writer repeated it.
          const counts = new Map<string, number>();
          for (const { event } of got) counts.set(event.id, (counts.get(event.id) ?? 0) + 1);
          for (const { event } of writer.committed) expect(counts.get(event.id), event.id).toBeGreaterThanOrEqual(1);
          expect(got.length).toBeLessThanOrEqual(writer.committed.length + writer.repeats.length);
          expect(got.length - writer.committed.length).toBeLessThanOrEqual(Math.max(repeatsAfter, writer.repeats.length));
          for (const name of SESSIONS) {
            const first = new Map<string, number | undefined>();
            for (const { event } of got) if (event.session === name && !first.has(event.id)) first.set(event.id, event.seq);
            const seqs = [...first.values()];
            expect(seqs).toEqual([...seqs].sort((a, b) => a! - b!));
          }
          await it.hub.close();
        },
      ),
      { numRuns: 200 },
    );
  }, 120_000);

  it('gives several subscriptions of one connection their replays and one live copy [B-162, B-163, B-164, B-215, B-224]', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof({ weight: 6, arbitrary: writing }, { weight: 4, arbitrary: reading }, { weight: 1, arbitrary: subscribing }), {
          minLength: 10,
          maxLength: 120,
        }),
        fc.integer({ min: 400, max: 3_000 }),
        async (steps, maxQueueBytes) => {
          const it = bench({ maxQueueBytes, replayWriteBytes: 300 });
          const writer = new Writer(it);
          const sink = new TestSink(3);
          const connection = it.hub.connect({ sink, principal: EVERYTHING });
          const expected = new Map<string, number>();
          const expect1 = (wire: WireEvent, copies: number): void => void expected.set(wire.event.id, (expected.get(wire.event.id) ?? 0) + copies);
          const live = new Map<string, { session: string | undefined }>();
          let stopped = false;
          const commit = (batches: number): void => {
            const { fresh, repeats } = writer.commit(batches);
            for (const wire of [...fresh, ...repeats]) {
              if ([...live.values()].some((each) => each.session === undefined || each.session === wire.event.session)) expect1(wire, 1);
            }
          };
          for (const [i, step] of steps.entries()) {
            if (sink.closing !== undefined) break;
            if (step.type === 'append') writer.append(step.sessions);
            if (step.type === 'repeat') writer.repeat(step.pick);
            if (step.type === 'store') writer.store(step.batches);
            if (step.type === 'drain') sink.drain(step.room);
            if (step.type === 'turn') await settle(step.turns);
            if (step.type === 'commit') commit(step.batches);
            if (step.type === 'subscribe') {
              const id = `s${i}`;
              const request: SubscribeRequest = {
                id,
                filter: { value: step.session === undefined ? {} : { session: step.session } },
                ...(step.from === 'none' ? {} : { from: step.from === 'all' ? ('all' as const) : SESSIONS.map((name) => ({ session: name, epoch: 0, seq: 2 })) }),
              };
              connection.subscribe(request);
              live.set(id, { session: step.session });
              if (step.from !== 'none') {
                for (const wire of writer.committed) {
                  const wanted = step.session === undefined || step.session === wire.event.session;
                  if (wanted && (step.from === 'all' || wire.event.seq! > 2)) expect1(wire, 1);
                }
              }
            }
            if (step.type === 'unsubscribe' && live.size > 0) {
              const id = [...live.keys()][step.pick % live.size]!;
              connection.unsubscribe(id);
              live.delete(id);
              // What was on its way to it is gone, so from here on only an upper bound is known.
              stopped = true;
            }
          }
          commit(Infinity);
          for (let i = 0; i < 10; i++) {
            sink.drain(Infinity);
            await settle(10);
          }
          const counts = new Map<string, number>();
          for (const { event } of sink.events) counts.set(event.id, (counts.get(event.id) ?? 0) + 1);
          for (const [id, count] of counts) expect(count, id).toBeLessThanOrEqual(expected.get(id) ?? 0);
          if (sink.closing === undefined && !stopped) for (const [id, count] of expected) expect(counts.get(id) ?? 0, id).toBe(count);
          if (sink.closing !== undefined) expect(sink.closing.reason).toBe('slow-consumer');
          await it.hub.close();
        },
      ),
      { numRuns: 200 },
    );
  }, 120_000);

  it('on a log that evicts, hides no loss: each jump in a session is told by a marker that names where it goes on [B-100, B-215, B-218]', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof({ weight: 3, arbitrary: writing }, { weight: 2, arbitrary: reading }), { minLength: 10, maxLength: 80 }),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 400, max: 4_000 }),
        async (steps, perSession, room, maxQueueBytes) => {
          const commits: (() => void)[] = [];
          const log = memoryLog(new ReplayBuffer({ perSession, chunk: 3 }), { schedule: (commit) => commits.push(commit) });
          const hub = new Hub({ log, id: 'test', maxQueueBytes, replayWriteBytes: 300 });
          const last = new Map<string, number>(SESSIONS.map((name) => [name, 0]));
          const written = new Map<string, number>(last);
          let sink = new TestSink(room);
          let read = 0;
          const marked = new Map<string, number>();
          const connect = (): void => {
            sink = new TestSink(room);
            read = 0;
            marked.clear();
            const from = [...last].map(([session, seq]) => ({ session, epoch: 0, seq }));
            hub.connect({ sink, principal: EVERYTHING }).subscribe({ id: 's', filter: { value: { session: SESSIONS } }, from });
          };
          const check = (): void => {
            for (; read < sink.seen.length; read++) {
              const seen = sink.seen[read]!;
              if (seen.type === 'exhausted') marked.set(seen.marker.session, seen.marker.seq);
              if (seen.type !== 'event') continue;
              const { session, seq } = seen.wire.event as { session: string; seq: number };
              // A marker may name a position that is higher than need be, where Events went between subscribing and reading.
              expect(seq).toBeGreaterThan(last.get(session)!);
              expect(seq).toBeLessThanOrEqual(marked.get(session) ?? last.get(session)! + 1);
              marked.delete(session);
              last.set(session, seq);
            }
            if (sink.closing === undefined) return;
            expect(['slow-consumer', 'replay-evicted']).toContain(sink.closing.reason);
            for (const { session, seq } of sink.closing.delivered) expect(seq).toBe(last.get(session));
            connect();
          };
          connect();
          for (const step of steps) {
            if (step.type === 'append') {
              const wires = step.sessions.map((name) => {
                written.set(name, written.get(name)! + 1);
                return buildWire({ session: name, source: `aep://test/${name}`, seq: written.get(name), severity: 'notice' });
              });
              void hub.ingest(wires, POST);
            }
            if (step.type === 'commit') for (const commit of commits.splice(0)) commit();
            if (step.type === 'drain') sink.drain(step.room);
            if (step.type === 'turn') await settle(step.turns);
            check();
          }
          for (const commit of commits.splice(0)) commit();
          for (let i = 0; i < 20; i++) {
            sink.drain(Infinity);
            await settle();
            check();
          }
          expect(last).toEqual(written);
          await hub.close();
        },
      ),
      { numRuns: 200 },
    );
  }, 120_000);
});
