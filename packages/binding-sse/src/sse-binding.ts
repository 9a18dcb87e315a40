import type { Principal, RequestFacts } from '@aepkit/access';
import type { Connection } from '@aepkit/hub';
import { type Context, Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';

import { acceptsEventStream } from './accepts.js';
import { resolveBindingOptions, type ResolvedBindingOptions, type SseBindingOptions } from './binding-options.js';
import { readLastEventId } from './last-event-id.js';
import { type NodeOutgoing, nodeOutlet } from './node-outlet.js';
import { parseQuery, type StreamParameter } from './query.js';
import { refusalOf, RequestRefused } from './refusal.js';
import { type SseSink, sseSink } from './sse-sink.js';
import { webOutlet } from './web-outlet.js';

const HEAD: Readonly<Record<string, string>> = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
  'X-Content-Type-Options': 'nosniff',
};

/**
 * Makes the route `GET /stream` (AEP-0003 §3.3): one subscription per request, live Events and replays as SSE.
 *
 * Under `@hono/node-server` it writes to the raw response, elsewhere it answers with a web stream. What is wrong with a request is
 * answered before the first byte of a stream: 400 `invalid-filter` or `limit-exceeded`, 401 and 403 `unauthorized`, 405, 406, 503.
 *
 * @example
 * const app = new Hono().route('/', sseBinding({ hub, access }));
 * serve({ fetch: app.fetch, port: 4319 });
 */
export function sseBinding(options: SseBindingOptions): Hono {
  const resolved = resolveBindingOptions(options);
  const app = new Hono();
  app.all('/stream', (c) => {
    const cors: Record<string, string> = {};
    try {
      return answer(c, resolved, cors);
    } catch (thrown) {
      return refuse(c, thrown, resolved, cors);
    }
  });
  return app;
}

function answer(c: Context, options: ResolvedBindingOptions, cors: Record<string, string>): Response {
  const { incoming, outgoing } = nodeSides(c);
  const facts = factsOf(c, incoming);
  Object.assign(cors, corsHeaders(options.access.crossOrigin(facts)));
  if (c.req.method === 'OPTIONS' && 'Access-Control-Allow-Origin' in cors) return preflight(c, cors);
  // Hono sends HEAD to the handler of GET; a stream without a body would never end.
  if (c.req.method !== 'GET') {
    throw new RequestRefused(405, 'method-not-allowed', 'Only GET is served here.', { Allow: 'GET' });
  }
  const parameters = parseQuery(c.req.url, options.maxQueryChars);
  const queryToken = parameters.get('access_token');
  const principal = options.access.admit(queryToken === undefined ? facts : { ...facts, queryToken }, 'observe', { queryToken: true });
  if (!acceptsEventStream(c.req.header('accept'))) {
    throw new RequestRefused(406, 'not-acceptable', 'This resource is a text/event-stream.');
  }

  const sink = sseSink(options, (events) => (outgoing === undefined ? webOutlet(events) : nodeOutlet(outgoing, events)));
  const connection = connect(options, sink, principal);
  const comments = ['stream'];
  try {
    const { request, headerIgnored } = subscription(parameters, c.req.header('last-event-id'));
    if (headerIgnored) comments.push('last-event-id-ignored');
    connection.subscribe(request);
  } catch (thrown) {
    connection.close();
    throw thrown;
  }
  sink.start(comments, () => connection.close());
  return c.body(sink.body, 200, { ...HEAD, ...cors });
}

function connect(options: ResolvedBindingOptions, sink: SseSink, principal: Principal): Connection {
  try {
    return options.hub.connect({ sink, principal });
  } catch (thrown) {
    const refusal = refusalOf(thrown);
    // Too many consumers is a state of the endpoint, not a fault of the request.
    if (refusal.error === 'limit-exceeded') throw new RequestRefused(503, 'limit-exceeded', refusal.detail);
    throw thrown;
  }
}

function subscription(parameters: ReadonlyMap<StreamParameter, string>, lastEventId: string | undefined) {
  const filter = parameters.get('filter');
  const capture = parameters.get('capture');
  const from = parameters.get('from');
  // `from` wins over the header, which is not even looked at (AEP-0003 §3.3).
  const last = from === undefined ? readLastEventId(lastEventId) : undefined;
  const start = from !== undefined ? (from === 'all' ? ('all' as const) : { text: from }) : typeof last === 'object' ? [last] : undefined;
  return {
    headerIgnored: last === 'malformed',
    request: {
      id: 'stream',
      ...(filter === undefined ? {} : { filter: { text: filter } }),
      ...(capture === undefined ? {} : { capture }),
      ...(start === undefined ? {} : { from: start }),
      // Only 0 switches live delivery off.
      live: parameters.get('live') !== '0',
    },
  };
}

function refuse(c: Context, thrown: unknown, options: ResolvedBindingOptions, cors: Readonly<Record<string, string>>): Response {
  const { detail, headers, ...refusal } = refusalOf(thrown);
  try {
    options.onRefusal(refusal);
  } catch {
    // A counter that fails is no reason to fail the request.
  }
  const finer = refusal.code === undefined || refusal.code === refusal.error ? {} : { code: refusal.code };
  return c.json({ error: refusal.error, detail, ...finer }, refusal.status as ContentfulStatusCode, {
    'Cache-Control': 'no-store',
    ...(refusal.status === 503 ? { 'Retry-After': String(options.retryAfterSeconds) } : {}),
    ...cors,
    ...headers,
  });
}

function factsOf(c: Context, incoming: NodeIncoming | undefined): RequestFacts {
  const socket = incoming?.socket;
  return {
    // HTTP/2 has the host in a pseudo-header.
    header: (name) => c.req.header(name) ?? (name === 'host' ? incoming?.headers?.[':authority'] : undefined),
    encrypted: socket === undefined ? c.req.url.startsWith('https:') : (socket.encrypted ?? false),
    ...(socket?.remoteAddress === undefined ? {} : { remoteAddress: socket.remoteAddress }),
  };
}

/** Errors bear them too, or the page could not read the status. */
function corsHeaders(origin: string | undefined): Readonly<Record<string, string>> {
  return origin === undefined ? {} : { 'Access-Control-Allow-Origin': origin, Vary: 'Origin' };
}

function preflight(c: Context, cors: Readonly<Record<string, string>>): Response {
  return c.body(null, 204, {
    ...cors,
    'Access-Control-Allow-Methods': 'GET',
    'Access-Control-Allow-Headers': 'Accept, Authorization, Last-Event-ID',
    'Access-Control-Max-Age': '600',
  });
}

interface NodeIncoming {
  readonly headers?: { readonly ':authority'?: string };
  readonly socket?: { readonly remoteAddress?: string | undefined; readonly encrypted?: boolean } | undefined;
}

function nodeSides(c: Context): { incoming: NodeIncoming | undefined; outgoing: NodeOutgoing | undefined } {
  const env = c.env as { incoming?: NodeIncoming; outgoing?: NodeOutgoing } | undefined;
  const outgoing = env?.outgoing;
  const raw = outgoing !== undefined && typeof outgoing.write === 'function' && !outgoing.headersSent;
  return { incoming: env?.incoming, outgoing: raw ? outgoing : undefined };
}
