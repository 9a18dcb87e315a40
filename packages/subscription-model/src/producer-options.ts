import { createIdFactory } from '@aepkit/envelope';

import { systemTimers, type Timers } from './clock.js';
import { compareDeliveryModes, DELIVERY_MODES, type DeliveryMode } from './delivery-mode.js';
import type { EventStream } from './event-stream.js';
import type { Filter } from './filter.js';
import { bound, DEFAULT_MAX_MESSAGE_BYTES, filterBounds, type FilterBounds, type FilterLimits } from './limits.js';
import { memoryStream } from './memory-stream.js';
import type { Message } from './message.js';
import type { ProducerIncident } from './producer-incident.js';
import { resolveRetry, type RetryPolicy } from './retry-policy.js';

/** Most active subscriptions of one session. */
export const DEFAULT_MAX_SUBSCRIPTIONS_PER_SESSION = 100;
/** Most active subscriptions of a producer. */
export const DEFAULT_MAX_SUBSCRIPTIONS = 100_000;
/** Most bytes of filters that one connection has active: 1 MiB. */
export const DEFAULT_MAX_FILTER_BYTES_PER_CONNECTION = 1_048_576;
/** Most sessions of one connection, those that are over included. */
export const DEFAULT_MAX_SESSIONS = 64;
/** Longest id that a peer may choose, in UTF-16 code units. */
export const DEFAULT_MAX_ID_LENGTH = 256;
/** Most events of a session between the oldest unacknowledged one and the newest. */
export const DEFAULT_MAX_UNACKNOWLEDGED = 256;
/** Most bytes of those events: 8 MiB. One event always fits. */
export const DEFAULT_MAX_UNACKNOWLEDGED_BYTES = 8_388_608;
/** Most answers to a peer that does not read, until its connection is given up. */
export const DEFAULT_MAX_CONTROL_BACKLOG = 1_024;
/** How long a subscription lasts, in milliseconds: without end. */
export const DEFAULT_LIFETIME_MS: number = Number.POSITIVE_INFINITY;
/** Milliseconds between heartbeats that are offered: none. */
export const DEFAULT_HEARTBEAT_INTERVAL_MS = 0;

/** Who asks for a subscription: what hooks of {@link ProducerOptions} are told. */
export interface Subscriber<I = unknown> {
  /** What `connect` was given. */
  readonly identity: I | undefined;
  readonly sessionId: string;
}

/** Options of a {@link SubscriptionProducer}. Limits take a positive integer, or `Infinity` for none. */
export interface ProducerOptions<I = unknown> extends FilterLimits {
  /** `source` of the messages of this producer, for example `memory:main`. */
  readonly source: string;
  /** What is delivered and can be replayed. Default: `memoryStream()`. */
  readonly stream?: EventStream;
  /** Modes that are supported; a request for a stronger one is downgraded. Has to hold `best_effort`. Default: all three. */
  readonly modes?: readonly DeliveryMode[];
  /** Default {@link DEFAULT_LIFETIME_MS}. */
  readonly lifetimeMs?: number;
  readonly retry?: RetryPolicy;
  /** 0: no heartbeats. Default {@link DEFAULT_HEARTBEAT_INTERVAL_MS}. */
  readonly heartbeatIntervalMs?: number;
  /** Whether a filter stays within what its subscriber may see (C7). `false` or a sentence: `unauthorized`. Default: it does. */
  readonly authorize?: (filter: Filter, subscriber: Subscriber<I>) => boolean | string;
  /** Whether a subscriber may get an event at all, for example one of another tenant (C7). Default: it may. */
  readonly visible?: (message: Message, subscriber: Subscriber<I>) => boolean;
  /** Messages of a peer that are no business of subscriptions, with their text as it came: `publish` takes it. */
  readonly onMessage?: (message: Message, sender: { readonly identity: I | undefined; readonly text: string }) => void;
  /** Losses and faults, for operators. */
  readonly onIncident?: (incident: ProducerIncident) => void;
  /** Default {@link DEFAULT_MAX_SUBSCRIPTIONS_PER_SESSION}. */
  readonly maxSubscriptionsPerSession?: number;
  /** Default {@link DEFAULT_MAX_SUBSCRIPTIONS}. */
  readonly maxSubscriptions?: number;
  /** Default {@link DEFAULT_MAX_FILTER_BYTES_PER_CONNECTION}. */
  readonly maxFilterBytesPerConnection?: number;
  /** Default {@link DEFAULT_MAX_SESSIONS}. */
  readonly maxSessions?: number;
  /** Default {@link DEFAULT_MAX_ID_LENGTH}. */
  readonly maxIdLength?: number;
  /** Default {@link DEFAULT_MAX_UNACKNOWLEDGED}. */
  readonly maxUnacknowledged?: number;
  /** Default {@link DEFAULT_MAX_UNACKNOWLEDGED_BYTES}. */
  readonly maxUnacknowledgedBytes?: number;
  /** Default {@link DEFAULT_MAX_CONTROL_BACKLOG}. */
  readonly maxControlBacklog?: number;
  /** Default 1 MiB. */
  readonly maxMessageBytes?: number;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
  /** Makes ids of messages. Default: `evt_` and a ULID. */
  readonly createId?: () => string;
  /** Default: those of the runtime. */
  readonly timers?: Timers;
}

