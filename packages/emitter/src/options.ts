import { DEFAULT_ACK_WINDOW_MS } from '@aepkit/control';
import { CAPTURES, CATEGORIES, createIdFactory, DEFAULT_MAX_BYTES, DEFAULT_MAX_DEPTH, sourceUri, type Capture } from '@aepkit/envelope';
import { createRedactor } from '@aepkit/redaction';

import { clockEpochs } from './clock-epochs.js';
import type { CommandHandler } from './commands.js';
import type { EpochStore } from './epoch-store.js';
import { identifier } from './identifiers.js';
import { checkNames } from './known-names.js';
import type { Loss } from './losses.js';
import { redactorOf, type Redact, type Redactor } from './redactor.js';
import type { TransportFailure } from './sender.js';
import type { SnapshotLimits } from './snapshot.js';
import { GLOBAL_TIMERS, LONGEST_TIMER_MS, type EmitterTimers } from './timers.js';
import type { Transport } from './transport.js';

/** Ceiling of what is emitted, unless `ceiling` says otherwise (AEP-0001 §8.2(d)). */
export const DEFAULT_CEILING: Capture = 'metadata';
/** Host part of `source`, unless `host` says otherwise. */
export const DEFAULT_HOST = 'localhost';
/** Events waiting, those in flight included, unless `maxQueuedEvents` says otherwise. */
export const DEFAULT_MAX_QUEUED_EVENTS = 10_000;
/** Bytes waiting, each Event counted as 512 more than its text, unless `maxQueuedBytes` says otherwise: 16 MiB. */
export const DEFAULT_MAX_QUEUED_BYTES = 16_777_216;
/** Events of one batch, unless `maxBatchEvents` says otherwise. */
export const DEFAULT_MAX_BATCH_EVENTS = 500;
/** Bytes of one batch, unless `maxBatchBytes` says otherwise: 1 MiB. A larger single Event goes alone. */
export const DEFAULT_MAX_BATCH_BYTES = 1_048_576;
/** How long an Event waits for company, in milliseconds, unless `batchDelayMs` says otherwise. */
export const DEFAULT_BATCH_DELAY_MS = 20;
/** First pause before another attempt, in milliseconds, unless `retryBaseMs` says otherwise. Doubles each time. */
export const DEFAULT_RETRY_BASE_MS = 200;
/** Longest pause between attempts, in milliseconds, unless `retryMaxMs` says otherwise. A transport may ask for more. */
export const DEFAULT_RETRY_MAX_MS = 30_000;
/** Attempts for one batch, unless `maxAttempts` says otherwise: off. The queue bounds what waits meanwhile. */
export const DEFAULT_MAX_ATTEMPTS: number = Number.POSITIVE_INFINITY;
/** How long `flush` and `close` wait, in milliseconds, unless `timeoutMs` says otherwise. */
export const DEFAULT_FLUSH_TIMEOUT_MS = 5_000;
/** Largest Event, in bytes, unless `maxEventBytes` says otherwise: 1 MiB, what endpoints take. */
export const DEFAULT_MAX_EVENT_BYTES: number = DEFAULT_MAX_BYTES;
/** Largest payload as given, in characters with 16 more for each value, unless `maxPayloadUnits` says otherwise: 16 Mi. */
export const DEFAULT_MAX_PAYLOAD_UNITS = 16_777_216;
/** Sessions open at once, unless `maxSessions` says otherwise. As many that have ended are remembered. */
export const DEFAULT_MAX_SESSIONS = 10_000;
/** Open requests for attention per session, unless `maxRequests` says otherwise. */
export const DEFAULT_MAX_REQUESTS = 1_000;
/** What the open requests of a session offer, options and fields, in characters of JSON, unless `maxRequestUnits` says otherwise: 4 Mi. */
export const DEFAULT_MAX_REQUEST_UNITS = 4_194_304;
/** Runs, tool calls, requests and acks remembered as ended per session, each, unless `maxUnits` says otherwise. */
export const DEFAULT_MAX_UNITS = 10_000;

