import { expect, it } from 'vitest';
import * as exported from '../src/index.js';

it('exports this and nothing else', () => {
  expect(Object.keys(exported).sort()).toEqual([
    'ANCHOR_OVERHEAD_BYTES',
    'DEFAULT_BYTES',
    'DEFAULT_CHUNK_STEPS',
    'DEFAULT_CHUNK_TEXT',
    'DEFAULT_COPY',
    'DEFAULT_EVICTED_SESSIONS',
    'DEFAULT_PER_SESSION_EVENTS',
    'DEFAULT_SESSIONS',
    'EVENT_OVERHEAD_BYTES',
    'EVICTED_OVERHEAD_BYTES',
    'ReplayBuffer',
    'ReplayEvictedError',
    'SESSION_OVERHEAD_BYTES',
    'SOURCE_OVERHEAD_BYTES',
  ]);
});
