import { comparePositions } from '@aepkit/envelope';
import type { DeliveredPosition } from './contracts.js';
import type { SourcePosition } from './delivery.js';

/** Sources remembered under one session name besides the first. */
const MAX_SOURCES = 64;

interface SessionEntry {
  readonly session: string;
  stamp: number;
  /** Of the first source, in numbers: an entry that points to nothing new costs the memory manager nothing. */
  readonly source: string;
  epoch: number;
  seq: number;
  /** Further sources that use the same session name, rare. */
  others: Map<string, SourcePosition> | undefined;
}

/** Sessions of a subscription beyond `cap` that are kept until the silent ones are sorted out. */
const SLACK = 64;

/**
 * The last position written per subscription and session, for `closing.delivered` (AEP-0003 §3.5). Bounded: of more
 * sessions than `cap` and a slack the longest silent ones are forgotten.
 */
export class DeliveredPositions {
  readonly #cap: number;
  readonly #bySubscription = new Map<string, Map<string, SessionEntry>>();
  #stamp = 0;
  // What is written next is most often of the same session, and for the same subscription.
  #subscription = '';
  #sessions: Map<string, SessionEntry> | undefined;
  #entry: SessionEntry | undefined;

  constructor(cap: number) {
    this.#cap = cap;
  }

  /** Written for a subscription: the highest position of every `(source, session)`. */
  note(subscription: string, latest: readonly SourcePosition[]): void {
    for (const position of latest) this.#enter(subscription, position);
  }

  forget(subscription: string): void {
    this.#bySubscription.delete(subscription);
    this.#sessions = undefined;
    this.#entry = undefined;
  }

  /** The latest session first; of several sources under one name the lowest position, since a resume names only the session. */
  list(): readonly DeliveredPosition[] {
    const all: { readonly stamp: number; readonly position: DeliveredPosition }[] = [];
    for (const [sub, sessions] of this.#bySubscription) {
      for (const [session, { stamp, epoch, seq, others }] of sessions) {
        let lowest: { readonly epoch: number; readonly seq: number } = { epoch, seq };
        for (const other of others?.values() ?? []) if (comparePositions(other, lowest) < 0) lowest = other;
        all.push({ stamp, position: { sub, session, epoch: lowest.epoch, seq: lowest.seq } });
      }
    }
    all.sort((a, b) => b.stamp - a.stamp);
    return all.slice(0, this.#cap).map(({ position }) => position);
  }

  #enter(subscription: string, position: SourcePosition): void {
    const stamp = ++this.#stamp;
    if (this.#sessions === undefined || this.#subscription !== subscription) {
      let sessions = this.#bySubscription.get(subscription);
      if (sessions === undefined) this.#bySubscription.set(subscription, (sessions = new Map<string, SessionEntry>()));
      this.#subscription = subscription;
      this.#sessions = sessions;
      this.#entry = undefined;
    }
    let entry = this.#entry?.session === position.session ? this.#entry : this.#sessions.get(position.session);
    if (entry === undefined) {
      entry = { ...position, stamp, others: undefined };
      this.#sessions.set(position.session, entry);
      if (this.#sessions.size > this.#cap + SLACK) forgetSilent(this.#sessions, this.#cap);
    } else {
      entry.stamp = stamp;
      raise(entry, position);
    }
    this.#entry = entry;
  }
}

/** A redelivery does not move a position back. */
function raise(entry: SessionEntry, position: SourcePosition): void {
  if (entry.source === position.source) {
    if (comparePositions(position, entry) <= 0) return;
    entry.epoch = position.epoch;
    entry.seq = position.seq;
    return;
  }
  const others = (entry.others ??= new Map<string, SourcePosition>());
  const known = others.get(position.source);
  if (known === undefined || comparePositions(position, known) > 0) others.set(position.source, position);
  if (others.size <= MAX_SOURCES) return;
  for (const oldest of others.keys()) {
    others.delete(oldest);
    return;
  }
}

function forgetSilent(sessions: Map<string, SessionEntry>, keep: number): void {
  const byAge = [...sessions].sort(([, a], [, b]) => a.stamp - b.stamp);
  for (const [session] of byAge.slice(0, sessions.size - keep)) sessions.delete(session);
}
