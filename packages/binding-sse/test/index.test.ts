import { describe, expect, it } from 'vitest';

import * as client from '../src/client.js';
import * as server from '../src/server.js';

describe('@aepkit/binding-sse', () => {
  it('exports these values from ./server', () => {
    expect(Object.keys(server).toSorted()).toEqual([
      'DEFAULT_CLOSE_GRACE_MS',
      'DEFAULT_DRAIN_MS',
      'DEFAULT_HEARTBEAT_MS',
      'DEFAULT_HIGH_WATER_MARK_BYTES',
      'DEFAULT_MAX_QUERY_CHARS',
      'DEFAULT_RETRY_AFTER_SECONDS',
      'MAX_EVENT_ID_BYTES',
      'formatEventId',
      'formatExhausted',
      'parseEventId',
      'parseExhausted',
      'sseBinding',
      'sseEncoder',
    ]);
  });

  it('exports these values from ./client', () => {
    expect(Object.keys(client).toSorted()).toEqual([
      'DEFAULT_CONNECT_TIMEOUT_MS',
      'DEFAULT_HEARTBEAT_TIMEOUT_MS',
      'DEFAULT_MAX_BACKOFF_MS',
      'DEFAULT_MAX_MESSAGE_BYTES',
      'DEFAULT_MAX_RETRY_AFTER_MS',
      'DEFAULT_MAX_SEEN',
      'DEFAULT_MAX_SESSIONS',
      'DEFAULT_MAX_URL_CHARS',
      'DEFAULT_MIN_BACKOFF_MS',
      'MAX_EVENT_ID_BYTES',
      'SseConsumer',
      'SseConsumerError',
      'formatEventId',
      'formatExhausted',
      'parseEventId',
      'parseExhausted',
    ]);
  });

  it('has these limits', () => {
    expect(server.MAX_EVENT_ID_BYTES).toBe(4096);
  });

  it('has these words for what every client tells', () => {
    const reasons: Record<client.GapReason, true> = { exhausted: true, 'not-held': true, 'not-listed': true };
    const modes: Record<client.ResumeMode, true> = { live: true, positions: true, all: true };
    const items: Record<client.SseItem['type'], true> = { open: true, event: true, exhausted: true, gap: true, invalid: true, closed: true, refused: true };
    const store: client.PositionStore = { load: (): client.SavedPosition[] => [{ source: 'a:', session: 's', epoch: 0, seq: 0 }], save: () => undefined };
    expect([reasons, modes, items, store].map((words) => Object.keys(words).length)).toEqual([3, 3, 7, 2]);
  });

  it('throws these errors', () => {
    const codes: Record<client.SseConsumerErrorCode, true> = { 'already-running': true, 'store-failed': true };
    for (const code of Object.keys(codes) as client.SseConsumerErrorCode[]) {
      const cause = new Error('x');
      expect(new client.SseConsumerError(code, 'message', cause)).toMatchObject({ name: 'SseConsumerError', code, message: 'message', cause });
    }
  });
});
