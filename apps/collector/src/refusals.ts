import { AccessError } from '@aepkit/access';
import { AdapterError } from '@aepkit/adapter-claude-code';
import { EnvelopeError } from '@aepkit/envelope';
import { HistoryError } from '@aepkit/history';
import { HubError, type HubErrorCode } from '@aepkit/hub';
import type { Context } from 'hono';

/** A refusal of one of the collector's own routes. */
export class RouteError extends Error {
  override readonly name = 'RouteError';
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: string, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
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

/** The answer to anything that a route throws. What is not ours is a 500 that says nothing of its inside. */
export function refusal(c: Context, error: unknown): Response {
  if (error instanceof RouteError) return answer(c, error.status, { error: error.code, detail: error.message }, error.headers);
  if (error instanceof AccessError) {
    const headers: Record<string, string> = error.wwwAuthenticate === undefined ? {} : { 'www-authenticate': error.wwwAuthenticate };
    return answer(c, error.status, { error: error.status === 401 ? 'unauthorized' : error.code, detail: error.message, code: error.code }, headers);
  }
  // A call that no Event can be made of.
  if (error instanceof EnvelopeError) return answer(c, 400, { error: error.code, detail: error.message, path: error.path });
  if (error instanceof AdapterError) return answer(c, 400, { error: error.code, detail: error.message, path: error.path });
  if (error instanceof HubError) {
    const status = STATUS_OF_HUB[error.code];
    return answer(c, status, { error: error.code, detail: error.message }, status === 503 ? { 'retry-after': '1' } : {});
  }
  if (error instanceof HistoryError) {
    return answer(c, 503, { error: 'unavailable', detail: 'the history cannot be read' }, { 'retry-after': '1' });
  }
  return answer(c, 500, { error: 'internal-error', detail: 'the collector failed; its log says why' });
}

function answer(c: Context, status: number, body: object, headers: Readonly<Record<string, string>> = {}): Response {
  const text = c.req.method === 'HEAD' ? null : JSON.stringify(body);
  return new Response(text, { status, headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers } });
}
