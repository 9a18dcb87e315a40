import type { Principal, Scope } from '@aepkit/access';
import type { WireEvent } from '@aepkit/envelope';
import { turn } from '@aepkit/testkit';
import type {
  Admission,
  CloseReason,
  CommittedBatch,
  DeliveredPosition,
  Encoder,
  EventLog,
  Exhausted,
  Ingress,
  LogMark,
  Replayed,
  ReplayFrom,
  ReplayHint,
  Sink,
} from '../src/index.js';
import { Hub, type HubOptions } from '../src/index.js';

export function principal(...scopes: Scope[]): Principal {
  return { name: 'tester', scopes: new Set(scopes), authenticated: true };
}

export const EVERYTHING: Principal = principal('emit', 'observe', 'control');
export const POST: Ingress = { principal: EVERYTHING, via: 'post' };

/** Waits until nothing that is queued runs any more: a few turns of the event loop. */
export async function settle(turns = 6): Promise<void> {
  for (let i = 0; i < turns; i++) await turn();
}

export const textEncoder: Encoder = (event) => new TextEncoder().encode(`${event.json}\n`);

interface Appended {
  readonly events: readonly WireEvent[];
  readonly settle: (answer: readonly Admission[] | Error) => void;
}

interface Held {
  readonly wire: WireEvent;
  readonly order: number;
}

/** What a test sees of a sink, in order. */
export type Seen =
  | { readonly type: 'event'; readonly wire: WireEvent }
  | { readonly type: 'exhausted'; readonly marker: Exhausted; readonly sub: string }
  | { readonly type: 'close'; readonly reason: CloseReason; readonly delivered: readonly DeliveredPosition[] };

/** A sink that takes a given number of writes before it is full; `Infinity` by default. */
export class TestSink implements Sink {
  readonly seen: Seen[] = [];
  readonly writes: WireEvent[][] = [];
  room: number;
  onWrite: (() => void) | undefined;
  #waiting: (() => void)[] = [];

  constructor(room = Infinity) {
    this.room = room;
  }

  get events(): WireEvent[] {
    return this.seen.flatMap((each) => (each.type === 'event' ? [each.wire] : []));
  }

  get ids(): string[] {
    return this.events.map(({ event }) => event.id);
  }

  get seqs(): (number | undefined)[] {
    return this.events.map(({ event }) => event.seq);
  }

  get markers(): Exhausted[] {
    return this.seen.flatMap((each) => (each.type === 'exhausted' ? [each.marker] : []));
  }

  get closing(): { reason: CloseReason; delivered: readonly DeliveredPosition[] } | undefined {
    const last = this.seen.at(-1);
    return last?.type === 'close' ? last : undefined;
  }

  write(batch: Parameters<Sink['write']>[0]): boolean {
    const wires = batch.deliveries.map(({ event }) => event);
    this.writes.push(wires);
    for (const wire of wires) this.seen.push({ type: 'event', wire });
    this.onWrite?.();
    return --this.room > 0;
  }

