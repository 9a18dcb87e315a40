import { checkNames } from './known-names.js';
import { DEFAULT_FLUSH_TIMEOUT_MS, milliseconds } from './options.js';
import type { TransportTrouble } from './transport-trouble.js';

/** How long to wait. */
export interface FlushOptions {
  /** In milliseconds; `Infinity`: off. Default {@link DEFAULT_FLUSH_TIMEOUT_MS}. */
  readonly timeoutMs?: number;
}

/** What `flush` and `close` resolve to. */
export interface FlushOutcome {
  /**
   * Whether nothing that had been emitted before is left in memory: it was delivered, lies on the disk of a spool (`spooled`), or was lost
   * (`lost`).
   */
  readonly done: boolean;
  /** Events that wait still, in memory; after `close` they are lost. */
  readonly left: number;
  readonly leftBytes: number;
  /** Events on the disk of a spool, those of earlier and other programs included: they go out when somebody opens it again. */
  readonly spooled: number;
  /** Events lost since the emitter was made. A spool tells by its hooks what it dropped, or was refused. */
  readonly lost: number;
  /** What the transport said last, where something waits for it, in memory or on the disk, or was lost over it. */
  readonly trouble?: TransportTrouble;
}

/** Throws RangeError for a time that is none, EmitterError `unknown-name`. */
export function flushTimeout(options: FlushOptions): number {
  checkNames('option of flush and close', options);
  const { timeoutMs = DEFAULT_FLUSH_TIMEOUT_MS } = options;
  return timeoutMs === Infinity ? timeoutMs : milliseconds('timeoutMs', timeoutMs);
}