/** {@link ProducerOptions} with every default filled in. */
export interface ProducerSettings extends FilterBounds {
  readonly source: string;
  readonly stream: EventStream;
  readonly modes: readonly DeliveryMode[];
  readonly lifetimeMs: number;
  readonly retry: Required<RetryPolicy>;
  readonly heartbeatIntervalMs: number;
  readonly authorize: (filter: Filter, subscriber: Subscriber) => boolean | string;
  readonly visible: ((message: Message, subscriber: Subscriber) => boolean) | undefined;
  readonly onMessage: (message: Message, sender: { readonly identity: unknown; readonly text: string }) => void;
  readonly onIncident: (incident: ProducerIncident) => void;
  readonly maxSubscriptionsPerSession: number;
  readonly maxSubscriptions: number;
  readonly maxFilterBytesPerConnection: number;
  readonly maxSessions: number;
  readonly maxIdLength: number;
  readonly maxUnacknowledged: number;
  readonly maxUnacknowledgedBytes: number;
  readonly maxControlBacklog: number;
  readonly maxMessageBytes: number;
  readonly now: () => number;
  readonly createId: () => string;
  readonly timers: Timers;
}

/** Fills in defaults. Throws RangeError and TypeError. */
export function resolveProducerOptions<I>(options: ProducerOptions<I>): ProducerSettings {
  if (typeof options.source !== 'string' || options.source === '') throw new TypeError('source is a text that is not empty');
  const modes = [...new Set(options.modes ?? DELIVERY_MODES)].toSorted(compareDeliveryModes);
  if (!modes.includes('best_effort')) throw new RangeError('modes has to hold best_effort: no subscription gets more than it asks for');
  const now = options.now ?? Date.now;
  const createId = options.createId ?? idsOf(now);
  return {
    ...filterBounds(options),
    source: options.source,
    stream: options.stream ?? memoryStream(),
    modes: Object.freeze(modes),
    lifetimeMs: bound('lifetimeMs', options.lifetimeMs ?? DEFAULT_LIFETIME_MS),
    retry: resolveRetry(options.retry),
    heartbeatIntervalMs: count('heartbeatIntervalMs', options.heartbeatIntervalMs ?? DEFAULT_HEARTBEAT_INTERVAL_MS),
    authorize: (options.authorize as ProducerSettings['authorize'] | undefined) ?? (() => true),
    visible: options.visible as ProducerSettings['visible'],
    onMessage: (options.onMessage as ProducerSettings['onMessage'] | undefined) ?? (() => undefined),
    onIncident: options.onIncident ?? (() => undefined),
    maxSubscriptionsPerSession: bound(
      'maxSubscriptionsPerSession',
      options.maxSubscriptionsPerSession ?? DEFAULT_MAX_SUBSCRIPTIONS_PER_SESSION,
    ),
    maxSubscriptions: bound('maxSubscriptions', options.maxSubscriptions ?? DEFAULT_MAX_SUBSCRIPTIONS),
    maxFilterBytesPerConnection: bound(
      'maxFilterBytesPerConnection',
      options.maxFilterBytesPerConnection ?? DEFAULT_MAX_FILTER_BYTES_PER_CONNECTION,
    ),
    maxSessions: bound('maxSessions', options.maxSessions ?? DEFAULT_MAX_SESSIONS),
    maxIdLength: bound('maxIdLength', options.maxIdLength ?? DEFAULT_MAX_ID_LENGTH),
    maxUnacknowledged: bound('maxUnacknowledged', options.maxUnacknowledged ?? DEFAULT_MAX_UNACKNOWLEDGED),
    maxUnacknowledgedBytes: bound('maxUnacknowledgedBytes', options.maxUnacknowledgedBytes ?? DEFAULT_MAX_UNACKNOWLEDGED_BYTES),
    maxControlBacklog: bound('maxControlBacklog', options.maxControlBacklog ?? DEFAULT_MAX_CONTROL_BACKLOG),
    maxMessageBytes: bound('maxMessageBytes', options.maxMessageBytes ?? DEFAULT_MAX_MESSAGE_BYTES),
    now,
    createId,
    timers: options.timers ?? systemTimers,
  };
}

/** Ids as the draft suggests them (C1). */
export function idsOf(now: () => number): () => string {
  const next = createIdFactory({ now });
  return () => `evt_${next()}`;
}

function count(name: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw new RangeError(`${name} is a whole number, 0 or more`);
}
