import { describe, expect, it } from 'vitest';

import { DiscoverError, HttpEmitError, type DiscoverErrorCode, type HttpEmitErrorCode } from '../src/client.js';

/** A code that is added or taken away does not compile here. */
const EMIT: Readonly<Record<HttpEmitErrorCode, true>> = {
  'invalid-event': true,
  unauthorized: true,
  forbidden: true,
  'too-large': true,
  'unsupported-media-type': true,
  'unsupported-version': true,
  refused: true,
  'unexpected-answer': true,
  overloaded: true,
  unavailable: true,
  network: true,
  aborted: true,
  'queue-full': true,
};
const DISCOVER: Readonly<Record<DiscoverErrorCode, true>> = { network: true, unauthorized: true, 'not-found': true, 'invalid-document': true, aborted: true };

describe('the errors', () => {
  it('carry name, code and facts', () => {
    for (const code of Object.keys(EMIT) as HttpEmitErrorCode[]) {
      expect(new HttpEmitError(code, 'says', { status: 400, cause: 1 })).toMatchObject({ name: 'HttpEmitError', code, message: 'says', status: 400, accepted: 0, attempts: 0, cause: 1 });
    }
    for (const code of Object.keys(DISCOVER) as DiscoverErrorCode[]) {
      expect(new DiscoverError(code, 'says', { status: 404 })).toMatchObject({ name: 'DiscoverError', code, status: 404 });
    }
  });

  it('have no cause where there is none', () => {
    expect('cause' in new HttpEmitError('aborted', 'x')).toBe(false);
    expect('cause' in new DiscoverError('aborted', 'x')).toBe(false);
  });
});
