import { DEFAULT_MAX_KEYS, DEFAULT_MAX_TEXT_BYTES, DEFAULT_MAX_VALUES } from '@aepkit/attr-match';
import type { JsonObject } from '@aepkit/envelope';
import type { Commands, EventLog } from './contracts.js';

/** Most connections at a time. */
export const DEFAULT_MAX_CONNECTIONS = 10_000;
/** Most subscriptions of one connection. */
export const DEFAULT_MAX_SUBSCRIPTIONS = 100;
/** Most positions in one `from`. */
export const DEFAULT_MAX_POSITIONS = 10_000;
/** Longest subscription id, in UTF-16 units. */
export const DEFAULT_MAX_ID_LENGTH = 256;
/** Most bytes of Events that wait for their commit. */
export const DEFAULT_MAX_UNCOMMITTED_BYTES: number = 64 * 1024 * 1024;
/** Most bytes of Events that wait for one connection. */
export const DEFAULT_MAX_QUEUE_BYTES: number = 4 * 1024 * 1024;
/** Most positions handed to `Sink.close`. */
export const DEFAULT_MAX_DELIVERED_POSITIONS = 300;
/** How long a replay may stand still before its connection is closed. */
export const DEFAULT_REPLAY_STALL_MS = 30_000;
/** How many bytes a replay hands to a sink in one write. */
export const DEFAULT_REPLAY_WRITE_BYTES: number = 64 * 1024;
/** How long `Hub.close` waits for commits and queues. */
export const DEFAULT_CLOSE_TIMEOUT_MS = 2_000;

/** The most that a timer counts; a longer one would fire at once, so it counts as off. */
const MAX_DELAY_MS = 2_147_483_647;

/** Timers as the hub uses them. They must not keep the process alive. */
export interface HubTimers {
  setTimeout(callback: () => void, ms: number): unknown;
  clearTimeout(timer: unknown): void;
}

/** Something went wrong that nobody waits for: a sink that throws, a replay that fails. */
export interface HubIncident {
  readonly type: 'sink-failed' | 'replay-failed' | 'commands-failed';
  readonly connection: string;
  readonly error: unknown;
}

/** Options of a {@link Hub}. Every bound takes `Infinity` for "off". */
export interface HubOptions {
  /** The history behind the endpoint. */
  readonly log: EventLog;
  /** Identity of this endpoint, unique among those it may be chained with. */
  readonly id: string;
  /** `role` of the discovery document. Default `collector`. */
  readonly role?: 'collector' | 'relay';
  /** The command side. Without it every command is refused, apart from recorded ones that come over a link. */
  readonly commands?: Commands;
  /** Offer `from: "all"` (AEP-0003 §5). Default true. */
  readonly replayAll?: boolean;
  /** `capabilities.experimental`, verbatim, or what gives it whenever it is stated. Default `{}`. */
  readonly experimental?: JsonObject | (() => JsonObject);
  /** `capabilities.control`, verbatim: states that commands are routed (AEP-0004 §7). Default: not stated. */
  readonly control?: JsonObject;
  /** Default {@link DEFAULT_MAX_CONNECTIONS}. */
  readonly maxConnections?: number;
  /** Per connection. Default {@link DEFAULT_MAX_SUBSCRIPTIONS}. */
  readonly maxSubscriptions?: number;
  /** Per `from`. Default {@link DEFAULT_MAX_POSITIONS}. */
  readonly maxPositions?: number;
  /** Default {@link DEFAULT_MAX_ID_LENGTH}. */
  readonly maxIdLength?: number;
  /** Bytes of the text of one filter. Default: that of `@aepkit/attr-match`, 64 KiB. */
  readonly maxFilterBytes?: number;
  /** Members of one filter. Default: that of `@aepkit/attr-match`, 64. */
  readonly maxFilterKeys?: number;
  /** Values of one filter, over all its members. Default: that of `@aepkit/attr-match`, 1,000. */
  readonly maxFilterValues?: number;
  /** Bytes. Default {@link DEFAULT_MAX_UNCOMMITTED_BYTES}. */
  readonly maxUncommittedBytes?: number;
  /** Bytes, per connection. Default {@link DEFAULT_MAX_QUEUE_BYTES}. */
  readonly maxQueueBytes?: number;
  /** Default {@link DEFAULT_MAX_DELIVERED_POSITIONS}. */
  readonly maxDeliveredPositions?: number;
  /** Milliseconds. Default {@link DEFAULT_REPLAY_STALL_MS}. */
  readonly replayStallMs?: number;
  /** Bytes. Default {@link DEFAULT_REPLAY_WRITE_BYTES}. */
  readonly replayWriteBytes?: number;
  /** Milliseconds. Default {@link DEFAULT_CLOSE_TIMEOUT_MS}. */
  readonly closeTimeoutMs?: number;
  /** Default: `setTimeout`, unreferenced. */
  readonly timers?: HubTimers;
  /** Lets the event loop turn once, so that a replay does not keep others waiting. Default: `setImmediate`. */
  readonly yieldTurn?: () => Promise<void>;
  /** Told of incidents. Must not throw. Default: nobody is told; `stats()` counts. */
  readonly onIncident?: (incident: HubIncident) => void;
}

