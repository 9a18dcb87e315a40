import type { Access } from '@aepkit/access';
import { FilterError, parseFilter } from '@aepkit/attr-match';
import { type HttpBindingOptions, httpBinding } from '@aepkit/binding-http/server';
import { sseBinding, type SseBindingOptions } from '@aepkit/binding-sse/server';
import { endpointRoutes, factsOf, json, RouteError, SOCKET_PATH } from '@aepkit/endpoint';
import { type Capture, CAPTURES } from '@aepkit/envelope';
import type { History, SessionQuery } from '@aepkit/history';
import type { Hub } from '@aepkit/hub';
import type { Context, Hono } from 'hono';

import { type Answered, answerHeld, holdable, takeHeld } from './answer-held.js';
import { exportPage, type ExportQuery } from './export-page.js';
import type { HeldCalls } from './held-calls.js';
import type { HookIntake } from './hook-intake.js';
import { importRoutes } from './import-routes.js';
import { readError } from './read-error.js';
import { hookReader } from './read-hook.js';

/** Most sessions of one `GET /sessions`. */
export const MAX_SESSIONS_PAGE = 1000;
/** Sessions of one `GET /sessions` where no `limit` is given. */
export const DEFAULT_SESSIONS_PAGE = 100;

/** What the routes of a collector are made of. */
export interface CollectorParts {
  readonly hub: Hub;
  readonly access: Access;
  readonly history: History;
  readonly hooks: HookIntake;
  /** Calls that wait for an answer. Default: none does. */
  readonly holds?: HeldCalls;
  readonly version: string;
  readonly maxHookBytes: number;
  /** Most records in one request to the route of hooks. */
  readonly maxHookRecords: number;
  readonly http?: Partial<HttpBindingOptions>;
  readonly sse?: Partial<SseBindingOptions>;
  /** Told what no route expected. */
  readonly onError?: (error: unknown) => void;
  readonly now?: () => number;
}

/**
 * Puts the bindings, the adapter endpoint (`POST /hooks/{agent}`), `GET /sessions`, `GET /export`, `POST /import/events` and
 * `GET /healthz` together.
 */
export function collectorApp(parts: CollectorParts): Hono {
  const { hub, access, history, onError, now } = parts;
  const readHook = hookReader({ maxBodyBytes: parts.maxHookBytes, maxRecords: parts.maxHookRecords });
  const { app, route } = endpointRoutes({ access, version: parts.version, socket: SOCKET_PATH, readError, probe: () => history.stats(), ...(onError === undefined ? {} : { onError }), ...(now === undefined ? {} : { now }) });
  const emitting = { ...parts.http, hub, access, endpoints: { events: '/events', stream: '/stream', socket: SOCKET_PATH } };
  app.route('/', httpBinding(emitting));
  app.route('/', importRoutes(emitting));
  app.route('/', sseBinding({ ...parts.sse, hub, access }));

  route('/hooks/:agent', ['POST'], async (c) => {
    const principal = access.admit(factsOf(c), 'emit');
    const agent = c.req.param('agent');
    const intake = parts.hooks;
    if (agent === undefined || !intake.agents.includes(agent)) throw new RouteError(404, 'unknown-agent', `there are hooks of ${intake.agents.join(', ')}`);
    const key = c.req.header('idempotency-key');
    const ceiling = ceilingOf(c);
    // The room of the body is given back before anybody waits.
    const answered = await readHook(c, async (body): Promise<Answered> => {
      const waitMs = holdable(c);
      if ('payload' in body) {
        const held = parts.holds?.prepare({ agent, payload: body.payload, key, waitMs });
        return await takeHeld(held, () => intake.take(agent, body.payload, principal, { key, ceiling, ...held?.read }));
      }
      const [record] = body.records;
      if (waitMs > 0 && body.records.length === 1) {
        const held = parts.holds?.prepare({ agent, read: true, key, waitMs });
        // The record says already that its request can be answered here.
        if (held === undefined) throw new RouteError(412, 'not-held', 'this call cannot be held here; send it as one that is not');
        return await takeHeld(held, () => intake.takeRecord(record, principal, held.read));
      }
      const { events, known, refused } = await intake.takeRecords(body.records, principal);
      return { response: json({ accepted: events, known, refused: refused.map(({ index, error }) => ({ line: index + 1, error: error.code, detail: error.message })) }, 202) };
    });
    return 'response' in answered ? answered.response : await answerHeld(c, answered);
  });

  route('/sessions', ['GET', 'HEAD'], async (c) => {
    access.admit(factsOf(c), 'observe');
    const query = sessionQuery(c);
    const sessions = await history.sessions(query);
    const last = sessions.at(-1);
    const next = last !== undefined && sessions.length === query.limit ? { next: last.mark } : {};
    return json({ sessions: sessions.map(({ mark: _, ...summary }) => summary), ...next }, 200);
  });

  route('/export', ['GET'], async (c) => {
    access.admit(factsOf(c), 'observe');
    const query = exportQuery(c, history.mark());
    const { texts, next } = await exportPage(history, query);
    // Whether a page came whole shows in the number of its lines, whatever a proxy made of its length.
    const headers = { 'aep-count': String(texts.length), 'aep-through': String(query.through), ...(next === undefined ? {} : { 'aep-next': String(next) }) };
    const body = texts.map((text) => `${text}\n`).join('');
    return new Response(body, { status: 200, headers: { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', ...headers } });
  });

  return app;
}

/** The most that a hook allows of what it sends. A word that is none is taken for `none`: what is wrong must not show more. */
function ceilingOf(c: Context): Capture | undefined {
  const text = c.req.header('aep-capture');
  return text === undefined ? undefined : (CAPTURES.find((capture) => capture === text) ?? 'none');
}

function sessionQuery(c: Context): SessionQuery & { limit: number } {
  const limit = number(c, 'limit', 1, MAX_SESSIONS_PAGE) ?? DEFAULT_SESSIONS_PAGE;
  const before = number(c, 'before', 0, Number.MAX_SAFE_INTEGER);
  const session = c.req.query('session');
  return { limit, ...(before === undefined ? {} : { before }), ...(session === undefined ? {} : { session }) };
}

function exportQuery(c: Context, mark: number): ExportQuery {
  const since = number(c, 'since', 0, Number.MAX_SAFE_INTEGER);
  const until = number(c, 'until', 0, Number.MAX_SAFE_INTEGER);
  const filter = c.req.query('filter');
  try {
    return {
      after: number(c, 'after', 0, Number.MAX_SAFE_INTEGER) ?? 0,
      through: Math.min(number(c, 'through', 0, Number.MAX_SAFE_INTEGER) ?? mark, mark),
      ...(since === undefined ? {} : { since }),
      ...(until === undefined ? {} : { until }),
      ...(filter === undefined ? {} : { filter: parseFilter(filter) }),
    };
  } catch (error) {
    if (error instanceof FilterError) throw new RouteError(400, 'invalid-filter', error.message);
    throw error;
  }
}

function number(c: Context, name: string, min: number, max: number): number | undefined {
  const text = c.req.query(name);
  if (text === undefined) return undefined;
  const value = /^\d{1,16}$/.test(text) ? Number(text) : NaN;
  if (!(value >= min && value <= max)) throw new RouteError(400, 'invalid-parameter', `${name} is a whole number from ${min} to ${max}`);
  return value;
}
