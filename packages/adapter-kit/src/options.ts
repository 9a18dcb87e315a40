import { type Capture, CAPTURES, compareCapture, createId } from '@aepkit/envelope';
import { createRedactor } from '@aepkit/redaction';

import { DEFAULT_MAX_CONTENT_BYTES } from './fit-content.js';
import type { Redactor } from './redactor.js';
import { categoryOf } from './vendor-type.js';

/** The ceiling where none is given (AEP-0003 §9.1). */
export const DEFAULT_CEILING: Capture = 'metadata';

/** The ceilings of categories where neither a ceiling nor one of theirs is given: requests stay readable (AEP-0003 §9.1). */
export const DEFAULT_CEILINGS: Readonly<Record<string, Capture>> = Object.freeze({ attention: 'redacted' });

/** Sessions whose state is held; the least recently used one is forgotten, and asked for again when it speaks. */
export const DEFAULT_MAX_SESSIONS = 1000;

/** Options of every adapter. */
export interface AdapterOptions {
  /** Host part of `source`; the same in every process that may continue a session. */
  readonly host: string;
  /**
   * Highest capture level, for every category that {@link ceilings} does not name. Default `metadata`, with `attention` at `redacted`; one
   * that is given holds for `attention` too.
   */
  readonly ceiling?: Capture | undefined;
  /** Ceilings per category, such as `{ tool: 'none' }`. */
  readonly ceilings?: Readonly<Partial<Record<string, Capture>>> | undefined;
  /** The pipeline for `redacted`. Default: `createRedactor()` of `@aepkit/redaction`. */
  readonly redactor?: Redactor | undefined;
  /** Most bytes of JSON that the content of one Event takes; longer texts are cut. Default 262,144. `Infinity`: no limit. */
  readonly maxContentBytes?: number | undefined;
  /** Default 1000. `Infinity`: no limit. */
  readonly maxSessions?: number | undefined;
  /** Milliseconds since the epoch. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
  /** Default: ULIDs. */
  readonly createId?: (() => string) | undefined;
}

/** Options with everything filled in. */
export interface ResolvedOptions {
  readonly host: string;
  readonly ceiling: Capture;
  readonly ceilings: Readonly<Record<string, Capture>>;
  readonly ceilingOf: (type: string) => Capture;
  readonly redactor: Redactor;
  readonly maxContentBytes: number;
  readonly maxSessions: number;
  readonly now: () => number;
  readonly createId: () => string;
}

export function resolveOptions(options: AdapterOptions): ResolvedOptions {
  const { host, maxContentBytes = DEFAULT_MAX_CONTENT_BYTES, maxSessions = DEFAULT_MAX_SESSIONS } = options;
  if (host === '') throw new RangeError('host must not be empty');
  if (!(maxSessions >= 1)) throw new RangeError('maxSessions must be at least 1');
  if (!(maxContentBytes >= 0)) throw new RangeError('maxContentBytes must be at least 0');
  const ceiling = level(options.ceiling ?? DEFAULT_CEILING, 'ceiling');
  const given = Object.entries(options.ceilings ?? {}).filter((entry): entry is [string, Capture] => entry[1] !== undefined);
  for (const [category, value] of given) {
    if (!/^[a-z0-9][a-z0-9_-]{0,63}$/.test(category)) throw new RangeError(`no category has the name of a member of ceilings`);
    level(value, `ceilings.${category}`);
  }
  const ceilings = new Map<string, Capture>([...(options.ceiling === undefined ? Object.entries(DEFAULT_CEILINGS) : []), ...given]);
  return {
    host,
    maxContentBytes,
    maxSessions,
    ceiling,
    ceilings: Object.fromEntries(ceilings),
    ceilingOf: (type) => ceilings.get(categoryOf(type)) ?? ceiling,
    redactor: options.redactor ?? defaultRedactor(),
    now: options.now ?? Date.now,
    createId: options.createId ?? ((): string => createId()),
  };
}

/** The same, with no level above one. */
export function limitOptions(options: ResolvedOptions, most: Capture): ResolvedOptions {
  const lower = (value: Capture): Capture => (compareCapture(value, most) > 0 ? most : value);
  const { ceiling, ceilings, ceilingOf } = options;
  return {
    ...options,
    ceiling: lower(ceiling),
    ceilings: Object.fromEntries(Object.entries(ceilings).map(([category, value]) => [category, lower(value)])),
    ceilingOf: (type) => lower(ceilingOf(type)),
  };
}

function level(value: Capture, name: string): Capture {
  if (!CAPTURES.includes(value)) throw new RangeError(`${name} must be one of ${CAPTURES.join(', ')}`);
  return value;
}

/** Made when the first text needs it: most calls have none. */
function defaultRedactor(): Redactor {
  let made: Redactor | undefined;
  const redactor = (): Redactor => (made ??= createRedactor());
  return { text: (text) => redactor().text(text), value: (value) => redactor().value(value) };
}
