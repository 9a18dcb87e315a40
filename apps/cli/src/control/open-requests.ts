import { type AepEvent, type WireEvent, captureOf, captureRank, comparePositions, positionOf } from '@aepkit/envelope';

/** Events that open and close requests. */
export const REQUEST_TYPES: readonly string[] = ['attention.requested', 'attention.answered', 'attention.resolved', 'attention.timeout', 'session.ended'];

/** Most requests that are followed, and most ends that are remembered for requests that come later. */
const MAX_REQUESTS = 10_000;

/** The requests that wait for somebody, out of a stream of Events in any order. */
export interface OpenRequests {
  push(wire: WireEvent): void;
  /** Oldest first. */
  list(): readonly WireEvent[];
  has(id: string): boolean;
  /** How a request ended that is not open. */
  endOf(id: string): AepEvent | undefined;
}

/** Follows requests. */
export function createOpenRequests(): OpenRequests {
  const open = new Map<string, WireEvent>();
  const ended = new Map<string, AepEvent>();

  const end = (id: string, by: AepEvent): void => {
    open.delete(id);
    ended.set(id, by);
    bound(ended);
  };

  return {
    push(wire) {
      const { event } = wire;
      if (event.type === 'attention.requested') {
        const known = open.get(event.id);
        if (ended.has(event.id) || (known !== undefined && captureRank(captureOf(known.event)) >= captureRank(captureOf(event)))) return;
        open.set(event.id, wire);
        bound(open);
      } else if (event.type === 'session.ended') {
        for (const [id, { event: request }] of open) if (isBefore(request, event)) end(id, event);
      } else if (event.subject !== undefined && REQUEST_TYPES.includes(event.type)) end(event.subject, event);
    },
    list: () => [...open.values()].sort((one, other) => Date.parse(one.event.time) - Date.parse(other.event.time)),
    has: (id) => open.has(id),
    endOf: (id) => ended.get(id),
  };
}

function isBefore(request: AepEvent, end: AepEvent): boolean {
  const [from, to] = [positionOf(request), positionOf(end)];
  if (from === undefined || to === undefined) return false;
  return request.source === end.source && from.session === to.session && comparePositions(from, to) < 0;
}

function bound(map: Map<string, unknown>): void {
  for (const key of map.keys()) {
    if (map.size <= MAX_REQUESTS) return;
    map.delete(key);
  }
}
