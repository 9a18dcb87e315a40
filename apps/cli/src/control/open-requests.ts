import { type AepEvent, captureOf, captureRank, comparePositions, dedupeKey, positionOf, type WireEvent } from '@aepkit/envelope';

import { isSameRequest } from './same-request.js';

/** Events that open and close requests. */
export const REQUEST_TYPES: readonly string[] = ['attention.requested', 'attention.answered', 'attention.resolved', 'attention.timeout', 'session.ended'];

/** Most requests that are followed, and most ends that are remembered for requests that come later. */
const MAX_REQUESTS = 10_000;

/**
 * The requests that wait for somebody, out of a stream of Events in any order. A request is closed by its own source only: anybody who may
 * emit could hide it otherwise.
 */
export interface OpenRequests {
  push(wire: WireEvent): void;
  /** Oldest first. */
  list(): readonly WireEvent[];
  has(request: AepEvent): boolean;
  /** How a request ended that is not open. */
  endOf(request: AepEvent): AepEvent | undefined;
  /**
   * Whether another source has asked under the same id, or somebody something else under the same identity: an answer names the id alone, so
   * one text could get the answer to another.
   */
  isDisputed(request: AepEvent): boolean;
}

/** Follows requests. */
export function createOpenRequests(): OpenRequests {
  const open = new Map<string, WireEvent>();
  const ended = new Map<string, AepEvent>();
  const askers = new Map<string, Set<string>>();
  /** Those that came with two texts. */
  const contradicted = new Map<string, true>();

  const end = (key: string, by: AepEvent): void => {
    open.delete(key);
    ended.set(key, by);
    bound(ended);
  };

  const ask = (wire: WireEvent): void => {
    const { event } = wire;
    const key = dedupeKey(event);
    const sources = askers.get(event.id) ?? new Set();
    if (sources.size < 2) askers.set(event.id, sources.add(event.source));
    bound(askers);
    const known = open.get(key);
    if (known !== undefined && !isSameRequest(known, wire)) {
      contradicted.set(key, true);
      bound(contradicted);
    }
    if (ended.has(key) || (known !== undefined && captureRank(captureOf(known.event)) >= captureRank(captureOf(event)))) return;
    open.set(key, wire);
    bound(open);
  };

  return {
    push(wire) {
      const { event } = wire;
      if (event.type === 'attention.requested') ask(wire);
      else if (event.type === 'session.ended') {
        for (const [key, { event: request }] of open) if (isBefore(request, event)) end(key, event);
      } else if (event.subject !== undefined && REQUEST_TYPES.includes(event.type)) end(dedupeKey({ source: event.source, id: event.subject }), event);
    },
    list: () => [...open.values()].sort((one, other) => Date.parse(one.event.time) - Date.parse(other.event.time)),
    has: (request) => open.has(dedupeKey(request)),
    endOf: (request) => ended.get(dedupeKey(request)),
    isDisputed: (request) => (askers.get(request.id)?.size ?? 0) > 1 || contradicted.has(dedupeKey(request)),
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
