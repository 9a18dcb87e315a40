import { describe, expect, it } from 'vitest';

import * as client from '../src/client.js';
import * as server from '../src/server.js';

describe('the entries', () => {
  it('export these values and no others', () => {
    expect(Object.keys(server).toSorted()).toEqual([
      'DEFAULT_BODY_TIMEOUT_MS',
      'DEFAULT_LINGER_BYTES',
      'DEFAULT_LINGER_MS',
      'DEFAULT_MAX_BODY_BYTES',
      'DEFAULT_MAX_EVENT_BYTES',
      'DEFAULT_MAX_LINES',
      'DEFAULT_MAX_PENDING_BYTES',
      'DEFAULT_RETRY_AFTER_SECONDS',
      'bodyReader',
      'httpBinding',
      'isBodyRefusal',
    ]);
    expect(Object.keys(client).toSorted()).toEqual([
      'DEFAULT_BASE_DELAY_MS',
      'DEFAULT_DISCOVERY_TIMEOUT_MS',
      'DEFAULT_MAX_ATTEMPTS',
      'DEFAULT_MAX_BATCH_BYTES',
      'DEFAULT_MAX_BATCH_EVENTS',
      'DEFAULT_MAX_DELAY_MS',
      'DEFAULT_MAX_DISCOVERY_BYTES',
      'DEFAULT_MAX_QUEUED_BYTES',
      'DEFAULT_MAX_RETRY_MS',
      'DEFAULT_REQUEST_TIMEOUT_MS',
      'DiscoverError',
      'HttpEmitError',
      'HttpEmitter',
      'discover',
    ]);
  });

  it('have these defaults in the client', () => {
    expect(client).toMatchObject({
      DEFAULT_MAX_BATCH_EVENTS: 1_000,
      DEFAULT_MAX_BATCH_BYTES: 4_194_304,
      DEFAULT_MAX_QUEUED_BYTES: 67_108_864,
      DEFAULT_MAX_ATTEMPTS: 8,
      DEFAULT_MAX_RETRY_MS: 60_000,
      DEFAULT_REQUEST_TIMEOUT_MS: 30_000,
      DEFAULT_BASE_DELAY_MS: 200,
      DEFAULT_MAX_DELAY_MS: 10_000,
      DEFAULT_DISCOVERY_TIMEOUT_MS: 10_000,
      DEFAULT_MAX_DISCOVERY_BYTES: 1_048_576,
    });
  });
});
