import { AccessError } from '@aepkit/access';
import { EnvelopeError } from '@aepkit/envelope';
import { HubError, type HubErrorCode } from '@aepkit/hub';
import type { Context } from 'hono';

/** A refusal of one of an endpoint's own routes. */
export class RouteError extends Error {
  override readonly name = 'RouteError';
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Further members of the answer. */
  readonly members: Readonly<Record<string, unknown>>;

  constructor(status: number, code: string, message: string, headers: Readonly<Record<string, string>> = {}, members: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
    this.members = members;
  }
}

const STATUS_OF_HUB: Readonly<Record<HubErrorCode, number>> = {
  'invalid-event': 400,
  unauthorized: 403,
  'command-refused': 403,
  'invalid-filter': 400,
  'limit-exceeded': 400,
  unavailable: 503,
  overloaded: 503,
  closing: 503,
};

/** Says what an error of a program's own parts means on its routes; `undefined` for one that it does not know. */
export type ErrorReader = (error: unknown) => RouteError | undefined;

/** The answer to anything that a route throws. What nobody knows is a 500 that says nothing of its inside. */
export function refusal(c: Context, error: unknown, read?: ErrorReader): Response {
  const { status, code, message, headers, members } = routeError(error) ?? read?.(error) ?? new RouteError(500, 'internal-error', 'the endpoint failed; its log says why');
  const text = c.req.method === 'HEAD' ? null : JSON.stringify({ error: code, detail: message, ...members });
  return new Response(text, { status, headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers } });
}

const routeError: ErrorReader = (error) => {
  if (error instanceof RouteError) return error;
  if (error instanceof AccessError) {
    const headers: Record<string, string> = error.wwwAuthenticate === undefined ? {} : { 'www-authenticate': error.wwwAuthenticate };
    return new RouteError(error.status, error.status === 401 ? 'unauthorized' : error.code, error.message, headers, { code: error.code });
  }
  if (error instanceof EnvelopeError) return new RouteError(400, error.code, error.message, {}, { path: error.path });
  if (error instanceof HubError) {
    const status = STATUS_OF_HUB[error.code];
    return new RouteError(status, error.code, error.message, status === 503 ? { 'retry-after': '1' } : {});
  }
  return undefined;
};
