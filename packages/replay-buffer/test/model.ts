import type { Position, WireEvent } from '@aepkit/envelope';
import {
  ANCHOR_OVERHEAD_BYTES,
  EVENT_OVERHEAD_BYTES,
  EVICTED_OVERHEAD_BYTES,
  SESSION_OVERHEAD_BYTES,
  SOURCE_OVERHEAD_BYTES,
  type Admission,
  type ReplayBufferOptions,
} from '../src/index.js';
import { word } from './events.js';

interface Held {
  readonly wire: WireEvent;
  readonly epoch: number;
  readonly seq: number;
  readonly order: number;
  /** Buffers it is in: its own, or those where a command is anchored, with the place there. */
  readonly places: Map<Buffer, { readonly epoch: number; readonly seq: number }>;
}

interface Buffer {
  readonly session: string;
  readonly source: string;
  readonly startKnown: boolean;
  readonly born: number;
  evictedTo: Pair | undefined;
}

interface Pair {
  readonly epoch: number;
  readonly seq: number;
}

export type Snapshot = readonly { readonly word: string; readonly held: () => boolean }[];

const less = (a: Pair, b: Pair) => a.epoch < b.epoch || (a.epoch === b.epoch && a.seq < b.seq);
const cmp = (a: Pair, b: Pair) => (less(a, b) ? -1 : less(b, a) ? 1 : 0);

/** The rules of AEP-0003 §5 as plainly as they can be written: one list, searched and sorted anew each time. */
export class Model {
  readonly #options: Required<Pick<ReplayBufferOptions, 'perSession' | 'sessions' | 'bytes' | 'evictedSessions'>>;
  held: Held[] = [];
  /** Oldest write first. */
  buffers: Buffer[] = [];
  /** Evicted first comes first; sessions that are evicted again move to the end as a whole. */
  gone: { readonly session: string; readonly source: string; readonly place: Pair }[] = [];
  order = 0;
  evicted = 0;

  constructor(options: Required<Pick<ReplayBufferOptions, 'perSession' | 'sessions' | 'bytes' | 'evictedSessions'>>) {
    this.#options = options;
  }

  get bytes(): number {
    const names = (session: string, source: string) => 2 * (session.length + source.length);
    let sum = 0;
    for (const { wire, places } of this.held) {
      sum += wire.json.length + EVENT_OVERHEAD_BYTES + (wire.event.seq === undefined ? places.size * ANCHOR_OVERHEAD_BYTES : 0);
    }
    for (const { session, source } of this.buffers) sum += SESSION_OVERHEAD_BYTES + names(session, source);
    for (const source of new Set(this.held.map(({ wire }) => wire.event.source))) sum += SOURCE_OVERHEAD_BYTES + 2 * source.length;
    for (const { session, source } of this.gone) sum += EVICTED_OVERHEAD_BYTES + names(session, source);
    return sum;
  }

