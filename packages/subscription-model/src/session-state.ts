/** Where a session stands (C2). `closed` and `error` are final. */
export type SessionState = 'created' | 'opened' | 'ready' | 'closed' | 'error';

/**
 * What moves a session (C2): `session.opened`, `session.ready`, `session.closed`, the end of the transport, and an error (a
 * `session.error`, a missed heartbeat, a fault of the protocol).
 */
export type SessionTrigger = 'opened' | 'ready' | 'closed' | 'disconnected' | 'error';

const TRANSITIONS: Readonly<Record<SessionState, Partial<Record<SessionTrigger, SessionState>>>> = {
  created: { opened: 'opened', disconnected: 'closed', error: 'error' },
  opened: { ready: 'ready', closed: 'closed', disconnected: 'closed', error: 'error' },
  ready: { closed: 'closed', disconnected: 'closed', error: 'error' },
  closed: {},
  error: {},
};

/** The next state; `undefined` where the trigger has no place in this one (C2). */
export function nextSessionState(state: SessionState, trigger: SessionTrigger): SessionState | undefined {
  return TRANSITIONS[state][trigger];
}

/** Whether a session is over. */
export function isFinal(state: SessionState): boolean {
  return state === 'closed' || state === 'error';
}
