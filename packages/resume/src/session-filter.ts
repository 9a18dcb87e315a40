import type { JsonObject } from '@aepkit/envelope';

/** A filter as it goes out, and what is known of its sessions. */
export interface SessionFilter {
  /** JSON text. Absent: everything. */
  readonly filter: string | undefined;
  /** The sessions it names by equality, where it names them all. */
  readonly sessions: ReadonlySet<string> | undefined;
}

/**
 * Makes one filter of an attr-match filter and of the sessions that are wanted, which become its `session` member (AEP-0003 §6). A
 * filter that is a string is JSON and goes out as it is; it is not checked. Throws `RangeError` or `TypeError` for what makes no sense.
 *
 * @example
 * sessionFilter({ filter: { type: 'run.*' }, sessions: ['a'] }) // { filter: '{"type":"run.*","session":["a"]}', sessions: Set { 'a' } }
 */
export function sessionFilter(options: { readonly filter?: JsonObject | string | undefined; readonly sessions?: readonly string[] | undefined }): SessionFilter {
  const filter = withSessions(options);
  return { filter: typeof filter === 'object' ? JSON.stringify(filter) : filter, sessions: namedSessions(filter) };
}

function withSessions({ filter, sessions }: Parameters<typeof sessionFilter>[0]): JsonObject | string | undefined {
  if (sessions === undefined) return filter;
  if (sessions.length === 0) throw new RangeError('sessions must name a session');
  if (typeof filter === 'string') throw new TypeError('sessions needs a filter that is an object, or none');
  if (filter !== undefined && Object.hasOwn(filter, 'session')) throw new TypeError('sessions and a session in filter exclude each other');
  return { ...filter, session: [...sessions] };
}

function namedSessions(filter: JsonObject | string | undefined): ReadonlySet<string> | undefined {
  const value = typeof filter === 'string' ? parsed(filter) : filter;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, 'session')) return undefined;
  const predicate = (value as { readonly session: unknown }).session;
  const named = Array.isArray(predicate) ? (predicate as unknown[]) : [predicate];
  const sessions = named.filter((session) => typeof session === 'string');
  // A number or boolean never equals a session, but what else a filter may come to hold is not known here.
  return sessions.length === named.length && sessions.length > 0 ? new Set(sessions) : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
