import { isSupportedVersion } from '@aepkit/envelope';
import { Hono } from 'hono';

import { answerEarly, renderRefusal } from './answer.js';
import { viewReader } from './body-reader.js';
import { bodyShape } from './content-type.js';
import { corsHeaders, preflightHeaders } from './cors.js';
import { discoveryDocument } from './discovery-document.js';
import { refusalOf } from './error-table.js';
import type { Account } from './ledger.js';
import { resolveOptions, type HttpBindingOptions } from './options.js';
import { lineOf, readEvents } from './read-events.js';
import { isRefusal, refuse, type Refusal } from './refusal.js';
import { requestView, type RequestView } from './request-view.js';

/**
 * Makes the routes of the HTTP POST binding (AEP-0003 §3.2, §3.4): `POST /events`, `GET /events` and
 * `GET /.well-known/aep`. Mount it with `app.route('/', httpBinding(…))`; under a prefix, state the full paths in
 * `endpoints`.
 *
 * A POST passes host and origin, authentication, version, content type, size, content and the right to emit, in this
 * order, and is admitted as a whole or not at all. Throws RangeError or TypeError for options that make no sense.
 *
 * @example
 * ```ts
 * serve({ fetch: httpBinding({ hub, access }).fetch, port: 4319, hostname: '127.0.0.1' });
 * ```
 */
export function httpBinding(options: HttpBindingOptions): Hono {
  const settings = resolveOptions(options);
  const { hub, access } = settings;
  const bodies = viewReader(settings);
  const linger = { ms: settings.lingerMs, bytes: settings.lingerBytes, timers: settings.timers };
  const eventBounds = { maxEventBytes: settings.maxEventBytes, maxLines: settings.maxLines, yieldTurn };

  const report = (route: 'events' | 'discovery', refusal: Refusal): void => {
    const { status, error, code, cause } = refusal;
    try {
      settings.onRefusal?.({ route, status, error, ...(code === undefined ? {} : { code }), ...(cause === undefined ? {} : { cause }) });
    } catch {
      // A counter that fails must not change an answer.
    }
  };

  const refused = (request: RequestView, route: 'events' | 'discovery', refusal: Refusal): Response | Promise<Response> => {
    report(route, refusal);
    const { text, headers } = renderRefusal(refusal, settings.retryAfterSeconds);
    Object.assign(headers, originHeaders(request));
    if (request.incoming !== undefined && mayHaveBody(request)) return answerEarly(request.incoming, refusal.status, text, headers, linger);
    return new Response(text, { status: refusal.status, headers });
  };

  const originHeaders = ({ facts, header }: RequestView): Record<string, string> | undefined =>
    header('origin') === undefined ? undefined : corsHeaders(access.crossOrigin(facts));

  const discover = (request: RequestView): Response | Promise<Response> => {
    try {
      access.checkDiscovery(request.facts);
      const text = JSON.stringify(discoveryDocument(hub.facts(), settings.endpoints));
      return new Response(text, {
        status: 200,
        headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...originHeaders(request) },
      });
    } catch (error) {
      return refused(request, 'discovery', refusalOf(error));
    }
  };

  const emit = async (request: RequestView): Promise<Response> => {
    const account = bodies.open();
    let outcome: number | Refusal;
    try {
      outcome = await take(request, account);
    } catch (error) {
      outcome = refusalOf(error);
    } finally {
      account.close();
    }
    if (typeof outcome !== 'number') return refused(request, 'events', outcome);
    return new Response(`{"accepted":${String(outcome)}}`, { status: 202, headers: { 'content-type': 'application/json', ...originHeaders(request) } });
  };

  const take = async (request: RequestView, account: Account): Promise<number | Refusal> => {
    const { header } = request;
    const principal = access.admit(request.facts, 'emit', { queryToken: false });
    const version = header('aep-version');
    if (!isSupportedVersion(version)) return unsupportedVersion(version, hub.facts().versions);
    const shape = bodyShape(header('content-type'));
    if (isRefusal(shape)) return shape;
    const maxBytes = shape === 'single' ? Math.min(settings.maxEventBytes, settings.maxBodyBytes) : settings.maxBodyBytes;
    const body = await bodies.read(request, { maxBytes, maxLineBytes: settings.maxEventBytes }, account);
    if (isRefusal(body)) return body;
    const found = readEvents(body, shape, eventBounds);
    const events = found instanceof Promise ? await found : found;
    if (isRefusal(events)) return events;
    try {
      await hub.ingest(events, { principal, via: 'post' });
    } catch (error) {
      const index = indexOf(error);
      return refusalOf(error, index === undefined ? undefined : { index, line: lineOf(body, shape, index) });
    }
    return events.length;
  };

  /** Every method without a meaning here. `OPTIONS` has one only as the preflight of an allowed origin. */
  const otherMethod = (request: RequestView, route: 'events' | 'discovery', allow: string): Response | Promise<Response> => {
    try {
      access.checkOrigin(request.facts);
      const origin = request.method === 'OPTIONS' ? access.crossOrigin(request.facts) : undefined;
      if (origin !== undefined) return new Response(null, { status: 204, headers: preflightHeaders(origin) });
      return refused(request, route, refuse(405, 'method-not-allowed', `the methods here are ${allow}`, { headers: { allow } }));
    } catch (error) {
      return refused(request, route, refusalOf(error));
    }
  };

  const app = new Hono();
  // One handler per path: Hono calls a sole match without composing a chain.
  app.all('/events', (c) => {
    const request = requestView(c);
    if (request.method === 'POST') return emit(request);
    if (request.method === 'GET' || request.method === 'HEAD') return discover(request);
    return otherMethod(request, 'events', 'GET, HEAD, POST');
  });
  app.all('/.well-known/aep', (c) => {
    const request = requestView(c);
    if (request.method === 'GET' || request.method === 'HEAD') return discover(request);
    return otherMethod(request, 'discovery', 'GET, HEAD');
  });
  return app;
}

function unsupportedVersion(given: string | undefined, versions: readonly string[]): Refusal {
  // No Upgrade field (O-11): illegal in HTTP/2, where a proxy passes it on and the client loses the answer.
  const detail = given === undefined ? 'the header AEP-Version is missing' : 'AEP-Version names no version that is spoken here';
  return refuse(426, 'unsupported-version', `${detail}; send AEP-Version: ${versions.join(' or ')}`, { versions });
}

function indexOf(error: unknown): number | undefined {
  return typeof error === 'object' && error !== null && 'index' in error && typeof error.index === 'number' ? error.index : undefined;
}

function mayHaveBody({ header }: RequestView): boolean {
  return header('transfer-encoding') !== undefined || Number(header('content-length') ?? 0) > 0;
}

function yieldTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
