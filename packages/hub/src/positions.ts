import { comparePositions } from '@aepkit/envelope';
import type { DeliveredPosition } from './contracts.js';
import type { SourcePosition } from './delivery.js';

/** How many notes wait until they are sorted in: sorting costs a map write per session, a note costs a list slot. */
const FOLD_AT = 64;

/** Sources remembered under one session name besides the first. */
const MAX_SOURCES = 64;

interface SessionEntry {
  stamp: number;
  first: SourcePosition;
  /** Further sources that use the same session name, rare. */
  others: Map<string, SourcePosition> | undefined;
}

interface Note {
  readonly subscription: string;
  readonly latest: readonly SourcePosition[];
}

/**
 * The last position written per subscription and session, for `closing.delivered` (AEP-0003 §3.5). Bounded: of more than
 * twice `cap` sessions of a subscription the longest silent ones are forgotten.
 */
export class DeliveredPositions {
  readonly #cap: number;
  readonly #bySubscription = new Map<string, Map<string, SessionEntry>>();
  #notes: Note[] = [];
  #stamp = 0;

  constructor(cap: number) {
    this.#cap = cap;
  }

  /** Written for a subscription: the highest position of every `(source, session)`. */
  note(subscription: string, latest: readonly SourcePosition[]): void {
    if (latest.length === 0) return;
    this.#notes.push({ subscription, latest });
    if (this.#notes.length >= FOLD_AT) this.#fold();
  }

  forget(subscription: string): void {
    this.#fold();
    this.#bySubscription.delete(subscription);
  }

  /** The latest session first; of several sources under one name the lowest position, since a resume names only the session. */
  list(): readonly DeliveredPosition[] {
    this.#fold();
    const all: { readonly stamp: number; readonly position: DeliveredPosition }[] = [];
    for (const [sub, sessions] of this.#bySubscription) {
      for (const [session, { stamp, first, others }] of sessions) {
        let lowest = first;
        for (const other of others?.values() ?? []) if (comparePositions(other, lowest) < 0) lowest = other;
        all.push({ stamp, position: { sub, session, epoch: lowest.epoch, seq: lowest.seq } });
      }
    }
    all.sort((a, b) => b.stamp - a.stamp);
    return all.slice(0, this.#cap).map(({ position }) => position);
  }

  #fold(): void {
    const notes = this.#notes;
    this.#notes = [];
    for (const { subscription, latest } of notes) {
      let sessions = this.#bySubscription.get(subscription);
      if (sessions === undefined) this.#bySubscription.set(subscription, (sessions = new Map<string, SessionEntry>()));
      for (const position of latest) enter(sessions, position, ++this.#stamp);
      if (sessions.size > 2 * this.#cap) prune(sessions, this.#cap);
    }
  }
}

function enter(sessions: Map<string, SessionEntry>, position: SourcePosition, stamp: number): void {
  const entry = sessions.get(position.session);
  if (entry === undefined) {
    sessions.set(position.session, { stamp, first: position, others: undefined });
    return;
  }
  // Back to the end: the order of the map is the order of the last writes, which `prune` relies on.
  sessions.delete(position.session);
  sessions.set(position.session, entry);
  entry.stamp = stamp;
  if (entry.first.source === position.source) {
    // A redelivery does not move a position back.
    if (comparePositions(position, entry.first) > 0) entry.first = position;
    return;
  }
  const others = (entry.others ??= new Map<string, SourcePosition>());
  const known = others.get(position.source);
  if (known === undefined || comparePositions(position, known) > 0) others.set(position.source, position);
  if (others.size > MAX_SOURCES) prune(others, MAX_SOURCES);
}

/** Forgets what was entered first. */
function prune(entries: Map<string, unknown>, keep: number): void {
  for (const key of entries.keys()) {
    if (entries.size <= keep) return;
    entries.delete(key);
  }
}