  drained(): Promise<void> {
    if (this.room > 0) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  exhausted(marker: Exhausted, sub: string): void {
    this.seen.push({ type: 'exhausted', marker, sub });
  }

  close(reason: CloseReason, delivered: readonly DeliveredPosition[]): void {
    this.seen.push({ type: 'close', reason, delivered });
    this.drain(Infinity);
  }

  /** Makes room for so many writes. */
  drain(room: number): void {
    this.room = room;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

/**
 * A log a test commits by hand. It keeps `depth` Events per session, by position; what is read is read late, in chunks of
 * two with turns of the event loop in between, as a log on disk would.
 */
export class TestLog implements EventLog {
  readonly buffer: number;
  readonly replays: { from: ReplayFrom; upTo: LogMark; hint: ReplayHint | undefined }[] = [];
  chunk = 2;
  failing: Error | undefined;
  failReplay: Error | undefined;
  #order = 0;
  #listeners = new Set<(batch: CommittedBatch) => void>();
  #waiting: Appended[] = [];
  #stored: { group: Appended[]; answers: Admission[][]; mark: LogMark }[] = [];
  #held = new Map<string, Held[]>();
  #evicted = new Map<string, Held>();
  #ids = new Set<string>();

  constructor(depth = Infinity) {
    this.buffer = depth;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  append(events: readonly WireEvent[]): Promise<readonly Admission[]> {
    return new Promise((resolve, reject) => {
      const settle = (answer: readonly Admission[] | Error): void => (answer instanceof Error ? reject(answer) : resolve(answer));
      this.#waiting.push({ events, settle });
    });
  }

  /** Commits what waits, or the first `count` batches of it, as one group. */
  commit(count = Infinity): void {
    this.store(count);
    this.announce();
  }

  /** Only writes: the rows are there to be read, and nobody was told. */
  store(count = Infinity): void {
    const group = this.#waiting.splice(0, count);
    if (group.length === 0) return;
    if (this.failing !== undefined) {
      for (const each of group) each.settle(this.failing);
      return;
    }
    const answers = group.map(({ events }) => events.map((wire) => this.#admit(wire)));
    this.#stored.push({ group, answers, mark: this.#order });
  }

  /** Tells of all that was stored. */
  announce(): void {
    for (const { group, answers, mark } of this.#stored.splice(0)) {
      const batch = { events: group.flatMap(({ events }) => [...events]), admissions: answers.flat(), mark };
      for (const listener of this.#listeners) listener(batch);
      for (const [i, each] of group.entries()) each.settle(answers[i]!);
    }
  }

  onCommit(listener: (batch: CommittedBatch) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  mark(): LogMark {
    return this.#order;
  }

  evictAll(session: string): void {
    const held = this.#held.get(session) ?? [];
    const last = held.at(-1);
    if (last !== undefined) this.#evicted.set(session, last);
    this.#held.delete(session);
  }

  async *replay(from: ReplayFrom, upTo: LogMark, hint?: ReplayHint): AsyncGenerator<readonly Replayed[]> {
    this.replays.push({ from, upTo, hint });
    await turn();
    if (this.failReplay !== undefined) throw this.failReplay;
    let chunk: Replayed[] = [];
    for (const step of this.#steps(from, upTo)) {
      chunk.push(step);
      if (chunk.length < this.chunk) continue;
      yield chunk;
      chunk = [];
      await turn();
    }
    if (chunk.length > 0) yield chunk;
  }

  *#steps(from: ReplayFrom, upTo: LogMark): Generator<Replayed> {
    if (from.type === 'mark') {
      const all = [...this.#held.values()].flat().sort((a, b) => a.order - b.order);
      for (const { wire, order } of all) if (order > from.mark && order <= upTo) yield this.#still(wire);
      return;
    }
    const starts =
      from.type === 'all'
        ? [...this.#held.keys()].map((session) => ({ session, epoch: 0, seq: -1 }))
        : from.positions;
    for (const start of starts) {
      const { session } = start;
      const held = (this.#held.get(session) ?? []).filter(({ order }) => order <= upTo);
      const evicted = this.#evicted.get(session);
      const first = held[0]?.wire.event;
      const lost = from.type !== 'all' && evicted !== undefined && before(start, evicted.wire.event);
      if (lost && first !== undefined) yield { type: 'exhausted', session, epoch: first.epoch ?? 0, seq: first.seq! };
      for (const { wire } of held) if (before(start, wire.event)) yield this.#still(wire);
      yield lost && first === undefined ? { type: 'session-end', session, owed: true } : { type: 'session-end', session };
    }
  }

  /** What was evicted since the replay began cannot be given. */
  #still(wire: WireEvent): Replayed {
    const evicted = this.#evicted.get(wire.event.session!);
    if (evicted !== undefined && !before(evicted.wire.event, wire.event)) {
      throw Object.assign(new Error('evicted'), { code: 'replay-evicted' });
    }
    return { type: 'event', event: wire };
  }

  #admit(wire: WireEvent): Admission {
    const { source, id, session, seq } = wire.event;
    const key = JSON.stringify([source, id]);
    if (this.#ids.has(key)) return 'duplicate';
    if (session === undefined || seq === undefined) return 'unbuffered';
    const evicted = this.#evicted.get(session);
    if (evicted !== undefined && !before(evicted.wire.event, wire.event)) return 'late';
    this.#ids.add(key);
    const held = this.#held.get(session) ?? [];
    this.#held.set(session, held);
    held.push({ wire, order: ++this.#order });
    held.sort((a, b) => (before(a.wire.event, b.wire.event) ? -1 : 1));
    if (held.length > this.buffer) this.#evicted.set(session, held.shift()!);
    return 'admitted';
  }
}

function before(a: { epoch?: number; seq?: number }, b: { epoch?: number; seq?: number }): boolean {
  const [ea, eb] = [a.epoch ?? 0, b.epoch ?? 0];
  return ea < eb || (ea === eb && (a.seq ?? -1) < (b.seq ?? -1));
}

export interface Bench {
  readonly hub: Hub;
  readonly log: TestLog;
  /** Ingests and commits, each batch a group of its own. */
  publish(...events: WireEvent[]): Promise<readonly Admission[]>;
}

export function bench(options: Partial<HubOptions> & { depth?: number } = {}): Bench {
  const { depth, ...rest } = options;
  const log = new TestLog(depth);
  const hub = new Hub({ log, id: 'test', ...rest });
  return {
    hub,
    log,
    publish: async (...events) => {
      const receipt = hub.ingest(events, POST);
      log.commit();
      return (await receipt).admissions;
    },
  };
}
