import { FilterError } from './errors.js';

const WILDCARD = '*';

/** A compiled pattern for event types (§2.1). */
export interface TypePattern {
  /** The pattern as written. */
  readonly text: string;
  /** Segments that have to match place by place; `*` is any one. Empty for the pattern `*`. */
  readonly segments: readonly string[];
  /** Whether one segment more, or several, have to follow: a final `.*`, or the pattern `*`. */
  readonly open: boolean;
  /** Whether an event type is selected. */
  matches(type: string): boolean;
}

/** Options of {@link compilePattern}. */
export interface PatternOptions {
  /** Most segments. Default `Infinity`: off. */
  readonly maxSegments?: number;
  /** Where the pattern stands, for errors. Default `$`. */
  readonly path?: string;
}

/**
 * Compiles a pattern (§2.1). `*` alone selects every type; a `*` segment that is not the last stands for exactly one segment;
 * a final `.*` for one or more (S-O1); anything else compares whole segments, and letter case counts.
 *
 * Throws {@link FilterError} `invalid-pattern` for an empty pattern, an empty segment and a `*` beside other characters (S-O3),
 * `too-many-segments` beyond `maxSegments`.
 *
 * @example
 * compilePattern('tool.*.progress').matches('tool.call.progress') // true
 */
export function compilePattern(text: string, options: PatternOptions = {}): TypePattern {
  const { maxSegments = Infinity, path = '$' } = options;
  const fault = patternFault(text);
  if (fault !== undefined) throw new FilterError('invalid-pattern', path, fault);
  const segments = text.split('.');
  if (segments.length > maxSegments) {
    throw new FilterError('too-many-segments', path, `a type pattern has more than ${maxSegments} segments`);
  }
  const open = segments.at(-1) === WILDCARD;
  if (open) segments.pop();
  Object.freeze(segments);
  return Object.freeze({ text, segments, open, matches: matcherOf(text, segments, open) });
}

/** Whether a pattern selects a type; one that is malformed selects nothing (S-O3). */
export function matchesType(pattern: string, type: string): boolean {
  return patternFault(pattern) === undefined && compilePattern(pattern).matches(type);
}

function patternFault(text: string): string | undefined {
  if (text === '') return 'a type pattern is empty';
  if (text.startsWith('.') || text.endsWith('.') || text.includes('..')) return 'a type pattern has an empty segment';
  for (let at = text.indexOf(WILDCARD); at >= 0; at = text.indexOf(WILDCARD, at + 1)) {
    const whole = (at === 0 || text[at - 1] === '.') && (at === text.length - 1 || text[at + 1] === '.');
    if (!whole) return 'a * in a type pattern is not a whole segment';
  }
  return undefined;
}

function matcherOf(text: string, segments: readonly string[], open: boolean): (type: string) => boolean {
  if (!segments.includes(WILDCARD)) {
    if (!open) return (type) => type === text;
    if (segments.length === 0) return () => true;
    const prefix = text.slice(0, -1);
    return (type) => type.length > prefix.length && type.startsWith(prefix);
  }
  return (type) => {
    const given = type.split('.');
    if (open ? given.length <= segments.length : given.length !== segments.length) return false;
    return segments.every((segment, at) => segment === WILDCARD || segment === given[at]);
  };
}