/** What `createEmitter` takes. */
export interface EmitterOptions {
  /** Logical name of the emitting agent; does not change over time. */
  readonly agent: string;
  /** Default {@link DEFAULT_HOST}; a Node program passes `os.hostname()`. */
  readonly host?: string;
  /**
   * The `source` of a session, or of the agent where none is given. Has to give the same for the same session, always. Default
   * `aep://{host}/agent/{agent}/session/{session}`, percent-encoded.
   */
  readonly source?: (session?: string) => string;
  readonly transport: Transport;
  /** Highest capture level. Default {@link DEFAULT_CEILING}. */
  readonly ceiling?: Capture;
  /**
   * The same for Events of a category (`attention`, `tool`; for vendor types their third part), in place of `ceiling`. Default: none, except
   * that with `redact`, `names`, `homes` or `pii` and without a `ceiling`, `attention` is at `redacted` (AEP-0003 §9.1).
   */
  readonly ceilings?: Readonly<Record<string, Capture>>;
  /**
   * Command types that are taken, exact: stated by a transport that connects, such as `webSocketTransport`. Anything else is answered
   * `unsupported`, and what does not fit its session `invalid`, see {@link CommandHandler}. Default: none.
   */
  readonly accepts?: readonly string[];
  /** Decides about commands for sessions of this emitter. Goes with `accepts`. */
  readonly onCommand?: CommandHandler;
  /** Milliseconds within which every command is acked. Default 10,000 (AEP-0004 §3). */
  readonly ackWindowMs?: number;
  /**
   * The redaction pipeline of AEP-0003 §9.4. Default: that of `@aepkit/redaction`. With `false` there is none, and a ceiling of `redacted`
   * lands on `metadata`.
   */
  readonly redact?: Redact | false;
  /** Values that are secret here, for the default pipeline: those of listed environment variables and config keys (AEP-0003 §9.4b). */
  readonly names?: readonly string[];
  /** Home folders, for the default pipeline, besides `/home/…`, `/Users/…` and `X:\Users\…`. */
  readonly homes?: readonly string[];
  /** Whether the default pipeline takes e-mail addresses and telephone numbers out. Default true. */
  readonly pii?: boolean;
  /**
   * Where epochs come from, for sessions that go on after a restart: a store, or `'clock'`, see `clockEpochs`. Default: none, then
   * every session is a new one.
   */
  readonly epochs?: EpochStore | 'clock';
  /** Default {@link DEFAULT_MAX_QUEUED_EVENTS}. `Infinity`: off. */
  readonly maxQueuedEvents?: number;
  /** Default {@link DEFAULT_MAX_QUEUED_BYTES}. `Infinity`: off. */
  readonly maxQueuedBytes?: number;
  /**
   * What `emit` does with an Event of `notice` or above, or an ack, for which even the drop of all `debug` and `info` makes no
   * room. `report`, the default: it is lost, counted and told to `onLoss`, and the program goes on. `throw`: {@link EmitterError}
   * `queue-full`, as if it had not been called.
   */
  readonly whenFull?: 'report' | 'throw';
  /** Default {@link DEFAULT_MAX_BATCH_EVENTS}. `Infinity`: off. */
  readonly maxBatchEvents?: number;
  /** Default {@link DEFAULT_MAX_BATCH_BYTES}. `Infinity`: off. */
  readonly maxBatchBytes?: number;
  /** Default {@link DEFAULT_BATCH_DELAY_MS}. 0: at the end of the turn. */
  readonly batchDelayMs?: number;
  /** Default {@link DEFAULT_RETRY_BASE_MS}. */
  readonly retryBaseMs?: number;
  /** Default {@link DEFAULT_RETRY_MAX_MS}. */
  readonly retryMaxMs?: number;
  /** Default {@link DEFAULT_MAX_ATTEMPTS}. `Infinity`: off. */
  readonly maxAttempts?: number;
  /** Default {@link DEFAULT_MAX_EVENT_BYTES}. `Infinity`: off. */
  readonly maxEventBytes?: number;
  /** Default {@link DEFAULT_MAX_PAYLOAD_UNITS}. `Infinity`: off. */
  readonly maxPayloadUnits?: number;
  /** Default {@link DEFAULT_MAX_SESSIONS}. `Infinity`: off. */
  readonly maxSessions?: number;
  /** Default {@link DEFAULT_MAX_REQUESTS}. `Infinity`: off. */
  readonly maxRequests?: number;
  /** Default {@link DEFAULT_MAX_REQUEST_UNITS}. `Infinity`: off. A request beyond it is refused as `too-many-requests`. */
  readonly maxRequestUnits?: number;
  /** Default {@link DEFAULT_MAX_UNITS}. `Infinity`: off. */
  readonly maxUnits?: number;
  /** Told of every Event that is lost, once per turn and reason. What it throws is dropped. */
  readonly onLoss?: (loss: Loss) => void;
  /** Told of every attempt that failed. What it throws is dropped. */
  readonly onError?: (failure: TransportFailure) => void;
  /**
   * Told when the pipeline or the epoch store failed (the Event went out all the same, at `metadata`), or the handling of a command (which
   * is answered all the same, `busy` where no decision came). What it throws is dropped.
   */
  readonly onTrouble?: (trouble: Trouble) => void;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
  /** A new id, never one that was there before. Default: ULIDs. */
  readonly createId?: () => string;
  /** From 0 to below 1. Default `Math.random`. */
  readonly random?: () => number;
  /** Default: the global timers. */
  readonly timers?: EmitterTimers;
}

