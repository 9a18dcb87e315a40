import type { WireEvent } from '@aepkit/envelope';

/** What a transport gets besides Events. */
export interface TransportOptions {
  /** Set when the emitter gives up waiting. */
  readonly signal: AbortSignal;
}

/** Whose transport it is, for one that introduces its emitter (AEP-0003 §4). */
export interface TransportPeer {
  /** `agent` of the Events to come. */
  readonly agent: string;
  /** What it states about commands; absent where it takes none. */
  readonly control?: { readonly accepts: readonly string[]; readonly ack_window_ms: number };
  /** Takes a command that was handed to this emitter as its target; not one that was merely seen. */
  readonly onCommand?: (command: WireEvent) => void;
}

/** Brings Events somewhere. One call at a time; the Events of a call, and the calls, are in order. */
export interface Transport {
  /**
   * Resolves when all of them are taken. Rejects with a `TransportError`, or any error for a failure that may pass: the same
   * Events come again, with the same ids and in the same order.
   */
  send(batch: readonly WireEvent[], options: TransportOptions): Promise<void>;
  /**
   * For a transport that keeps Events it has taken, such as a spool: delivers them now. Called by `flush` and `close` of the emitter when its
   * queue is empty. Resolves when nothing is kept any more, or soon after the signal; rejects as soon as the other side does not take it, with
   * the error that says why.
   */
  flush?(options: TransportOptions): Promise<void>;
  /** How many Events it has taken and not delivered, as far as it knows. They survive `close`. */
  pending?(): number;
  /** Called once, before the first `send` of the emitter. One that has it can bring commands. */
  attach?(peer: TransportPeer): void;
  /** Called once, after the last `send` has settled or was given up. */
  close?(): Promise<void>;
}

/** What a transport keeps; 0 where it does not say, or says nonsense. */
export function pendingOf(transport: Transport): number {
  try {
    const pending = transport.pending?.();
    return typeof pending === 'number' && Number.isSafeInteger(pending) && pending > 0 ? pending : 0;
  } catch {
    return 0;
  }
}
