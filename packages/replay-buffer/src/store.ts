import { comparePositions, positionOf, type WireEvent } from '@aepkit/envelope';
import { EvictedSessions } from './evicted-sessions.js';
import { ForeignEvent } from './foreign-event.js';
import { HeldEvent, type Owner } from './held-event.js';
import { detached } from './held-text.js';
import type { ResolvedOptions } from './options.js';
import { ANCHOR_OVERHEAD_BYTES } from './overhead.js';
import { compareOrder } from './place.js';
import { Recency } from './recency.js';
import type { Admission } from './replayed.js';
import { SeenIds } from './seen-ids.js';
import { SessionBuffer, sessionBytes, type Place, type SessionGroup } from './session-buffer.js';
import { SortedList } from './sorted-list.js';
import { TypeNames } from './type-names.js';

/** In the place of a source that is not known: no Event has an empty one. */
const NO_SOURCE = '';

/** Share of `bytes` that the memory of evicted sessions may take; the rest is there for Events. */
const EVICTED_SHARE = 1 / 8;

/** What is held, and who leaves when there is too much (AEP-0003 §5). */
export class Store {
  readonly groups: Map<string, SessionGroup> = new Map<string, SessionGroup>();
  readonly recency: Recency = new Recency();
  readonly evicted: EvictedSessions;
  /** Every held Event, by order number. */
  readonly log: SortedList<HeldEvent> = new SortedList<HeldEvent>(compareOrder);
  readonly #options: ResolvedOptions;
  readonly #ids = new SeenIds();
  readonly #types = new TypeNames();
  /** The one that was asked for last: Events come in runs of one session. */
  #latest: SessionBuffer | undefined;
  #order = 0;
  #bytes = 0;
  #evictedEvents = 0;

  constructor(options: ResolvedOptions) {
    this.#options = options;
    this.evicted = new EvictedSessions(options.evictedSessions, options.bytes * EVICTED_SHARE);
  }

  get order(): number {
    return this.#order;
  }

  get bytes(): number {
    return this.#bytes + this.#ids.bytes + this.evicted.bytes;
  }

  get evictedEvents(): number {
    return this.#evictedEvents;
  }

