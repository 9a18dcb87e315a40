import type { AccessErrorCode } from '@aepkit/access';
import { AccessError } from '@aepkit/access';
import type { EnvelopeErrorCode } from '@aepkit/envelope';
import { EnvelopeError } from '@aepkit/envelope';
import type { HubErrorCode } from '@aepkit/hub';
import { HubError } from '@aepkit/hub';

import { refuse, type Refusal } from './refusal.js';

interface Row {
  readonly status: number;
  /** The `error` member of the answer. */
  readonly error: string;
  readonly retry?: true;
}

const INVALID: Row = { status: 400, error: 'invalid-event' };
const TOO_LARGE: Row = { status: 413, error: 'too-large' };

/** AEP-0003 §3.2: an envelope that does not hold is 400, one that is too long 413. */
const ENVELOPE: Readonly<Record<EnvelopeErrorCode, Row>> = {
  'invalid-utf8': INVALID,
  'byte-order-mark': INVALID,
  'invalid-json': INVALID,
  'not-json': INVALID,
  'duplicate-member': INVALID,
  'too-deep': INVALID,
  'too-large': TOO_LARGE,
  'lone-surrogate': INVALID,
  'not-an-object': INVALID,
  'missing-attribute': INVALID,
  'forbidden-attribute': INVALID,
  'unsupported-version': INVALID,
  'invalid-type': INVALID,
  'invalid-attribute': INVALID,
  'unsafe-integer': INVALID,
  'invalid-name': INVALID,
  'reserved-name': INVALID,
  'invalid-extension': INVALID,
};

const HUB: Readonly<Record<HubErrorCode, Row>> = {
  'invalid-event': INVALID,
  unauthorized: { status: 403, error: 'forbidden' },
  'command-refused': { status: 403, error: 'command-refused' },
  'invalid-filter': { status: 400, error: 'invalid-filter' },
  'limit-exceeded': { status: 413, error: 'limit-exceeded' },
  unavailable: { status: 503, error: 'unavailable', retry: true },
  overloaded: { status: 503, error: 'overloaded', retry: true },
  closing: { status: 503, error: 'closing', retry: true },
};

/** AEP-0003 §8.1: no or wrong credentials are 401, the lack of a right is 403. */
const ACCESS: Readonly<Record<AccessErrorCode, Row>> = {
  'missing-token': { status: 401, error: 'unauthorized' },
  'invalid-token': { status: 401, error: 'unauthorized' },
  'query-token-not-allowed': { status: 401, error: 'unauthorized' },
  'insufficient-scope': { status: 403, error: 'forbidden' },
  'host-not-allowed': { status: 421, error: 'host-not-allowed' },
  'origin-not-allowed': { status: 403, error: 'origin-not-allowed' },
  'proxied-without-token': { status: 403, error: 'proxied-without-token' },
};

/** Places an error in the request. */
export interface Place {
  readonly index: number;
  readonly line: number;
}

/**
 * The one place where an error becomes a status and a body. A code without a row does not compile; an error of no
 * family we know is a 500 that says nothing of itself.
 */
export function refusalOf(error: unknown, place?: Place): Refusal {
  if (error instanceof EnvelopeError) return row(ENVELOPE[error.code], error.code, error.message, { path: error.path, ...place });
  if (error instanceof HubError) {
    return row(HUB[error.code], error.code, error.detail, error.cause === undefined ? place : { ...place, cause: error.cause });
  }
  if (error instanceof AccessError) {
    const challenge = error.wwwAuthenticate;
    return row(
      ACCESS[error.code],
      error.code,
      error.message,
      challenge === undefined ? undefined : { headers: { 'www-authenticate': challenge } },
    );
  }
  return refuse(500, 'internal-error', 'the request could not be handled', { cause: error });
}

function row(entry: Row, code: string, detail: string, more: Partial<Refusal> = {}): Refusal {
  return refuse(entry.status, entry.error, detail, { ...more, code, ...(entry.retry === true ? { retry: true } : {}) });
}
