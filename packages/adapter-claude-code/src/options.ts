import { type Capture, createId } from '@aepkit/envelope';

import { AdapterError } from './errors.js';

/** The ceiling where none is given (AEP-0003 §9.1). */
export const DEFAULT_CEILING: Capture = 'metadata';

/** Sessions whose state is held; the least recently used one is forgotten, and asked for again when it speaks. */
export const DEFAULT_MAX_SESSIONS = 1000;

/** Options of {@link ClaudeCodeAdapter}. */
export interface ClaudeCodeAdapterOptions {
  /** Host part of `source`; the same in every process that may continue a session. */
  readonly host: string;
  /** Highest capture level: `none` or `metadata`. Default `metadata`. Above it `unsupported-ceiling` is thrown. */
  readonly ceiling?: Capture;
  /** Ceilings per category, such as `{ tool: 'none' }`; they apply where they differ from {@link ceiling}. */
  readonly ceilings?: Readonly<Partial<Record<string, Capture>>>;
  /** Default 1000. `Infinity`: no limit. */
  readonly maxSessions?: number;
  /** Milliseconds since the epoch. Default `Date.now`. */
  readonly now?: () => number;
  /** Default: ULIDs. */
  readonly createId?: () => string;
}

/** Options with everything filled in. */
export interface ResolvedOptions {
  readonly host: string;
  readonly ceiling: 'none' | 'metadata';
  readonly ceilings: Readonly<Record<string, 'none' | 'metadata'>>;
  readonly ceilingOf: (type: string) => 'none' | 'metadata';
  readonly maxSessions: number;
  readonly now: () => number;
  readonly createId: () => string;
}

export function resolveOptions(options: ClaudeCodeAdapterOptions): ResolvedOptions {
  const { host, ceiling = DEFAULT_CEILING, ceilings = {}, maxSessions = DEFAULT_MAX_SESSIONS } = options;
  if (host === '') throw new RangeError('host must not be empty');
  if (!(maxSessions >= 1)) throw new RangeError('maxSessions must be at least 1');
  const general = supported(ceiling, '$.ceiling');
  const byCategory = new Map<string, 'none' | 'metadata'>();
  for (const [category, level] of Object.entries(ceilings)) {
    if (level !== undefined) byCategory.set(category, supported(level, `$.ceilings.${category}`));
  }
  return {
    host,
    maxSessions,
    ceiling: general,
    ceilings: Object.fromEntries(byCategory),
    ceilingOf: (type) => byCategory.get(categoryOf(type)) ?? general,
    now: options.now ?? Date.now,
    createId: options.createId ?? ((): string => createId()),
  };
}

function supported(level: Capture, path: string): 'none' | 'metadata' {
  if (level === 'none' || level === 'metadata') return level;
  throw new AdapterError('unsupported-ceiling', path, `${level} needs the redaction pipeline, which this version lacks`);
}

/** The category of a type; of a vendor type its third segment. */
export function categoryOf(type: string): string {
  const segments = type.split('.');
  return (segments[0] === 'x' ? segments[2] : segments[0]) ?? '';
}
