/** Sequenced Events kept per `(source, session)`; as many foreign-emitter Events come on top. Advertise it as `replay.buffer`. */
export const DEFAULT_PER_SESSION_EVENTS = 10_000;
/** Sessions kept, counted per `(source, session)`. */
export const DEFAULT_SESSIONS = 1000;
/** Bytes kept overall: 256 MiB. */
export const DEFAULT_BYTES: number = 256 * 1024 * 1024;
/** Steps of a replay that are given out at once. */
export const DEFAULT_CHUNK_STEPS = 256;
/** Text of a replay that is given out at once, in UTF-16 units; the Event that reaches it still belongs to the chunk. 256 KiB. */
export const DEFAULT_CHUNK_TEXT: number = 256 * 1024;
/** Sessions evicted whole whose highest position is remembered, counted per `(source, session)`. */
export const DEFAULT_EVICTED_SESSIONS = 10_000;
/** Whether texts are copied at admission. */
export const DEFAULT_COPY = true;

/** Options of {@link ReplayBuffer}. Every bound takes `Infinity` for "off". */
export interface ReplayBufferOptions {
  /** See {@link DEFAULT_PER_SESSION_EVENTS}. At least 1. */
  readonly perSession?: number;
  /** See {@link DEFAULT_SESSIONS}. At least 1. */
  readonly sessions?: number;
  /**
   * See {@link DEFAULT_BYTES}. Counted are the JSON texts and what is held with them; see `EVENT_OVERHEAD_BYTES` and its
   * kin. At least 1.
   */
  readonly bytes?: number;
  /** See {@link DEFAULT_CHUNK_STEPS}. At least 1. */
  readonly chunk?: number;
  /** See {@link DEFAULT_CHUNK_TEXT}. At least 1. */
  readonly chunkText?: number;
  /** See {@link DEFAULT_EVICTED_SESSIONS}. 0: none, and a resume into an evicted session then finds nothing, unmarked. */
  readonly evictedSessions?: number;
  /**
   * See {@link DEFAULT_COPY}. A text that was cut out of a larger string keeps that alive for as long as it is held. Set it
   * to `false` where every text is a string of its own, decoded by itself: that is a good part of the cost of `admit`.
   */
  readonly copy?: boolean;
}

/** {@link ReplayBufferOptions} with every default filled in. */
export type ResolvedOptions = Required<ReplayBufferOptions>;

function bound(name: string, value: number, least: number): number {
  if (value !== Infinity && !(Number.isSafeInteger(value) && value >= least)) {
    throw new RangeError(`${name} is a whole number from ${least} on, or Infinity`);
  }
  return value;
}

/** Checks the options and fills in defaults. Throws RangeError. */
export function resolveOptions(options: ReplayBufferOptions): ResolvedOptions {
  return {
    perSession: bound('perSession', options.perSession ?? DEFAULT_PER_SESSION_EVENTS, 1),
    sessions: bound('sessions', options.sessions ?? DEFAULT_SESSIONS, 1),
    bytes: bound('bytes', options.bytes ?? DEFAULT_BYTES, 1),
    chunk: bound('chunk', options.chunk ?? DEFAULT_CHUNK_STEPS, 1),
    chunkText: bound('chunkText', options.chunkText ?? DEFAULT_CHUNK_TEXT, 1),
    evictedSessions: bound('evictedSessions', options.evictedSessions ?? DEFAULT_EVICTED_SESSIONS, 0),
    copy: options.copy ?? DEFAULT_COPY,
  };
}
