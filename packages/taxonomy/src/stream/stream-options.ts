/** Most Events whose identity is remembered: 200 000, about 70 MB. */
export const DEFAULT_MAX_EVENTS = 200_000;

/** Most sessions whose order is remembered: 20 000, about 8 MB. */
export const DEFAULT_MAX_SESSIONS = 20_000;

/** Most runs, tool invocations, steps, tasks and subagents remembered together: 100 000, about 50 MB. As many commands and acks. */
export const DEFAULT_MAX_UNITS = 100_000;

/** Most requests for attention remembered, each field and each choice of a form counted as one more: 50 000, about 25 MB. */
export const DEFAULT_MAX_REQUESTS = 50_000;

/** How a {@link StreamValidator} reads its stream, and how much it remembers. `Infinity` turns a limit off. */
export interface StreamOptions {
  /**
   * `emission` (default): the Events come in the order they were emitted, as in an emitter's own log. `arrival`: they come
   * as a consumer got them, where late Events are legal; order is not checked, and open requests are looked for at the end.
   */
  readonly order?: 'emission' | 'arrival';
  /**
   * Copies of one Event took different paths, on which `capture` and `data` may have been lowered and extension attributes
   * added; only the other attributes have to agree. Default false: the view of one hop.
   */
  readonly merged?: boolean;
  /** Default {@link DEFAULT_MAX_EVENTS}. Beyond: redelivery of a forgotten Event counts as a new one. */
  readonly maxEvents?: number;
  /** Default {@link DEFAULT_MAX_SESSIONS}. Beyond: order and end of the forgotten session start anew. */
  readonly maxSessions?: number;
  /** Default {@link DEFAULT_MAX_UNITS}. Beyond: a second end of a forgotten unit goes unnoticed. */
  readonly maxUnits?: number;
  /** Default {@link DEFAULT_MAX_REQUESTS}. Beyond: what concerns a forgotten request goes unnoticed. */
  readonly maxRequests?: number;
}

/** Options with every default filled in. Throws RangeError for a bad limit, TypeError for another order. */
export function resolveStreamOptions(options: StreamOptions): Required<StreamOptions> {
  const resolved = {
    order: options.order ?? 'emission',
    merged: options.merged ?? false,
    maxEvents: options.maxEvents ?? DEFAULT_MAX_EVENTS,
    maxSessions: options.maxSessions ?? DEFAULT_MAX_SESSIONS,
    maxUnits: options.maxUnits ?? DEFAULT_MAX_UNITS,
    maxRequests: options.maxRequests ?? DEFAULT_MAX_REQUESTS,
  };
  if (!['emission', 'arrival'].includes(resolved.order)) throw new TypeError('order is emission or arrival');
  for (const name of ['maxEvents', 'maxSessions', 'maxUnits', 'maxRequests'] as const) {
    const limit = resolved[name];
    if (limit !== Infinity && !(Number.isInteger(limit) && limit >= 1)) throw new RangeError(`${name} is a whole number above 0 or Infinity`);
  }
  return resolved;
}
