import { describe, expect, it } from 'vitest';

import { readWireError, WIRE_ERROR_CODES, wireError } from '../src/index.js';

describe('an error on the wire', () => {
  it('has code, message and retryable [S-129]', () => {
    expect(wireError('session_error', 'no')).toEqual({ code: 'session_error', message: 'no', retryable: false });
    expect(wireError('session_error', 'no', { a: 1 })).toEqual({ code: 'session_error', message: 'no', retryable: false, details: { a: 1 } });
  });

  it('has a code in lower case with underscores, compared letter by letter [S-130, S-131]', () => {
    for (const code of WIRE_ERROR_CODES) {
      expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
      expect(readWireError({ code, message: 'm', retryable: false })).toEqual({ code, message: 'm', retryable: false });
    }
    for (const code of ['SESSION_ERROR', 'Session_error', 'session-error', 'teapot', '', 7, '__proto__', 'toString']) {
      expect(readWireError({ code, message: 'm', retryable: true })).toEqual({ code: 'protocol_error', message: 'm', retryable: false });
    }
  });

  it('is not retryable about subscriptions [S-132]', () => {
    expect(wireError('subscription_error', '').retryable).toBe(false);
    expect(wireError('subscription_rejected', '').retryable).toBe(false);
  });

  it('is retryable where the producer failed or time ran out [S-133]', () => {
    const retryable = WIRE_ERROR_CODES.filter((code) => wireError(code, '').retryable);
    expect(retryable).toEqual(['internal_error', 'session_timeout', 'task_timeout', 'tool_timeout']);
  });

  it('is read from anything', () => {
    for (const value of [null, undefined, 'x', 7, [], [{ code: 'session_error' }]]) expect(readWireError(value).code).toBe('protocol_error');
    expect(readWireError({ code: 'internal_error' })).toEqual({ code: 'internal_error', message: '', retryable: true });
    expect(readWireError({ code: 'internal_error', message: 7, retryable: 'no', details: [] })).toEqual({ code: 'internal_error', message: '', retryable: true });
    expect(readWireError({ code: 'tool_error', message: 'm', retryable: true, details: { a: 1 } })).toMatchObject({ retryable: true, details: { a: 1 } });
  });
});
