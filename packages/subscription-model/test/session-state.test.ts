import { describe, expect, it } from 'vitest';

import { isFinal, nextSessionState, type SessionState, type SessionTrigger } from '../src/session-state.js';

const ALLOWED: readonly (readonly [SessionState, SessionTrigger, SessionState])[] = [
  ['created', 'opened', 'opened'],
  ['created', 'disconnected', 'closed'],
  ['created', 'error', 'error'],
  ['opened', 'ready', 'ready'],
  ['opened', 'closed', 'closed'],
  ['opened', 'disconnected', 'closed'],
  ['opened', 'error', 'error'],
  ['ready', 'closed', 'closed'],
  ['ready', 'disconnected', 'closed'],
  ['ready', 'error', 'error'],
];

describe('the state of a session', () => {
  it('passes from created over opened to ready and ends closed or in error, and no other way [S-119]', () => {
    for (const state of ['created', 'opened', 'ready', 'closed', 'error'] as const) {
      for (const trigger of ['opened', 'ready', 'closed', 'disconnected', 'error'] as const) {
        const row = ALLOWED.find(([from, by]) => from === state && by === trigger);
        expect(nextSessionState(state, trigger)).toBe(row?.[2]);
      }
    }
    expect((['created', 'opened', 'ready', 'closed', 'error'] as const).filter(isFinal)).toEqual(['closed', 'error']);
  });
});