/** Something beside the transport that did not work. */
export interface Trouble {
  readonly type: 'redaction' | 'memory' | 'command';
  readonly error: unknown;
}

/** {@link EmitterOptions} with every default filled in. */
export interface EmitterSettings {
  readonly agent: string;
  readonly source: (session?: string) => string;
  readonly transport: Transport;
  readonly ceilingOf: (category: string) => Capture;
  readonly accepts: readonly string[] | undefined;
  readonly onCommand: CommandHandler | undefined;
  readonly ackWindowMs: number;
  readonly redactor: Redactor | undefined;
  readonly epochs: EpochStore | undefined;
  readonly maxQueuedEvents: number;
  readonly maxQueuedBytes: number;
  readonly throwWhenFull: boolean;
  readonly maxBatchEvents: number;
  readonly maxBatchBytes: number;
  readonly batchDelayMs: number;
  readonly retryBaseMs: number;
  readonly retryMaxMs: number;
  readonly maxAttempts: number;
  readonly maxEventBytes: number;
  readonly snapshot: SnapshotLimits;
  readonly maxSessions: number;
  readonly maxRequests: number;
  readonly maxRequestUnits: number;
  readonly maxUnits: number;
  readonly onLoss: ((loss: Loss) => void) | undefined;
  readonly onError: ((failure: TransportFailure) => void) | undefined;
  readonly onTrouble: ((trouble: Trouble) => void) | undefined;
  readonly now: () => number;
  readonly createId: () => string;
  readonly random: () => number;
  readonly timers: EmitterTimers;
}

/**
 * Fills in defaults. Throws RangeError for a number out of place, TypeError for a ceiling, category or transport that is none, and
 * EmitterError `invalid-identifier` for an agent or host without a usable name, `unknown-name` for an option that is none.
 */
