import { describe, expect, it } from 'vitest';

import { JsonlFollowError, type JsonlFollowErrorCode } from '../src/follow.js';
import { JsonlWriteError, type JsonlWriteErrorCode } from '../src/writer.js';
import { errnoOf } from '../src/errors.js';
import { systemError } from './support.js';

/** A code that is added or taken away does not compile here. */
const WRITE: Readonly<Record<JsonlWriteErrorCode, true>> = {
  'not-one-line': true,
  'too-large': true,
  'invalid-name': true,
  'no-space': true,
  'short-write': true,
  unwritable: true,
  'sync-failed': true,
  'rotate-failed': true,
  io: true,
  'queue-full': true,
  'broken-pipe': true,
  closed: true,
};
const FOLLOW: Readonly<Record<JsonlFollowErrorCode, true>> = { 'not-a-file': true, unreadable: true, 'invalid-position': true };

describe('the errors', () => {
  it('carry name, code and facts', () => {
    for (const code of Object.keys(WRITE) as JsonlWriteErrorCode[]) {
      const error = new JsonlWriteError(code, 'says', { path: 'p', failed: [1], cause: systemError('EIO') });
      expect(error).toMatchObject({ name: 'JsonlWriteError', code, message: 'says', path: 'p', failed: [1], errno: 'EIO' });
    }
    for (const code of Object.keys(FOLLOW) as JsonlFollowErrorCode[]) {
      expect(new JsonlFollowError(code, 'says', { path: 'p', cause: systemError('EIO') })).toMatchObject({ name: 'JsonlFollowError', code, path: 'p', errno: 'EIO' });
    }
  });

  it('have no cause and no errno where there is none', () => {
    for (const error of [new JsonlWriteError('io', 'x'), new JsonlFollowError('unreadable', 'x')]) {
      expect(['cause' in error, error.errno, error.path]).toEqual([false, undefined, undefined]);
    }
    expect([errnoOf(undefined), errnoOf('x'), errnoOf({ code: 7 }), errnoOf({})]).toEqual([undefined, undefined, undefined, undefined]);
  });
});