  admit(wire: WireEvent): Admission {
    const { event } = wire;
    const session = Object.hasOwn(event, 'session') ? event.session : undefined;
    // Agent-scoped Events belong to no session's history.
    if (session === undefined) return 'unbuffered';
    if (this.#ids.has(event.source, event.id)) return 'duplicate';
    const place = positionOf(event);
    return place === undefined ? this.#admitForeign(session, wire) : this.#admitPlaced(session, place, wire);
  }

  /**
   * Events of a session ahead of a place are missing, here and where they came from. What is held below it is evicted: a replay that gave
   * it out would skip the missing ones in silence.
   */
  missed(session: string, place: Place): void {
    const gone = before(place);
    if (gone === undefined) return;
    const buffers = [...(this.groups.get(session)?.buffers.values() ?? [])];
    for (const buffer of buffers) {
      while (isBelow(buffer.events.first, place)) this.#evictLowest(buffer);
      buffer.raiseEvicted(gone);
      if (buffer.events.size === 0) this.#evictWhole(buffer);
    }
    // Whose session it is shows with its next Event.
    if (buffers.length === 0) this.evicted.raise(session, NO_SOURCE, gone);
  }

  /** Whether Events of a session are held, or were and it is remembered. */
  heardOf(session: string): boolean {
    return this.groups.has(session) || this.evicted.has(session);
  }

  /** Whether Events behind a position are missing under a session name: its owners' buffers are asked one by one. */
  predates(session: string, place: Place): boolean {
    for (const buffer of this.groups.get(session)?.buffers.values() ?? []) if (buffer.predates(place)) return true;
    for (const evictedTo of this.evicted.places(session)) if (comparePositions(place, evictedTo) < 0) return true;
    return false;
  }

  /** An order number that no evicted Event of the session exceeds. */
  evictedOrder(session: string): number {
    return Math.max(this.groups.get(session)?.evictedOrder ?? 0, this.evicted.order(session));
  }

  #admitPlaced(session: string, place: Place, wire: WireEvent): Admission {
    const { source } = wire.event;
    const known = this.#find(session, source);
    const evictedTo = known === undefined ? this.evicted.get(session, source) : known.evictedTo;
    // Late backfill would move `earliest` back across a hole (AEP-0003 §5).
    if (evictedTo !== undefined && comparePositions(place, evictedTo) <= 0) return 'late';
    if (known !== undefined && known.events.size >= this.#options.perSession && isBelow(place, known.events.first)) {
      // It would be the first to go. Not serving it is an eviction to those who resume from below.
      known.raiseEvicted(place);
      return 'late';
    }
    const owner = known?.owner ?? { session: this.groups.get(session)?.name ?? detached(session), source: detached(source) };
    const event = new HeldEvent(owner, place, this.#order + 1, wire, this.#options.copy, this.#types.of(wire.event.type));
    if (event.bytes + sessionBytes(session, source) > this.#options.bytes * (1 - EVICTED_SHARE)) {
      this.#giveUp(session, source, place);
      return 'unbuffered';
    }
    const buffer = known ?? this.#open(owner, wire, place);
    this.recency.touch(buffer);
    buffer.events.add(event);
    this.#ids.add(source, event.id);
    this.#bytes += event.bytes;
    if (buffer.events.size > this.#options.perSession) this.#evictLowest(buffer);
    this.#makeRoom(buffer);
    return event.held ? this.#number(event) : 'late';
  }

  #admitForeign(session: string, wire: WireEvent): Admission {
    const group = this.groups.get(session);
    if (group === undefined) return 'unbuffered';
    const { source } = wire.event;
    const event = new ForeignEvent({ session: group.name, source: detached(source) }, this.#order + 1, wire, this.#options.copy);
    const owners = [...group.buffers.values()];
    const cost = event.bytes + owners.length * ANCHOR_OVERHEAD_BYTES;
    if (cost > this.#options.bytes * (1 - EVICTED_SHARE)) return 'unbuffered';
    this.#ids.add(source, event.id);
    this.#bytes += cost;
    const anchors = event.anchorAt(owners.flatMap(({ events }) => events.last ?? []));
    for (const [index, buffer] of owners.entries()) {
      const anchor = anchors[index];
      if (anchor !== undefined) buffer.anchors.add(anchor);
      if (buffer.anchors.size > this.#options.perSession) this.#liftLowest(buffer);
    }
    this.#makeRoomForForeign(group);
    return event.held ? this.#number(event) : 'unbuffered';
  }

  #find(session: string, source: string): SessionBuffer | undefined {
    const latest = this.#latest;
    if (latest?.source === source && latest.group.name === session) return latest;
    return (this.#latest = this.groups.get(session)?.buffers.get(source));
  }

  #number(event: HeldEvent): Admission {
    this.#order = event.order;
    this.log.add(event);
    return 'admitted';
  }

  #open(owner: Owner, wire: WireEvent, place: Place): SessionBuffer {
    const { session, source } = owner;
    const { oldest } = this.recency;
    if (this.recency.size >= this.#options.sessions && oldest !== undefined) this.#evictWhole(oldest);
    const evictedOrder = this.evictedOrder(session);
    const group = this.groups.get(session) ?? { name: session, buffers: new Map<string, SessionBuffer>(), evictedOrder };
    const buffer = new SessionBuffer(group, owner, this.evicted.take(session, source), wire.event, place);
    this.groups.set(group.name, group);
    group.buffers.set(source, buffer);
    this.recency.add(buffer);
    this.#bytes += buffer.bytes;
    return buffer;
  }

  /**
   * An Event that does not fit at all is as good as evicted, and what stands below it leaves with it: a replay that gave
   * that out would skip this one in silence.
   */
  #giveUp(session: string, source: string, place: Place): void {
    const buffer = this.groups.get(session)?.buffers.get(source);
    if (buffer === undefined) {
      this.evicted.remember(session, source, place, 0);
      return;
    }
    while (isBelow(buffer.events.first, place)) this.#evictLowest(buffer);
    buffer.raiseEvicted(place);
    if (buffer.events.size === 0) this.#evictWhole(buffer);
  }

  /** The session that was written longest ago leaves whole, but never the one being written. */
  #makeRoom(writing: SessionBuffer): void {
    while (this.bytes > this.#options.bytes) {
      const { oldest } = this.recency;
      if (oldest !== undefined && oldest !== writing) this.#evictWhole(oldest);
      else this.#evictLowest(writing);
      if (writing.events.size === 0) {
        this.#evictWhole(writing);
        return;
      }
    }
  }

  /** Writing about a session pushes out what was written about it before, and none of its own history. */
  #makeRoomForForeign(group: SessionGroup): void {
    while (this.bytes > this.#options.bytes) {
      const other = this.#oldestOutside(group);
      if (other !== undefined) {
        this.#evictWhole(other);
        continue;
      }
      let oldest: ForeignEvent | undefined;
      for (const { anchors } of group.buffers.values()) {
        const event = anchors.first?.event;
        if (event !== undefined && (oldest === undefined || event.order < oldest.order)) oldest = event;
      }
      if (oldest === undefined) return;
      // Anchors rise with the order of admission, so the oldest Event is the first wherever it is anchored.
      for (const buffer of group.buffers.values()) if (buffer.anchors.first?.event === oldest) this.#liftLowest(buffer);
    }
  }

