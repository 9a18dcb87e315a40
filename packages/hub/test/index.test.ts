import { describe, expect, it } from 'vitest';
import * as hub from '../src/index.js';
import type { CloseReason, HubErrorCode, HubStats } from '../src/index.js';

describe('the public surface', () => {
  it('is this list', () => {
    expect(Object.keys(hub).sort()).toEqual([
      'DEFAULT_CLOSE_TIMEOUT_MS',
      'DEFAULT_MAX_CONNECTIONS',
      'DEFAULT_MAX_DELIVERED_POSITIONS',
      'DEFAULT_MAX_ID_LENGTH',
      'DEFAULT_MAX_POSITIONS',
      'DEFAULT_MAX_QUEUE_BYTES',
      'DEFAULT_MAX_SUBSCRIPTIONS',
      'DEFAULT_MAX_UNCOMMITTED_BYTES',
      'DEFAULT_REPLAY_STALL_MS',
      'DEFAULT_REPLAY_WRITE_BYTES',
      'Hub',
      'HubError',
      'memoryLog',
    ]);
  });

  it('has these defaults', () => {
    expect({ ...hub, Hub: 0, HubError: 0, memoryLog: 0 }).toEqual({
      DEFAULT_CLOSE_TIMEOUT_MS: 2_000,
      DEFAULT_MAX_CONNECTIONS: 10_000,
      DEFAULT_MAX_DELIVERED_POSITIONS: 300,
      DEFAULT_MAX_ID_LENGTH: 256,
      DEFAULT_MAX_POSITIONS: 10_000,
      DEFAULT_MAX_QUEUE_BYTES: 4_194_304,
      DEFAULT_MAX_SUBSCRIPTIONS: 100,
      DEFAULT_MAX_UNCOMMITTED_BYTES: 67_108_864,
      DEFAULT_REPLAY_STALL_MS: 30_000,
      DEFAULT_REPLAY_WRITE_BYTES: 65_536,
      Hub: 0,
      HubError: 0,
      memoryLog: 0,
    });
  });

  it('has these codes and reasons', () => {
    const codes: Record<HubErrorCode, true> = {
      'invalid-event': true,
      unauthorized: true,
      'command-refused': true,
      'invalid-filter': true,
      'limit-exceeded': true,
      unavailable: true,
      overloaded: true,
      closing: true,
    };
    expect(Object.keys(codes)).toHaveLength(8);
    const reasons: Record<CloseReason, true> = {
      shutdown: true,
      'slow-consumer': true,
      'replay-stalled': true,
      'replay-evicted': true,
      unavailable: true,
      'replay-done': true,
      'internal-error': true,
    };
    const counted: HubStats['closed'] = { ...zero(Object.keys(reasons) as CloseReason[]), peer: 0 };
    expect(Object.keys(counted)).toHaveLength(8);
  });

  it('has errors that tell code, detail and place', () => {
    const cause = new Error('below');
    const error = new hub.HubError('command-refused', 'why', { index: 3, cause, refusal: { type: 'refused', code: 'no-route', detail: 'why' } });
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ name: 'HubError', code: 'command-refused', detail: 'why', index: 3, cause, refusal: { code: 'no-route' } });
    expect(error.message).toBe('command-refused: why');
    expect('cause' in new hub.HubError('closing', 'x')).toBe(false);
  });
});

function zero(names: readonly CloseReason[]): Record<CloseReason, number> {
  return Object.fromEntries(names.map((name) => [name, 0])) as Record<CloseReason, number>;
}
