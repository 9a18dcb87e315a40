import type { Access } from '@aepkit/access';
import { type Context, Hono } from 'hono';

import { type ErrorReader, refusal, RouteError } from './refusals.js';
import { factsOf } from './request-facts.js';

/** What {@link endpointRoutes} is made of. */
export interface EndpointRoutesOptions {
  readonly access: Access;
  readonly version: string;
  /** Path of the WebSocket, where one is served: a plain request there is told so. */
  readonly socket?: string;
  /** What `GET /healthz` tries; rejects where the endpoint cannot work. */
  readonly probe?: () => Promise<unknown>;
  /** Errors of the program's own parts. */
  readonly readError?: ErrorReader;
  /** Told what no route expected. */
  readonly onError?: (error: unknown) => void;
  /** Default `Date.now`. */
  readonly now?: () => number;
}

/** The app of an endpoint, and a way to add routes to it. */
export interface EndpointRoutes {
  /** Has `GET /healthz`, an answer for paths that lead nowhere, and one for whatever a route throws. */
  readonly app: Hono;
  /** Adds a route whose errors become answers; other methods get 405 once Host and Origin are right. */
  readonly route: (path: string, methods: readonly string[], handle: (c: Context) => Response | Promise<Response>) => void;
}

/** Makes the app of an endpoint with what every endpoint answers. */
export function endpointRoutes(options: EndpointRoutesOptions): EndpointRoutes {
  const { access, version, socket, probe, readError, onError, now = Date.now } = options;
  const started = now();
  const app = new Hono();
  const failed = (c: Context, error: unknown): Response => {
    const response = refusal(c, error, readError);
    if (response.status === 500) onError?.(error);
    return response;
  };
  const route: EndpointRoutes['route'] = (path, methods, handle) => {
    app.all(path, async (c) => {
      try {
        if (methods.includes(c.req.method)) return await handle(c);
        access.checkOrigin(factsOf(c));
        throw new RouteError(405, 'method-not-allowed', `the methods here are ${methods.join(', ')}`, { allow: methods.join(', ') });
      } catch (error) {
        return failed(c, error);
      }
    });
  };
  app.onError((error, c) => failed(c, error));
  app.notFound((c) => refusal(c, new RouteError(404, 'not-found', 'nothing is served under this path')));
  route('/healthz', ['GET', 'HEAD'], async (c) => {
    access.checkOrigin(factsOf(c));
    await probe?.();
    return json({ status: 'ok', version, uptime_ms: Math.max(0, Math.round(now() - started)) }, 200);
  });
  if (socket !== undefined) {
    route(socket, ['GET'], (c) => {
      access.checkOrigin(factsOf(c));
      // No Upgrade field (O-11): illegal in HTTP/2, where a proxy passes it on and the client loses the answer.
      throw new RouteError(426, 'upgrade-required', 'a WebSocket is served here');
    });
  }
  return { app, route };
}

/** An answer in JSON that no cache keeps. */
export function json(body: object, status: number): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', 'cache-control': 'no-store' } });
}