  #oldestOutside(group: SessionGroup): SessionBuffer | undefined {
    for (const buffer of this.recency) if (buffer.group !== group) return buffer;
    return undefined;
  }

  #evictLowest(buffer: SessionBuffer): void {
    const event = buffer.events.shift();
    if (event === undefined) return;
    buffer.raiseEvicted(event);
    this.#release(event, buffer.source);
    // Anchored Events leave with their anchor; another Event may stand on the same position.
    while (isBelow(buffer.anchors.first, buffer.events.first)) this.#liftLowest(buffer);
  }

  #liftLowest(buffer: SessionBuffer): void {
    const anchor = buffer.anchors.shift();
    if (anchor === undefined) return;
    this.#bytes -= ANCHOR_OVERHEAD_BYTES;
    if (anchor.event.lift(anchor)) this.#release(anchor.event, anchor.event.owner.source);
  }

  #evictWhole(buffer: SessionBuffer): void {
    const { group, source } = buffer;
    const { last } = buffer.events;
    if (last !== undefined) buffer.raiseEvicted(last);
    for (const event of buffer.events) this.#release(event, source);
    while (buffer.anchors.size > 0) this.#liftLowest(buffer);
    this.recency.remove(buffer);
    if (this.#latest === buffer) this.#latest = undefined;
    this.#bytes -= buffer.bytes;
    group.buffers.delete(source);
    if (group.buffers.size === 0) this.groups.delete(group.name);
    if (buffer.evictedTo !== undefined) this.evicted.remember(group.name, source, buffer.evictedTo, group.evictedOrder);
  }

  #release(event: HeldEvent, source: string): void {
    this.#bytes -= event.bytes;
    this.#ids.delete(source, event.id);
    event.release();
    // One that its own admission evicts has no number yet.
    if (event.order > this.#order) return;
    this.#evictedEvents += 1;
    this.log.remove(event);
    const group = this.groups.get(event.session);
    if (group !== undefined) group.evictedOrder = Math.max(group.evictedOrder, event.order);
  }
}

/** The highest place that can stand ahead of one, `undefined` where none can. */
function before({ epoch, seq }: Place): Place | undefined {
  if (seq > 0) return { epoch, seq: seq - 1 };
  return epoch > 0 ? { epoch: epoch - 1, seq: Number.MAX_SAFE_INTEGER } : undefined;
}

function isBelow(place: Place | undefined, other: Place | undefined): boolean {
  return place !== undefined && other !== undefined && comparePositions(place, other) < 0;
}
