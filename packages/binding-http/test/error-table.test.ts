import { AccessError, type AccessErrorCode } from '@aepkit/access';
import { ENVELOPE_ERROR_CODES, EnvelopeError } from '@aepkit/envelope';
import { HubError, type HubErrorCode } from '@aepkit/hub';
import { describe, expect, it } from 'vitest';

import { refusalOf } from '../src/error-table.js';

describe('refusalOf', () => {
  it.each(ENVELOPE_ERROR_CODES.map((code) => [code, code === 'too-large' ? 413 : 400] as const))('makes envelope code %s a %i', (code, status) => {
    const error = new EnvelopeError({ code, path: '$.x', section: 'AEP-0001 §5', message: 'says' });
    expect(refusalOf(error, { index: 3, line: 5 })).toEqual({
      refused: true,
      status,
      error: status === 413 ? 'too-large' : 'invalid-event',
      code,
      detail: 'says',
      path: '$.x',
      index: 3,
      line: 5,
    });
  });

  it.each<[HubErrorCode, number, string, boolean]>([
    ['invalid-event', 400, 'invalid-event', false],
    ['unauthorized', 403, 'forbidden', false],
    ['command-refused', 403, 'command-refused', false],
    ['invalid-filter', 400, 'invalid-filter', false],
    ['limit-exceeded', 413, 'limit-exceeded', false],
    ['unavailable', 503, 'unavailable', true],
    ['overloaded', 503, 'overloaded', true],
    ['closing', 503, 'closing', true],
  ])('makes hub code %s a %i %s', (code, status, error, retry) => {
    const refusal = refusalOf(new HubError(code, 'says'), { index: 1, line: 2 });
    expect(refusal).toMatchObject({ status, error, code, detail: 'says', index: 1, line: 2 });
    expect(refusal.retry === true).toBe(retry);
  });

  it.each<[AccessErrorCode, number, string]>([
    ['missing-token', 401, 'unauthorized'],
    ['invalid-token', 401, 'unauthorized'],
    ['query-token-not-allowed', 401, 'unauthorized'],
    ['insufficient-scope', 403, 'forbidden'],
    ['host-not-allowed', 421, 'host-not-allowed'],
    ['origin-not-allowed', 403, 'origin-not-allowed'],
    ['proxied-without-token', 403, 'proxied-without-token'],
  ])('makes access code %s a %i %s, as access itself says', (code, status, error) => {
    const thrown = new AccessError(code, 'says');
    expect(thrown.status).toBe(status);
    expect(refusalOf(thrown)).toEqual({
      refused: true,
      status,
      error,
      code,
      detail: 'says',
      ...(status === 401 ? { headers: { 'www-authenticate': 'Bearer' } } : {}),
    });
  });

  it('says nothing of an error it does not know, and keeps it for the app', () => {
    const secret = Object.assign(new Error('secret'), { code: 'invalid-event' });
    expect(refusalOf(secret)).toEqual({ refused: true, status: 500, error: 'internal-error', detail: 'the request could not be handled', cause: secret });
    expect(refusalOf(undefined)).toMatchObject({ status: 500 });
  });

  it('keeps the cause the hub names, and shows it to nobody else', () => {
    const cause = new Error('disk full');
    expect(refusalOf(new HubError('unavailable', 'the log failed', { cause }))).toMatchObject({ detail: 'the log failed', cause });
  });
});
