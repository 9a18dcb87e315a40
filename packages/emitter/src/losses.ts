import { SEVERITIES, severityOf, type AepEvent, type Severity } from '@aepkit/envelope';

/** Most Events named in one {@link Loss}; `count` is exact. */
export const MAX_NAMED_LOSSES = 100;

/**
 * Why an Event did not arrive.
 *
 * - `queue-full`: there was no room, AEP-0003 §8.4 says who goes first.
 * - `refused`: the other side will never take it.
 * - `gave-up`: `maxAttempts` were made.
 * - `closed`: the emitter was closed before it could be delivered.
 */
export type LossReason = 'queue-full' | 'refused' | 'gave-up' | 'closed';

/** An Event that was lost: who it was, nothing of what it said. */
export interface LostEvent {
  readonly id: string;
  readonly type: string;
  readonly severity: Severity;
  readonly session?: string;
}

/** What was lost since the last call of `onLoss`, for one reason. */
export interface Loss {
  readonly reason: LossReason;
  readonly count: number;
  /** The first {@link MAX_NAMED_LOSSES} of them; those of `notice` and above take the places of others. */
  readonly events: readonly LostEvent[];
  /** With `refused` and `gave-up`: what the transport said last. */
  readonly error?: unknown;
}

interface OpenLoss {
  count: number;
  readonly events: LostEvent[];
  /** Places in `events` that an Event of more weight may take. */
  readonly light: number[];
  error: unknown;
}

/** Counts what is lost and tells it once per turn, so that a flood of losses is not a flood of calls. */
export class Losses {
  readonly #onLoss: ((loss: Loss) => void) | undefined;
  readonly #byReason: Record<LossReason, number> = { 'queue-full': 0, refused: 0, 'gave-up': 0, closed: 0 };
  readonly #bySeverity = Object.fromEntries(SEVERITIES.map((severity) => [severity, 0])) as Record<Severity, number>;
  #open = new Map<LossReason, OpenLoss>();

  constructor(onLoss: ((loss: Loss) => void) | undefined) {
    this.#onLoss = onLoss;
  }

  get byReason(): Readonly<Record<LossReason, number>> {
    return { ...this.#byReason };
  }

  get bySeverity(): Readonly<Record<Severity, number>> {
    return { ...this.#bySeverity };
  }

  get total(): number {
    return Object.values(this.#byReason).reduce((sum, count) => sum + count, 0);
  }

  add(reason: LossReason, event: AepEvent, error?: unknown): void {
    const severity = severityOf(event);
    this.#byReason[reason] += 1;
    this.#bySeverity[severity] += 1;
    if (this.#onLoss === undefined) return;
    if (this.#open.size === 0) queueMicrotask(() => { this.tell(); });
    let open = this.#open.get(reason);
    if (open === undefined) {
      open = { count: 0, events: [], light: [], error: undefined };
      this.#open.set(reason, open);
    }
    open.count += 1;
    open.error = error;
    const light = severity === 'debug' || severity === 'info';
    const full = open.events.length >= MAX_NAMED_LOSSES;
    const place = full ? (light ? undefined : open.light.pop()) : open.events.length;
    if (place === undefined) return;
    if (light) open.light.push(place);
    open.events[place] = { id: event.id, type: event.type, severity, ...(event.session === undefined ? {} : { session: event.session }) };
  }

  /** Calls `onLoss` for what has not been told. */
  tell(): void {
    const open = this.#open;
    this.#open = new Map();
    for (const [reason, { count, events, error }] of open) {
      try {
        this.#onLoss?.({ reason, count, events, ...(error === undefined ? {} : { error }) });
      } catch {
        // The program being observed is not stopped by its own bookkeeping.
      }
    }
  }
}
