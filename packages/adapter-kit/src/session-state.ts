import type { AepEvent, JsonObject } from '@aepkit/envelope';

import { MAX_FORM_ITEMS } from './forms.js';
import { isJsonObject, objects, own } from './members.js';
import { unfinishedType } from './vendor-type.js';

/** A tool call that has begun and not ended. */
export interface OpenTool {
  readonly event: string;
  readonly name: string;
  readonly callId: string | undefined;
  readonly digest: string | undefined;
  readonly run: string | undefined;
  /** Whether it was marked as never ended; a late end closes it all the same. */
  readonly unfinished: boolean;
}

/** An attention request that is not closed. */
export interface OpenRequest {
  readonly event: string;
  readonly kind: string;
  readonly subject: string | undefined;
  /** Id of the `tool.requested` it is about. */
  readonly tool: string | undefined;
  /** The fields of a form. */
  readonly fields: readonly JsonObject[];
}

/** Calls and requests remembered as open per session; beyond it the oldest is forgotten. */
export const MAX_OPEN = 1000;

/** Closed runs remembered per session, so that a late hook opens none of them again. */
export const MAX_CLOSED_RUNS = 1000;

const CHANGING = [
  'session.ended',
  'run.started',
  'run.finished',
  'run.failed',
  'run.cancelled',
  'tool.requested',
  'tool.completed',
  'tool.failed',
  'tool.denied',
  'attention.requested',
  'attention.resolved',
  'attention.timeout',
] as const;

/**
 * Types that open or close something. Of all others only the position counts, and of that only the last, so that an adapter is
 * restored from the Events of these types and the last Event of the session.
 */
export function stateTypes(agent: string): readonly string[] {
  return Object.freeze([...CHANGING, unfinishedType(agent)]);
}

/**
 * What placing needs to know of a session. It is a fold over the session's own Events and over nothing else, so that
 * an adapter that restarts in the middle of a session gets back exactly here by reading them again (AEP-0002 §7.2).
 */
export class SessionState {
  source: string | undefined;
  epoch = 0;
  nextSeq = 0;
  ended = false;
  run: { readonly id: string; readonly event: string } | undefined;
  readonly #unfinished: string;
  readonly #closedRuns = new Set<string>();
  readonly #tools = new Map<string, OpenTool>();
  readonly #requests = new Map<string, OpenRequest>();

  constructor(agent: string) {
    this.#unfinished = unfinishedType(agent);
  }

  /** Takes one Event of the session in, in order of position; the last one may be taken in twice. */
  apply(event: AepEvent): void {
    if (event.seq === undefined) return;
    this.source = event.source;
    this.epoch = event.epoch ?? 0;
    this.nextSeq = event.seq + 1;
    switch (event.type) {
      case 'session.ended':
        this.ended = true;
        break;
      case 'run.started':
        if (event.run !== undefined) this.run = { id: event.run, event: event.id };
        break;
      case 'run.finished':
      case 'run.failed':
      case 'run.cancelled':
        if (event.run !== undefined) remember(this.#closedRuns, event.run);
        if (this.run?.id === event.run) this.run = undefined;
        break;
      case 'tool.requested': {
        const tool = own(event.data, 'tool');
        keep(this.#tools, event.id, {
          event: event.id,
          name: event.subject ?? '',
          callId: isJsonObject(tool) ? text(tool, 'call_id') : undefined,
          digest: text(event.data, 'args_digest'),
          run: event.run,
          unfinished: false,
        });
        break;
      }
      case 'tool.completed':
      case 'tool.failed':
      case 'tool.denied':
        if (event.cause !== undefined) this.#tools.delete(event.cause);
        break;
      case 'attention.requested':
        keep(this.#requests, event.id, {
          event: event.id,
          kind: text(event.data, 'kind') ?? 'other',
          subject: event.subject,
          tool: event.cause,
          fields: objects(own(event.data, 'fields'), MAX_FORM_ITEMS),
        });
        break;
      case 'attention.resolved':
      case 'attention.timeout':
        if (event.subject !== undefined) this.#requests.delete(event.subject);
        break;
      case this.#unfinished: {
        const tool = event.cause === undefined ? undefined : this.#tools.get(event.cause);
        if (tool !== undefined) this.#tools.set(tool.event, { ...tool, unfinished: true });
        break;
      }
      default:
    }
  }

  isClosedRun(run: string): boolean {
    return this.#closedRuns.has(run);
  }

  /**
   * The open call a hook is about: by its call id, or, for hooks that have none, by name and input. Of several that look the same it is
   * the oldest, and one that was given up only where there is no other.
   *
   * @param unasked prefer a call that nobody is asked about yet
   */
  findTool(name: string, callId: string | undefined, digest: string | undefined, unasked = false): OpenTool | undefined {
    const open = [...this.#tools.values()];
    if (callId !== undefined) {
      const same = open.findLast((tool) => tool.callId === callId);
      if (same !== undefined) return same;
    }
    const alike = open.filter((tool) => tool.name === name && (callId === undefined || tool.callId === undefined) && sameDigest(tool.digest, digest));
    const alive = alike.filter(({ unfinished }) => !unfinished);
    return (unasked ? alive.find(({ event }) => this.requestsFor(event).length === 0) : undefined) ?? alive[0] ?? alike[0];
  }

  /** The open call of that id. */
  toolOf(callId: string): OpenTool | undefined {
    return [...this.#tools.values()].findLast((tool) => tool.callId === callId);
  }

  /** Calls that have not ended and are not marked. */
  openTools(): readonly OpenTool[] {
    return [...this.#tools.values()].filter(({ unfinished }) => !unfinished);
  }

  requests(): readonly OpenRequest[] {
    return [...this.#requests.values()];
  }

  /** The open requests about a call. */
  requestsFor(tool: string): readonly OpenRequest[] {
    return this.requests().filter((request) => request.tool === tool);
  }
}

// At capture `none` an Event holds no digest: then the name has to do.
function sameDigest(stored: string | undefined, digest: string | undefined): boolean {
  return stored === undefined || digest === undefined || stored === digest;
}

function keep<T>(map: Map<string, T>, key: string, value: T): void {
  map.set(key, value);
  if (map.size > MAX_OPEN) for (const oldest of map.keys()) return void map.delete(oldest);
}

function remember(set: Set<string>, value: string): void {
  set.add(value);
  if (set.size > MAX_CLOSED_RUNS) for (const oldest of set) return void set.delete(oldest);
}

function text(data: JsonObject | undefined, name: string): string | undefined {
  const value = own(data, name);
  return typeof value === 'string' ? value : undefined;
}