/** Every option with its default filled in. */
export type ResolvedOptions = Required<Omit<HubOptions, 'commands' | 'control' | 'experimental' | 'log'>> & {
  readonly control: JsonObject | undefined;
  readonly experimental: () => JsonObject;
};

const BOUNDS = {
  maxConnections: DEFAULT_MAX_CONNECTIONS,
  maxSubscriptions: DEFAULT_MAX_SUBSCRIPTIONS,
  maxPositions: DEFAULT_MAX_POSITIONS,
  maxIdLength: DEFAULT_MAX_ID_LENGTH,
  maxFilterBytes: DEFAULT_MAX_TEXT_BYTES,
  maxFilterKeys: DEFAULT_MAX_KEYS,
  maxFilterValues: DEFAULT_MAX_VALUES,
  maxUncommittedBytes: DEFAULT_MAX_UNCOMMITTED_BYTES,
  maxQueueBytes: DEFAULT_MAX_QUEUE_BYTES,
  maxDeliveredPositions: DEFAULT_MAX_DELIVERED_POSITIONS,
  replayStallMs: DEFAULT_REPLAY_STALL_MS,
  replayWriteBytes: DEFAULT_REPLAY_WRITE_BYTES,
  closeTimeoutMs: DEFAULT_CLOSE_TIMEOUT_MS,
} as const;

type Bound = keyof typeof BOUNDS;

/** Fills in the defaults. Throws a `TypeError` or `RangeError` for what no hub can run with. */
export function resolveOptions(options: HubOptions): ResolvedOptions {
  if (typeof options.id !== 'string' || options.id === '') throw new TypeError('id: a hub needs an identity');
  const bounds = { ...BOUNDS } as Record<Bound, number>;
  for (const name of Object.keys(BOUNDS) as Bound[]) {
    const value = options[name];
    if (value === undefined) continue;
    if (value !== Infinity && !(Number.isSafeInteger(value) && value > 0)) throw new RangeError(`${name}: expected a positive integer or Infinity`);
    bounds[name] = name.endsWith('Ms') && value > MAX_DELAY_MS ? Infinity : value;
  }
  const { experimental = {} } = options;
  return {
    ...bounds,
    id: options.id,
    role: options.role ?? 'collector',
    replayAll: options.replayAll ?? true,
    experimental: typeof experimental === 'function' ? experimental : () => experimental,
    control: options.control,
    timers: options.timers ?? BACKGROUND_TIMERS,
    yieldTurn: options.yieldTurn ?? (() => new Promise<void>((resolve) => setImmediate(resolve))),
    onIncident: options.onIncident ?? (() => undefined),
  };
}

const BACKGROUND_TIMERS: HubTimers = {
  setTimeout: (callback, ms) => setTimeout(callback, ms).unref(),
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
};
