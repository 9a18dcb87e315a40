import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import * as epochFile from '../src/epoch-file.js';
import { EpochStoreError } from '../src/errors.js';
import * as http from '../src/http.js';
import * as root from '../src/index.js';
import * as jsonl from '../src/jsonl.js';
import * as spool from '../src/spool.js';

describe('what the package exports', () => {
  it('is this', () => {
    expect(Object.keys(root).sort()).toEqual([
      'DEFAULT_BATCH_DELAY_MS',
      'DEFAULT_CEILING',
      'DEFAULT_FLUSH_TIMEOUT_MS',
      'DEFAULT_HOST',
      'DEFAULT_MAX_ATTEMPTS',
      'DEFAULT_MAX_BATCH_BYTES',
      'DEFAULT_MAX_BATCH_EVENTS',
      'DEFAULT_MAX_EVENT_BYTES',
      'DEFAULT_MAX_PAYLOAD_UNITS',
      'DEFAULT_MAX_QUEUED_BYTES',
      'DEFAULT_MAX_QUEUED_EVENTS',
      'DEFAULT_MAX_REQUESTS',
      'DEFAULT_MAX_REQUEST_UNITS',
      'DEFAULT_MAX_SESSIONS',
      'DEFAULT_MAX_UNITS',
      'DEFAULT_RETRY_BASE_MS',
      'DEFAULT_RETRY_MAX_MS',
      'DROPS_ATTRIBUTE',
      'EMITTER_ERROR_CODES',
      'EmitterError',
      'MAX_IDENTIFIER_LENGTH',
      'MAX_NAMED_LOSSES',
      'MAX_SUBJECT_LENGTH',
      'MAX_SUBJECT_WORDS',
      'TransportError',
      'UNFINISHED_TYPE',
      'clockEpochs',
      'createEmitter',
      'emitFromModel',
      'memoryTransport',
    ]);
    expect(Object.keys(epochFile).sort()).toEqual(['DEFAULT_MAX_REMEMBERED_SESSIONS', 'EpochStoreError', 'fileEpochs']);
    expect(Object.keys(http)).toEqual(['httpTransport']);
    expect(Object.keys(jsonl)).toEqual(['jsonlTransport']);
    expect(Object.keys(spool).sort()).toEqual([
      'DEFAULT_DIRECT_TIMEOUT_MS',
      'DEFAULT_SPOOL_BATCH_BYTES',
      'DEFAULT_SPOOL_BATCH_EVENTS',
      'DEFAULT_SPOOL_RETRY_BASE_MS',
      'DEFAULT_SPOOL_RETRY_MAX_MS',
      'spoolTransport',
    ]);
  });

  it('has these entries', () => {
    const { exports } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { exports: object };
    expect(Object.keys(exports)).toEqual(['.', './epoch-file', './http', './jsonl', './spool', './websocket', './package.json']);
  });

  it('has these defaults', () => {
    expect([
      root.DEFAULT_BATCH_DELAY_MS,
      root.DEFAULT_CEILING,
      root.DEFAULT_FLUSH_TIMEOUT_MS,
      root.DEFAULT_HOST,
      root.DEFAULT_MAX_ATTEMPTS,
      root.DEFAULT_MAX_BATCH_BYTES,
      root.DEFAULT_MAX_BATCH_EVENTS,
      root.DEFAULT_MAX_EVENT_BYTES,
      root.DEFAULT_MAX_PAYLOAD_UNITS,
      root.DEFAULT_MAX_QUEUED_BYTES,
      root.DEFAULT_MAX_QUEUED_EVENTS,
      root.DEFAULT_MAX_REQUESTS,
      root.DEFAULT_MAX_REQUEST_UNITS,
      root.DEFAULT_MAX_SESSIONS,
      root.DEFAULT_MAX_UNITS,
      root.DEFAULT_RETRY_BASE_MS,
      root.DEFAULT_RETRY_MAX_MS,
      root.DROPS_ATTRIBUTE,
      root.MAX_IDENTIFIER_LENGTH,
      root.MAX_NAMED_LOSSES,
      root.MAX_SUBJECT_LENGTH,
      root.MAX_SUBJECT_WORDS,
    ]).toEqual([20, 'metadata', 5000, 'localhost', Infinity, 1_048_576, 500, 1_048_576, 16_777_216, 16_777_216, 10_000, 1000, 4_194_304, 10_000, 10_000, 200, 30_000, 'aepkitdrops', 512, 100, 256, 8]);
    expect(epochFile.DEFAULT_MAX_REMEMBERED_SESSIONS).toBe(10_000);
    expect([spool.DEFAULT_DIRECT_TIMEOUT_MS, spool.DEFAULT_SPOOL_BATCH_BYTES, spool.DEFAULT_SPOOL_BATCH_EVENTS, spool.DEFAULT_SPOOL_RETRY_BASE_MS, spool.DEFAULT_SPOOL_RETRY_MAX_MS]).toEqual([2000, 1_048_576, 500, 500, 30_000]);
  });
});

describe('errors', () => {
  it('have these codes', () => {
    expect(root.EMITTER_ERROR_CODES).toEqual([
      'unknown-type',
      'unknown-name',
      'wrong-scope',
      'invalid-identifier',
      'invalid-extension',
      'invalid-attribute',
      'invalid-payload',
      'too-large',
      'missing-run',
      'missing-step',
      'missing-subject',
      'missing-cause',
      'second-terminal',
      'second-ack',
      'unknown-request',
      'wrong-answer',
      'invalid-delta',
      'session-ended',
      'no-epoch-memory',
      'invalid-epoch',
      'too-many-sessions',
      'too-many-requests',
      'not-for-models',
      'queue-full',
      'closed',
    ]);
  });

  it('are known by name, and say where', () => {
    const error = new root.EmitterError('invalid-payload', 'is wrong', { path: '$.data.a', cause: 'c' });
    expect([error.name, error.code, error.path, error.message, error.cause, error.issues]).toEqual(['EmitterError', 'invalid-payload', '$.data.a', '$.data.a: is wrong', 'c', []]);
    const failure = new root.TransportError('down', { retryable: true, retryAfterMs: 5 });
    expect([failure.name, failure.retryable, failure.accepted, failure.index, failure.retryAfterMs, failure.code]).toEqual(['TransportError', true, 0, undefined, 5, undefined]);
    expect(new EpochStoreError('closed', 'x').name).toBe('EpochStoreError');
  });
});
