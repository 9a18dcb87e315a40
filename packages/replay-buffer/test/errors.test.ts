import { expect, expectTypeOf, it } from 'vitest';
import { ReplayEvictedError, type ReplayBufferErrorCode } from '../src/index.js';

it('has one code', () => {
  expectTypeOf<ReplayBufferErrorCode>().toEqualTypeOf<'replay-evicted'>();
  const error = new ReplayEvictedError();
  expect([error.name, error.code]).toEqual(['ReplayEvictedError', 'replay-evicted']);
  expect(error).toBeInstanceOf(Error);
});
