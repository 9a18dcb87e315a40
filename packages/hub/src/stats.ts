import type { CloseReason, CommittedBatch } from './contracts.js';

/** A snapshot of what a hub did and holds. Counters never fall. */
export interface HubStats {
  /** Events committed, repeats included. */
  readonly ingested: number;
  readonly admitted: number;
  readonly duplicates: number;
  readonly late: number;
  readonly unbuffered: number;
  /** Batches refused or failed. */
  readonly refused: number;
  /** Events handed to sinks, replayed ones included; one per connection. */
  readonly delivered: number;
  /** `debug` and `info` Events dropped towards slow consumers. */
  readonly dropped: number;
  readonly replays: number;
  readonly closed: Readonly<Record<CloseReason | 'peer', number>>;
  readonly incidents: number;
  readonly connections: number;
  readonly subscriptions: number;
  /** Bytes that wait for consumers, each counted as if it shared nothing. */
  readonly queuedBytes: number;
  readonly uncommittedBytes: number;
}

/** The counters behind {@link HubStats}. */
export interface Counters {
  ingested: number;
  admitted: number;
  duplicates: number;
  late: number;
  unbuffered: number;
  refused: number;
  delivered: number;
  dropped: number;
  replays: number;
  incidents: number;
  readonly closed: Record<CloseReason | 'peer', number>;
}

export function newCounters(): Counters {
  return {
    ingested: 0,
    admitted: 0,
    duplicates: 0,
    late: 0,
    unbuffered: 0,
    refused: 0,
    delivered: 0,
    dropped: 0,
    replays: 0,
    incidents: 0,
    closed: {
      shutdown: 0,
      'slow-consumer': 0,
      'replay-stalled': 0,
      'replay-evicted': 0,
      unavailable: 0,
      'replay-done': 0,
      'internal-error': 0,
      peer: 0,
    },
  };
}

/** Counts what a committed batch brought. */
export function countCommit(counters: Counters, batch: CommittedBatch): void {
  counters.ingested += batch.events.length;
  for (const admission of batch.admissions) {
    switch (admission) {
      case 'admitted':
        counters.admitted++;
        break;
      case 'duplicate':
        counters.duplicates++;
        break;
      case 'late':
        counters.late++;
        break;
      case 'unbuffered':
        counters.unbuffered++;
        break;
    }
  }
}