export function resolveOptions(options: EmitterOptions): EmitterSettings {
  checkNames('option of createEmitter', options);
  const agent = identifier('agent', options.agent);
  const host = identifier('host', options.host ?? DEFAULT_HOST);
  const { transport, whenFull = 'report', epochs, now = Date.now } = options;
  if (typeof (transport as Partial<Transport> | undefined)?.send !== 'function') throw new TypeError('transport has a send function');
  if (!WHEN_FULL.includes(whenFull)) throw new TypeError('whenFull is report or throw');
  const { accepts, onCommand } = options;
  if ((accepts === undefined) !== (onCommand === undefined)) throw new TypeError('accepts and onCommand go together');
  if (accepts !== undefined && transport.attach === undefined) throw new TypeError('this transport brings no commands; use webSocketTransport');
  if (epochs !== undefined && epochs !== 'clock' && typeof (epochs as Partial<EpochStore>).open !== 'function') throw new TypeError("epochs is a store, such as fileEpochs gives, or 'clock'");
  return {
    agent,
    source: options.source ?? ((session) => sourceUri({ host, agent, ...(session === undefined ? {} : { session }) })),
    transport,
    ceilingOf: ceilings(options),
    accepts,
    onCommand,
    ackWindowMs: milliseconds('ackWindowMs', options.ackWindowMs ?? DEFAULT_ACK_WINDOW_MS),
    redactor: pipeline(options),
    epochs: epochs === 'clock' ? clockEpochs(options.now === undefined ? {} : { now }) : epochs,
    maxQueuedEvents: bound('maxQueuedEvents', options.maxQueuedEvents ?? DEFAULT_MAX_QUEUED_EVENTS, 1),
    maxQueuedBytes: bound('maxQueuedBytes', options.maxQueuedBytes ?? DEFAULT_MAX_QUEUED_BYTES, 1),
    throwWhenFull: whenFull === 'throw',
    maxBatchEvents: bound('maxBatchEvents', options.maxBatchEvents ?? DEFAULT_MAX_BATCH_EVENTS, 1),
    maxBatchBytes: bound('maxBatchBytes', options.maxBatchBytes ?? DEFAULT_MAX_BATCH_BYTES, 1),
    batchDelayMs: milliseconds('batchDelayMs', options.batchDelayMs ?? DEFAULT_BATCH_DELAY_MS),
    retryBaseMs: milliseconds('retryBaseMs', options.retryBaseMs ?? DEFAULT_RETRY_BASE_MS),
    retryMaxMs: milliseconds('retryMaxMs', options.retryMaxMs ?? DEFAULT_RETRY_MAX_MS),
    maxAttempts: bound('maxAttempts', options.maxAttempts ?? DEFAULT_MAX_ATTEMPTS, 1),
    maxEventBytes: bound('maxEventBytes', options.maxEventBytes ?? DEFAULT_MAX_EVENT_BYTES, 1),
    // `data` stands one level below the Event.
    snapshot: { maxDepth: DEFAULT_MAX_DEPTH - 1, maxUnits: bound('maxPayloadUnits', options.maxPayloadUnits ?? DEFAULT_MAX_PAYLOAD_UNITS, 1) },
    maxSessions: bound('maxSessions', options.maxSessions ?? DEFAULT_MAX_SESSIONS, 1),
    maxRequests: bound('maxRequests', options.maxRequests ?? DEFAULT_MAX_REQUESTS, 1),
    maxRequestUnits: bound('maxRequestUnits', options.maxRequestUnits ?? DEFAULT_MAX_REQUEST_UNITS, 1),
    maxUnits: bound('maxUnits', options.maxUnits ?? DEFAULT_MAX_UNITS, 1),
    onLoss: options.onLoss,
    onError: options.onError,
    onTrouble: options.onTrouble,
    now,
    createId: options.createId ?? createIdFactory({ now }),
    random: options.random ?? Math.random,
    timers: options.timers ?? GLOBAL_TIMERS,
  };
}

const WHEN_FULL: readonly string[] = ['report', 'throw'];

/** The pipeline that was given, or the default one. Throws TypeError where both are wanted. */
function pipeline({ redact, names, homes, pii }: EmitterOptions): Redactor | undefined {
  const configured = names !== undefined || homes !== undefined || pii !== undefined;
  if (redact !== undefined) {
    if (configured) throw new TypeError('names, homes and pii belong to the default pipeline, not to redact');
    return redact === false ? undefined : redactorOf(redact);
  }
  return createRedactor({ ...(names === undefined ? {} : { names }), ...(homes === undefined ? {} : { homes }), ...(pii === undefined ? {} : { pii }) });
}

function ceilings({ ceiling: wanted, ceilings: given, redact, names, homes, pii }: EmitterOptions): (category: string) => Capture {
  const ceiling = wanted ?? DEFAULT_CEILING;
  const pipelineWanted = (redact !== undefined && redact !== false) || names !== undefined || homes !== undefined || pii !== undefined;
  // So that people can read what they are asked. A ceiling that somebody set stands as it is.
  const overrides: Readonly<Record<string, Capture>> = pipelineWanted && wanted === undefined ? { attention: 'redacted', ...given } : (given ?? {});
  const byCategory = new Map(Object.entries(overrides));
  for (const [category, level] of [['', ceiling], ...byCategory] as const) {
    if (category !== '' && !CATEGORIES.includes(category)) throw new TypeError(`${JSON.stringify(category)} is no category`);
    if (!CAPTURES.includes(level)) throw new TypeError('a ceiling is none, metadata, redacted or full');
  }
  return (category) => byCategory.get(category) ?? ceiling;
}

function bound(name: string, value: number, least: number): number {
  if (value !== Infinity && !(Number.isSafeInteger(value) && value >= least)) {
    throw new RangeError(`${name} is a whole number, ${least} or more, or Infinity`);
  }
  return value;
}

/** Also for `timeoutMs`. */
export function milliseconds(name: string, value: number): number {
  if (!(Number.isSafeInteger(value) && value >= 0 && value <= LONGEST_TIMER_MS)) {
    throw new RangeError(`${name} is a whole number of milliseconds, up to ${LONGEST_TIMER_MS}`);
  }
  return value;
}
