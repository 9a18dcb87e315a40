import { epochOf, type WireEvent } from '@aepkit/envelope';
import type { Admission, LogMark } from '@aepkit/hub';
import type { HistoryErrorCode } from './errors.js';
import { timeMs } from './time-ms.js';

/** What one {@link Group} says of several Events: who wrote them, and in which session. */
export interface Owner {
  readonly source: string;
  /** `undefined`: agent-scoped. */
  readonly session: string | undefined;
  readonly agent: string;
}

/**
 * Batches on their way to the writer, as columns: arrays of strings cross to another thread at a third of the price of one
 * joined text and a tenth of that of the parsed Events.
 */
export interface Group {
  /** Events per batch. */
  readonly sizes: readonly number[];
  readonly owners: readonly Owner[];
  /** Per Event: index of its owner. */
  readonly owner: Uint32Array;
  readonly ids: readonly string[];
  /** The types there are, few of them. */
  readonly types: readonly string[];
  /** Per Event: index of its type. */
  readonly type: Uint32Array;
  /** Per Event: its time, in milliseconds since 1970. */
  readonly times: Float64Array;
  readonly epochs: Float64Array;
  /** {@link NO_SEQ} for an Event without a position. */
  readonly seqs: Float64Array;
  readonly json: readonly string[];
}

/** A batch of a group that was not committed. */
export interface Failure {
  readonly batch: number;
  readonly code: HistoryErrorCode;
  readonly message: string;
}

/** What became of a {@link Group}. */
export interface Outcome {
  /** Per Event, an index of {@link ADMISSIONS}; of no meaning for those of failed batches. */
  readonly admissions: Uint8Array;
  readonly failures: readonly Failure[];
  /** The mark behind the group. */
  readonly mark: LogMark;
  /** The mark up to which positions and summaries are filled. */
  readonly indexed: LogMark;
}

/** Admissions by their number in {@link Outcome.admissions}. */
export const ADMISSIONS: readonly Admission[] = ['admitted', 'duplicate', 'late', 'unbuffered'];
export const ADMITTED = 0;
export const DUPLICATE = 1;
export const LATE = 2;
export const UNBUFFERED = 3;

export const NO_SEQ = -1;

/** Lays batches out as columns. Reads own properties only. */
export function makeGroup(batches: readonly (readonly WireEvent[])[]): Group {
  const sizes = batches.map((batch) => batch.length);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const owners: Owner[] = [];
  const bySource = new Map<string, Map<string | undefined, number>>();
  const types: string[] = [];
  const byType = new Map<string, number>();
  const owner = new Uint32Array(total);
  const ids = new Array<string>(total);
  const type = new Uint32Array(total);
  const times = new Float64Array(total);
  const epochs = new Float64Array(total);
  const seqs = new Float64Array(total);
  const json = new Array<string>(total);
  let at = 0;
  let index = -1;
  for (const batch of batches) {
    for (const wire of batch) {
      const { event } = wire;
      const { source } = event;
      const session = Object.hasOwn(event, 'session') ? event.session : undefined;
      // Events come in runs of one owner.
      const latest = owners[index];
      if (latest?.source !== source || latest.session !== session) {
        const bySession = bySource.get(source) ?? new Map<string | undefined, number>();
        index = bySession.get(session) ?? owners.push({ source, session, agent: event.agent }) - 1;
        bySource.set(source, bySession.set(session, index));
      }
      owner[at] = index;
      ids[at] = event.id;
      let known = byType.get(event.type);
      if (known === undefined) byType.set(event.type, (known = types.push(event.type) - 1));
      type[at] = known;
      times[at] = timeMs(event.time);
      epochs[at] = epochOf(event);
      seqs[at] = (Object.hasOwn(event, 'seq') ? event.seq : undefined) ?? NO_SEQ;
      json[at] = wire.json;
      at += 1;
    }
  }
  return { sizes, owners, owner, ids, types, type, times, epochs, seqs, json };
}
