import { expect, it } from 'vitest';
import * as history from '../src/index.js';

it('exports what the README names, and nothing else', () => {
  expect(Object.keys(history).sort()).toEqual([
    'DEFAULT_BUFFER_EVENTS',
    'DEFAULT_GROUP_EVENTS',
    'DEFAULT_MAP_BYTES',
    'DEFAULT_MAX_BYTES',
    'DEFAULT_SESSIONS',
    'HistoryError',
    'openHistory',
    'openStoredEvents',
  ]);
});

it('has these defaults', () => {
  expect([
    history.DEFAULT_BUFFER_EVENTS,
    history.DEFAULT_GROUP_EVENTS,
    history.DEFAULT_MAP_BYTES,
    history.DEFAULT_MAX_BYTES,
    history.DEFAULT_SESSIONS,
  ]).toEqual([10_000, 1000, 1_073_741_824, Infinity, 1000]);
});

it('has these error codes', () => {
  const codes = {
    locked: true,
    'newer-schema': true,
    'not-a-history': true,
    'migration-failed': true,
    corrupt: true,
    unavailable: true,
    closed: true,
  } satisfies Record<history.HistoryErrorCode, true>;
  expect(Object.keys(codes)).toHaveLength(7);
});
