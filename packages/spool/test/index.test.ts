import { expect, expectTypeOf, it } from 'vitest';

import * as api from '../src/index.js';
import * as peek from '../src/peek.js';
import * as place from '../src/place.js';

it('exports what it exports', () => {
  expect(Object.keys(api).sort()).toEqual([
    'DEFAULT_BATCH_BYTES',
    'DEFAULT_BATCH_LINES',
    'DEFAULT_LOCK_TIMEOUT_MS',
    'DEFAULT_MAX_BYTES',
    'DEFAULT_MAX_LINE_BYTES',
    'SpoolError',
    'nodeFileSystem',
    'openSpool',
  ]);
  expect(Object.keys(peek)).toEqual(['hasLines']);
  expect(Object.keys(place).sort()).toEqual(['isLoopback', 'spoolRoot', 'targetName']);
});

it('has these defaults', () => {
  expect([api.DEFAULT_MAX_BYTES, api.DEFAULT_MAX_LINE_BYTES, api.DEFAULT_LOCK_TIMEOUT_MS, api.DEFAULT_BATCH_LINES, api.DEFAULT_BATCH_BYTES]).toEqual([67_108_864, 1_048_576, 60_000, 500, 1_048_576]);
});

it('has these error codes', () => {
  expectTypeOf<api.SpoolErrorCode>().toEqualTypeOf<'line-too-long' | 'invalid-line' | 'not-a-spool' | 'no-space' | 'unavailable' | 'closed'>();
});
