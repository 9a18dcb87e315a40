/** Replay depth per session, in Events; foreign-emitter Events come on top, as many again. */
export const DEFAULT_BUFFER_EVENTS = 10_000;
/** Session names that a replay of everything covers, those with the latest commits. */
export const DEFAULT_SESSIONS = 1000;
/** Size of the database file that appends may not exceed: off. */
// eslint-disable-next-line @typescript-eslint/no-inferrable-types -- declarations are made without inference
export const DEFAULT_MAX_BYTES: number = Infinity;
/** Events that one commit takes, unless a single batch has more. */
export const DEFAULT_GROUP_EVENTS = 1000;
/** Bytes of the database file that reads map into memory instead of copying: 1 GiB of address space. */
export const DEFAULT_MAP_BYTES: number = 1024 ** 3;

/** How {@link openHistory} opens a store. */
export interface HistoryOptions {
  /** The database file. It and its folder are made where missing, for their owner alone (modes 0600 and 0700). */
  readonly path: string;
  /** See {@link DEFAULT_BUFFER_EVENTS}. At least 1; `Infinity`: all that is kept. Advertise it as `replay.buffer`. */
  readonly buffer?: number;
  /** See {@link DEFAULT_SESSIONS}. At least 1; `Infinity`: all. Sessions that a position names are served beyond it, too. */
  readonly sessions?: number;
  /**
   * `NORMAL` (default): an acknowledged Event survives the death of the process. `FULL`: that of the machine as well, at the
   * price of one sync of the disk per commit.
   */
  readonly synchronous?: 'NORMAL' | 'FULL';
  /**
   * `worker` (default): commits run in a thread of their own. `inline`: in the calling thread, for short programs such as
   * an import.
   */
  readonly writer?: 'worker' | 'inline';
  /** See {@link DEFAULT_GROUP_EVENTS}. At least 1; `Infinity`: off. */
  readonly groupEvents?: number;
  /** See {@link DEFAULT_MAX_BYTES}. What would exceed it is `unavailable`. At least 1 MiB; `Infinity`: off. */
  readonly maxBytes?: number;
  /**
   * See {@link DEFAULT_MAP_BYTES}. 0: off. Reads are several times faster mapped; but where a disk fails under a mapped
   * page, or somebody cuts the open file short, the process dies of it instead of getting an error.
   */
  readonly mapBytes?: number;
}

/** {@link HistoryOptions} with every default filled in. */
export type ResolvedOptions = Required<HistoryOptions>;

const LEAST_MAX_BYTES = 1024 ** 2;

/** Checks the options and fills in defaults. Throws RangeError or TypeError. */
export function resolveOptions(options: HistoryOptions): ResolvedOptions {
  const { path, synchronous = 'NORMAL', writer = 'worker' } = options;
  // SQLite reads these as "no file" and as a file of another place.
  if (typeof path !== 'string' || path === '' || path === ':memory:' || path.startsWith('file:') || path.includes('\0')) {
    throw new TypeError('path is the name of a file');
  }
  return {
    path,
    buffer: bound('buffer', options.buffer ?? DEFAULT_BUFFER_EVENTS, 1),
    sessions: bound('sessions', options.sessions ?? DEFAULT_SESSIONS, 1),
    synchronous: oneOf('synchronous', synchronous, ['NORMAL', 'FULL']),
    writer: oneOf('writer', writer, ['worker', 'inline']),
    groupEvents: bound('groupEvents', options.groupEvents ?? DEFAULT_GROUP_EVENTS, 1),
    maxBytes: bound('maxBytes', options.maxBytes ?? DEFAULT_MAX_BYTES, LEAST_MAX_BYTES),
    mapBytes: bound('mapBytes', options.mapBytes ?? DEFAULT_MAP_BYTES, 0),
  };
}

/** Checks how many results a query may give. Throws RangeError. */
export function checkLimit(limit: number): void {
  bound('limit', limit, 0);
}

function bound(name: string, value: number, least: number): number {
  if (value !== Infinity && !(Number.isSafeInteger(value) && value >= least)) {
    throw new RangeError(`${name} is a whole number from ${String(least)} on, or Infinity`);
  }
  return value;
}

function oneOf<T extends string>(name: string, value: T, allowed: readonly T[]): T {
  if (!allowed.includes(value)) throw new RangeError(`${name} is one of ${allowed.join(', ')}`);
  return value;
}