  admit(wire: WireEvent): Admission {
    const { session, source, id, seq, epoch = 0, type } = wire.event;
    if (session === undefined) return 'unbuffered';
    if (this.held.some(({ wire: { event } }) => event.source === source && event.id === id)) return 'duplicate';
    const order = this.order + 1;
    if (seq === undefined) {
      const owners = this.buffers.filter((buffer) => buffer.session === session);
      if (owners.length === 0) return 'unbuffered';
      const places = new Map(owners.map((buffer) => [buffer, this.sequenced(buffer).at(-1)!] as const));
      const one: Held = { wire, epoch: 0, seq: 0, order, places };
      if (wire.json.length + EVENT_OVERHEAD_BYTES + owners.length * ANCHOR_OVERHEAD_BYTES > this.#options.bytes * 0.875) return 'unbuffered';
      this.held.push(one);
      for (const buffer of owners) if (this.#foreign(buffer).length > this.#options.perSession) this.#lift(this.#foreign(buffer)[0]!, buffer);
      while (this.bytes > this.#options.bytes) {
        const other = this.buffers.find((buffer) => buffer.session !== session);
        if (other !== undefined) {
          this.#evictWhole(other);
          continue;
        }
        const first = owners.flatMap((buffer) => this.#foreign(buffer)).sort((a, b) => a.order - b.order)[0];
        if (first === undefined) break;
        for (const buffer of [...first.places.keys()]) this.#lift(first, buffer);
      }
      return this.#close(one, 'unbuffered');
    }
    const place = { epoch, seq };
    let buffer = this.buffers.find((each) => each.session === session && each.source === source);
    const gone = this.gone.find((each) => each.session === session && each.source === source);
    const evictedTo = buffer === undefined ? gone?.place : buffer.evictedTo;
    if (evictedTo !== undefined && !less(evictedTo, place)) return 'late';
    if (buffer !== undefined && this.sequenced(buffer).length >= this.#options.perSession && less(place, this.sequenced(buffer)[0]!)) {
      this.#raise(buffer, place);
      return 'late';
    }
    if (wire.json.length + EVENT_OVERHEAD_BYTES + SESSION_OVERHEAD_BYTES + 2 * (session.length + source.length) > this.#options.bytes * 0.875) {
      if (buffer === undefined) this.#remember(session, source, place);
      else {
        const own = buffer;
        while (this.sequenced(own).some((each) => less(each, place))) this.#evictLowest(own);
        this.#raise(own, place);
        if (this.sequenced(own).length === 0) this.#evictWhole(own);
      }
      return 'unbuffered';
    }
    if (buffer === undefined) {
      if (this.buffers.length >= this.#options.sessions) this.#evictWhole(this.buffers[0]!);
      const known = this.gone.find((each) => each.session === session && each.source === source);
      this.gone = this.gone.filter((each) => each !== known);
      buffer = { session, source, born: order, startKnown: type === 'session.started' || (epoch === 0 && seq === 0), evictedTo: known?.place };
    }
    const own = buffer;
    this.buffers = [...this.buffers.filter((each) => each !== own), own];
    const one: Held = { wire, epoch, seq, order, places: new Map([[own, place]]) };
    this.held.push(one);
    if (this.sequenced(own).length > this.#options.perSession) this.#evictLowest(own);
    while (this.bytes > this.#options.bytes) {
      if (this.buffers[0] === own) this.#evictLowest(own);
      else this.#evictWhole(this.buffers[0]!);
      if (this.sequenced(own).length === 0) {
        this.#evictWhole(own);
        break;
      }
    }
    return this.#close(one, 'late');
  }

  missed({ session, epoch, seq }: Position): void {
    if (epoch === 0 && seq === 0) return;
    const place = seq > 0 ? { epoch, seq: seq - 1 } : { epoch: epoch - 1, seq: Number.MAX_SAFE_INTEGER };
    const buffers = this.buffers.filter((buffer) => buffer.session === session).sort((a, b) => a.born - b.born);
    for (const buffer of buffers) {
      while (this.sequenced(buffer).some((each) => less(each, { epoch, seq }))) this.#evictLowest(buffer);
      this.#raise(buffer, place);
      if (this.sequenced(buffer).length === 0) this.#evictWhole(buffer);
    }
    const known = this.gone.find((each) => each.session === session && each.source === '');
    if (buffers.length === 0 && (known === undefined || less(known.place, place))) this.#remember(session, '', place);
  }

  /** Names of held sessions, oldest write first. */
  sessions(): string[] {
    return [...new Set(this.buffers.map(({ session }) => session))];
  }

  /** What a replay of a session gives out when its turn is now. */
  turn(session: string, behind: Position | undefined, upTo: number): { readonly marker: string | undefined; readonly owed: '' | '?' | '~'; readonly events: Snapshot } {
    const buffers = this.buffers.filter((buffer) => buffer.session === session);
    const items = buffers.flatMap((buffer) =>
      this.held.filter(({ places }) => places.has(buffer)).map((one) => {
        const foreign = one.wire.event.seq === undefined;
        const place = one.places.get(buffer)!;
        const highest = [...one.places.values()].sort(cmp).at(-1)!;
        return { one, foreign, place, twin: foreign && (less(place, highest) || [...one.places].findLast(([, other]) => cmp(other, highest) === 0)![0] !== buffer), buffer };
      }),
    );
    items.sort((a, b) => cmp(a.place, b.place) || a.one.order - b.one.order);
    const follows = items.filter(({ foreign, place, twin }) => behind === undefined || (foreign ? !less(place, behind) && !twin : less(behind, place))).filter(({ twin }) => !twin);
    const events = follows.filter(({ one }) => one.order <= upTo);
    let marker: string | undefined;
    let owed: '' | '?' | '~' = behind !== undefined && buffers.length === 0 && !this.gone.some((each) => each.session === session) ? '~' : '';
    if (behind !== undefined && this.#predates(session, buffers, behind)) {
      const first = events.find(({ foreign }) => !foreign) ?? follows.find(({ foreign }) => !foreign);
      owed = first === undefined ? '?' : '';
      if (first !== undefined) marker = `!${session} ${first.place.epoch}:${first.place.seq}`;
    }
    return { marker, owed, events: events.map(({ one, buffer }) => ({ word: word({ type: 'event', event: one.wire }), held: () => this.held.includes(one) && one.places.has(buffer) })) };
  }

  isHeld(order: number): Held | undefined {
    return this.held.find((one) => one.order === order);
  }

  sequenced(buffer: Buffer): Held[] {
    return this.held.filter(({ wire, places }) => wire.event.seq !== undefined && places.has(buffer)).sort((a, b) => cmp(a, b) || a.order - b.order);
  }

  #predates(session: string, buffers: readonly Buffer[], behind: Pair): boolean {
    const one = (buffer: Buffer): boolean => {
      if (buffer.evictedTo !== undefined) return less(behind, buffer.evictedTo);
      const first = this.sequenced(buffer)[0]!;
      return !buffer.startKnown && less(behind, first) && !(behind.epoch === first.epoch && behind.seq === first.seq - 1);
    };
    return buffers.some(one) || this.gone.some((each) => each.session === session && less(behind, each.place));
  }

  #foreign(buffer: Buffer): Held[] {
    return this.held.filter(({ wire, places }) => wire.event.seq === undefined && places.has(buffer)).sort((a, b) => a.order - b.order);
  }

  #close(one: Held, otherwise: Admission): Admission {
    if (!this.held.includes(one)) return otherwise;
    this.order = one.order;
    return 'admitted';
  }

  #drop(one: Held): void {
    this.held = this.held.filter((each) => each !== one);
    if (one.order <= this.order) this.evicted += 1;
  }

  #lift(one: Held, buffer: Buffer): void {
    one.places.delete(buffer);
    if (one.places.size === 0) this.#drop(one);
  }

