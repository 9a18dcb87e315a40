import type { Principal } from '@aepkit/access';
import { isSupportedVersion } from '@aepkit/envelope';
import { Hono, type Context } from 'hono';

import { answerEarly, renderRefusal } from './answer.js';
import { tooLarge } from './body-refusals.js';
import { contentCoding, type Coding } from './content-coding.js';
import { bodyShape, type BodyShape } from './content-type.js';
import { corsHeaders, preflightHeaders } from './cors.js';
import { discoveryDocument } from './discovery-document.js';
import { refusalOf } from './error-table.js';
import { gate } from './gate.js';
import { inflate } from './inflate.js';
import { ledger, openAccount, type Account } from './ledger.js';
import { nodeIncoming } from './node-bindings.js';
import { resolveOptions, type HttpBindingOptions } from './options.js';
import { readIncoming, readStream } from './read-body.js';
import { lineOf, readEvents } from './read-events.js';
import { requestFacts } from './request-facts.js';
import { isRefusal, refuse, type Refusal } from './refusal.js';

/** Bodies that are inflated at a time: leaves the event loop a core of its own on small machines. */
const INFLATIONS = 2;

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
  const pending = ledger(settings.maxPendingBytes);
  const inflations = gate(INFLATIONS);
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

  const refused = (c: Context, route: 'events' | 'discovery', refusal: Refusal): Response | Promise<Response> => {
    report(route, refusal);
    const { text, headers } = renderRefusal(refusal, settings.retryAfterSeconds);
    Object.assign(headers, originHeaders(c));
    const incoming = nodeIncoming(c.env);
    if (incoming !== undefined && mayHaveBody(c)) return answerEarly(incoming, refusal.status, text, headers, linger);
    return new Response(text, { status: refusal.status, headers });
  };

  const originHeaders = (c: Context): Record<string, string> | undefined =>
    c.req.header('origin') === undefined ? undefined : corsHeaders(access.crossOrigin(requestFacts(c)));

  const discover = (c: Context): Response | Promise<Response> => {
    try {
      access.checkDiscovery(requestFacts(c));
      const text = JSON.stringify(discoveryDocument(hub.facts(), settings.endpoints));
      return new Response(text, {
        status: 200,
        headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...originHeaders(c) },
      });
    } catch (error) {
      return refused(c, 'discovery', refusalOf(error));
    }
  };

  const emit = async (c: Context): Promise<Response> => {
    const account = openAccount(pending);
    let outcome: number | Refusal;
    try {
      outcome = await take(c, account);
    } catch (error) {
      outcome = refusalOf(error);
    } finally {
      account.close();
    }
    if (typeof outcome !== 'number') return refused(c, 'events', outcome);
    return new Response(`{"accepted":${String(outcome)}}`, {
      status: 202,
      headers: { 'content-type': 'application/json', ...originHeaders(c) },
    });
  };

  const take = async (c: Context, account: Account): Promise<number | Refusal> => {
    const principal = access.admit(requestFacts(c), 'emit', { queryToken: false });
    const version = c.req.header('aep-version');
    if (!isSupportedVersion(version)) return unsupportedVersion(hub.facts().versions);
    const shape = bodyShape(c.req.header('content-type'));
    if (isRefusal(shape)) return shape;
    const coding = contentCoding(c.req.header('content-encoding'));
    if (isRefusal(coding)) return coding;
    const body = await readBody(c, shape, coding, account);
    if (isRefusal(body)) return body;
    const events = await readEvents(body, shape, eventBounds);
    if (isRefusal(events)) return events;
    return admit(events, principal, body, shape);
  };

  const admit = async (
    events: Parameters<typeof hub.ingest>[0],
    principal: Principal,
    body: Uint8Array,
    shape: BodyShape,
  ): Promise<number | Refusal> => {
    try {
      await hub.ingest(events, { principal, via: 'post' });
      return events.length;
    } catch (error) {
      const index = indexOf(error);
      return refusalOf(error, index === undefined ? undefined : { index, line: lineOf(body, shape, index) });
    }
  };

  const readBody = async (c: Context, shape: BodyShape, coding: Coding | undefined, account: Account): Promise<Uint8Array | Refusal> => {
    const maxBytes = shape === 'single' ? Math.min(settings.maxEventBytes, settings.maxBodyBytes) : settings.maxBodyBytes;
    const declared = c.req.header('content-length');
    if (declared !== undefined && Number(declared) > maxBytes) return tooLarge(maxBytes, 'sent');
    const bounds = { maxBytes, timeoutMs: settings.bodyTimeoutMs, timers: settings.timers, account };
    const incoming = nodeIncoming(c.env);
    const body = incoming === undefined || incoming.readableDidRead ? await readStream(unread(c), bounds) : await readIncoming(incoming, bounds);
    if (coding === undefined || isRefusal(body)) return body;
    await inflations.enter();
    try {
      return await inflate(body, coding, maxBytes, account);
    } finally {
      inflations.leave();
    }
  };

  /** Every method without a meaning here. `OPTIONS` has one only as the preflight of an allowed origin. */
  const otherMethod = (c: Context, route: 'events' | 'discovery', allow: string): Response | Promise<Response> => {
    try {
      const request = requestFacts(c);
      access.checkOrigin(request);
      const origin = c.req.method === 'OPTIONS' ? access.crossOrigin(request) : undefined;
      if (origin !== undefined) return new Response(null, { status: 204, headers: preflightHeaders(origin) });
      return refused(c, route, refuse(405, 'method-not-allowed', `the methods here are ${allow}`, { headers: { allow } }));
    } catch (error) {
      return refused(c, route, refusalOf(error));
    }
  };

  const app = new Hono();
  // One handler per path: Hono calls a sole match without composing a chain.
  app.all('/events', (c) => {
    const { method } = c.req;
    if (method === 'POST') return emit(c);
    if (method === 'GET' || method === 'HEAD') return discover(c);
    return otherMethod(c, 'events', 'GET, HEAD, POST');
  });
  app.all('/.well-known/aep', (c) => {
    const { method } = c.req;
    if (method === 'GET' || method === 'HEAD') return discover(c);
    return otherMethod(c, 'discovery', 'GET, HEAD');
  });
  return app;
}

function unsupportedVersion(versions: readonly string[]): Refusal {
  // No Upgrade field (O-11): illegal in HTTP/2, where a proxy passes it on and the client loses the answer.
  return refuse(426, 'unsupported-version', 'AEP-Version is missing or names another version', { body: { versions } });
}

function indexOf(error: unknown): number | undefined {
  return typeof error === 'object' && error !== null && 'index' in error && typeof error.index === 'number' ? error.index : undefined;
}

function mayHaveBody(c: Context): boolean {
  return c.req.header('transfer-encoding') !== undefined || Number(c.req.header('content-length') ?? 0) > 0;
}

/** What a middleware has read may have been through a decoder that replaces bad bytes in silence. */
function unread(c: Context): ReadableStream<Uint8Array> | null {
  const { raw } = c.req;
  if (raw.bodyUsed || raw.body?.locked === true) throw new TypeError('something ahead of httpBinding has read the body');
  return raw.body;
}

function yieldTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
