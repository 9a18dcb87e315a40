import { describe, expect, it } from 'vitest';

import * as control from '../src/index.js';

describe('the public surface', () => {
  it('is this list', () => {
    expect(Object.keys(control).sort()).toEqual([
      'CONTROL_ERROR_CODES',
      'ControlError',
      'DEFAULT_ACK_WINDOW_MS',
      'DEFAULT_MAX_CLAIMS',
      'DEFAULT_MAX_COMMANDS',
      'DEFAULT_MAX_CONNECTION_LENGTH',
      'DEFAULT_MAX_DECISIONS',
      'DEFAULT_MAX_DECISION_LENGTH',
      'DEFAULT_MAX_HANDED',
      'DEFAULT_MAX_PENDING',
      'REJECT_REASONS',
      'acceptsOf',
      'ackWindowOf',
      'checkAnswer',
      'createCorrelation',
      'createInbox',
      'createRouter',
      'createSender',
    ]);
  });

  it('has these defaults, codes and reasons', () => {
    expect([
      control.DEFAULT_ACK_WINDOW_MS,
      control.DEFAULT_MAX_CLAIMS,
      control.DEFAULT_MAX_COMMANDS,
      control.DEFAULT_MAX_CONNECTION_LENGTH,
      control.DEFAULT_MAX_DECISIONS,
      control.DEFAULT_MAX_DECISION_LENGTH,
      control.DEFAULT_MAX_HANDED,
      control.DEFAULT_MAX_PENDING,
    ]).toEqual([10_000, 10_000, 1_000, 1_048_576, 10_000, 16_777_216, 10_000, 100]);
    expect(control.CONTROL_ERROR_CODES).toEqual(['not-a-command', 'invalid-command', 'content-above-capture', 'unknown-command', 'too-many-commands', 'closed']);
    expect(control.REJECT_REASONS).toEqual(['unsupported', 'unauthorized', 'busy', 'refused', 'invalid']);
  });

  it('has errors that tell code and detail', () => {
    const error = new control.ControlError('closed', 'why');
    expect(error).toMatchObject({ name: 'ControlError', code: 'closed', detail: 'why', message: 'closed: why' });
    expect(error).toBeInstanceOf(Error);
  });
});
