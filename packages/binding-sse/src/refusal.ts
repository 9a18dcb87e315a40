import type { AccessError } from '@aepkit/access';
import type { HubError, HubErrorCode } from '@aepkit/hub';

/** The `error` member of a refused request. The first three are those of AEP-0003 §6.5. */
export type SseRefusalError =
  | 'invalid-filter'
  | 'limit-exceeded'
  | 'unauthorized'
  | 'not-acceptable'
  | 'method-not-allowed'
  | 'unavailable'
  | 'internal-error';

/** What {@link SseBindingOptions.onRefusal} gets. Holds no token and no content. */
export interface SseRefusal {
  /** The HTTP status of the answer. */
  readonly status: number;
  /** The `error` member of the answer. */
  readonly error: SseRefusalError;
  /** The code behind it, where there is a finer one. */
  readonly code?: string;
  /** Set for a 500: what was thrown, for the app's log. */
  readonly cause?: unknown;
}

/** A refusal with what goes out. `detail` never holds a parameter's value. */
export interface RefusedRequest extends SseRefusal {
  readonly detail: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const HUB: Readonly<Record<HubErrorCode, readonly [status: number, error: SseRefusalError]>> = {
  'invalid-filter': [400, 'invalid-filter'],
  'limit-exceeded': [400, 'limit-exceeded'],
  unauthorized: [403, 'unauthorized'],
  unavailable: [503, 'unavailable'],
  overloaded: [503, 'unavailable'],
  closing: [503, 'unavailable'],
  // Not reachable by a subscription.
  'invalid-event': [500, 'internal-error'],
  'command-refused': [500, 'internal-error'],
};

/** Thrown inside the binding for what it finds itself. */
export class RequestRefused extends Error {
  override readonly name = 'RequestRefused';
  readonly refusal: RefusedRequest;

  constructor(status: number, error: SseRefusalError, detail: string, headers?: Readonly<Record<string, string>>) {
    super(detail);
    this.refusal = { status, error, detail, ...(headers === undefined ? {} : { headers }) };
  }
}

/** The one table from what was thrown to what goes out (AEP-0003 §3.3, §6.5, §8.1). */
export function refusalOf(thrown: unknown): RefusedRequest {
  if (thrown instanceof RequestRefused) return thrown.refusal;
  if (isAccessError(thrown)) {
    return {
      status: thrown.status,
      error: 'unauthorized',
      code: thrown.code,
      detail: thrown.message,
      ...(thrown.wwwAuthenticate === undefined ? {} : { headers: { 'WWW-Authenticate': thrown.wwwAuthenticate } }),
    };
  }
  if (isHubError(thrown)) {
    const [status, error] = HUB[thrown.code];
    return { status, error, code: thrown.code, detail: thrown.detail };
  }
  return { status: 500, error: 'internal-error', detail: 'The request failed.', cause: thrown };
}

// By name and code: an app may hold two copies of a package.
function isAccessError(thrown: unknown): thrown is AccessError {
  return thrown instanceof Error && thrown.name === 'AccessError' && 'status' in thrown && typeof thrown.status === 'number';
}

function isHubError(thrown: unknown): thrown is HubError {
  return thrown instanceof Error && thrown.name === 'HubError' && 'code' in thrown && Object.hasOwn(HUB, thrown.code as string);
}