  #raise(buffer: Buffer, { epoch, seq }: Pair): void {
    if (buffer.evictedTo === undefined || less(buffer.evictedTo, { epoch, seq })) buffer.evictedTo = { epoch, seq };
  }

  #evictLowest(buffer: Buffer): void {
    const lowest = this.sequenced(buffer)[0]!;
    this.#raise(buffer, lowest);
    this.#drop(lowest);
    const first = this.sequenced(buffer)[0];
    if (first === undefined) return;
    for (const one of this.#foreign(buffer)) if (less(one.places.get(buffer)!, first)) this.#lift(one, buffer);
  }

  #evictWhole(buffer: Buffer): void {
    for (const one of this.sequenced(buffer)) {
      this.#raise(buffer, one);
      this.#drop(one);
    }
    for (const one of this.#foreign(buffer)) this.#lift(one, buffer);
    this.buffers = this.buffers.filter((each) => each !== buffer);
    if (buffer.evictedTo !== undefined) this.#remember(buffer.session, buffer.source, buffer.evictedTo);
  }

  #remember(session: string, source: string, place: Pair): void {
    const known = this.gone.filter((each) => each.session === session);
    const entry = { session, source, place: { epoch: place.epoch, seq: place.seq } };
    const own = known.some((each) => each.source === source)
      ? known.map((each) => (each.source === source && less(each.place, place) ? entry : each))
      : [...known, entry];
    this.gone = [...this.gone.filter((each) => each.session !== session), ...own];
    const cost = () => this.gone.reduce((sum, each) => sum + EVICTED_OVERHEAD_BYTES + 2 * (each.session.length + each.source.length), 0);
    while (this.gone.length > this.#options.evictedSessions || (cost() > this.#options.bytes / 8 && this.gone.length > 1)) this.gone.shift();
  }
}
