import type { Timers } from './clock.js';
import { systemTimers } from './clock.js';
import type { ConsumerItem } from './consumer-item.js';
import { bound, DEFAULT_MAX_MESSAGE_BYTES } from './limits.js';
import { DEFAULT_HEARTBEAT_INTERVAL_MS, idsOf } from './producer-options.js';

/** Ids of events that are remembered to tell duplicates, at most. */
export const DEFAULT_MAX_REMEMBERED = 10_000;
/** Events that are given out and not yet processed, at most; further ones are left for a redelivery. */
export const DEFAULT_MAX_PENDING = 1_024;

/** What a delivery may be longer than the event that was published. */
const ADDED_BYTES = 65_536;

/** Options of a {@link SubscriptionConsumer}. Limits take a positive integer, or `Infinity` for none. */
export interface ConsumerOptions {
  /** `source` of the messages of this consumer, for example `agent:researcher`. */
  readonly source: string;
  /** `target` of its requests, for example `memory:main`. Default: none. */
  readonly target?: string;
  /** Takes the text of one message. */
  readonly send: (text: string) => unknown;
  /** Everything that happens. Called in the turn that brings it. */
  readonly onItem: (item: ConsumerItem) => void;
  /** Milliseconds between heartbeats; 0: none. They are on only where the producer wants them as well. Default 0. */
  readonly heartbeatIntervalMs?: number;
  /** Default {@link DEFAULT_MAX_REMEMBERED}. */
  readonly maxRemembered?: number;
  /** Default {@link DEFAULT_MAX_PENDING}. */
  readonly maxPending?: number;
  /** Default 1 MiB, and 64 KiB for what a producer adds to an event that just fits there. */
  readonly maxMessageBytes?: number;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
  /** Makes ids of messages and, with `sess_` in front, of sessions. Default: `evt_` and a ULID. */
  readonly createId?: () => string;
  /** Default: those of the runtime. */
  readonly timers?: Timers;
}

/** {@link ConsumerOptions} with every default filled in. */
export interface ConsumerSettings extends Required<Omit<ConsumerOptions, 'target'>> {
  readonly target: string | undefined;
}

/** Fills in defaults. Throws RangeError and TypeError. */
export function resolveConsumerOptions(options: ConsumerOptions): ConsumerSettings {
  if (typeof options.source !== 'string' || options.source === '') throw new TypeError('source is a text that is not empty');
  const now = options.now ?? Date.now;
  const heartbeatIntervalMs = options.heartbeatIntervalMs ?? DEFAULT_HEARTBEAT_INTERVAL_MS;
  if (!(Number.isSafeInteger(heartbeatIntervalMs) && heartbeatIntervalMs >= 0)) throw new RangeError('heartbeatIntervalMs is a whole number, 0 or more');
  return {
    source: options.source,
    target: options.target,
    send: options.send,
    onItem: options.onItem,
    heartbeatIntervalMs,
    maxRemembered: bound('maxRemembered', options.maxRemembered ?? DEFAULT_MAX_REMEMBERED),
    maxPending: bound('maxPending', options.maxPending ?? DEFAULT_MAX_PENDING),
    maxMessageBytes: bound('maxMessageBytes', options.maxMessageBytes ?? DEFAULT_MAX_MESSAGE_BYTES + ADDED_BYTES),
    now,
    createId: options.createId ?? idsOf(now),
    timers: options.timers ?? systemTimers,
  };
}
