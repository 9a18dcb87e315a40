import { describe, expect, it } from 'vitest';

import * as model from '../src/index.js';

describe('@aepkit/subscription-model', () => {
  it('exports these values and no others', () => {
    expect(Object.keys(model).toSorted()).toEqual([
      'CRITERIA',
      'ConsumerError',
      'DEFAULT_ACK_TIMEOUT_MS',
      'DEFAULT_BACKOFF_MS',
      'DEFAULT_BACKOFF_MULTIPLIER',
      'DEFAULT_DELIVERY_MODE',
      'DEFAULT_HEARTBEAT_INTERVAL_MS',
      'DEFAULT_LIFETIME_MS',
      'DEFAULT_MAX_ATTEMPTS',
      'DEFAULT_MAX_BACKOFF_MS',
      'DEFAULT_MAX_CONTROL_BACKLOG',
      'DEFAULT_MAX_DEPTH',
      'DEFAULT_MAX_FILTER_BYTES',
      'DEFAULT_MAX_FILTER_BYTES_PER_CONNECTION',
      'DEFAULT_MAX_ID_LENGTH',
      'DEFAULT_MAX_MARKS',
      'DEFAULT_MAX_MESSAGE_BYTES',
      'DEFAULT_MAX_PENDING',
      'DEFAULT_MAX_REMEMBERED',
      'DEFAULT_MAX_SEGMENTS',
      'DEFAULT_MAX_SESSIONS',
      'DEFAULT_MAX_SUBSCRIPTIONS',
      'DEFAULT_MAX_SUBSCRIPTIONS_PER_SESSION',
      'DEFAULT_MAX_UNACKNOWLEDGED',
      'DEFAULT_MAX_UNACKNOWLEDGED_BYTES',
      'DEFAULT_MAX_VALUES',
      'DEFAULT_STREAM_BYTES',
      'DEFAULT_STREAM_EVENTS',
      'DELIVERY_MODES',
      'FILTER_FIELDS',
      'FilterError',
      'MESSAGE_VERSION',
      'MessageError',
      'StreamError',
      'SubscriptionConsumer',
      'SubscriptionIndex',
      'SubscriptionProducer',
      'WIRE_ERROR_CODES',
      'checkMessage',
      'compileFilter',
      'compilePattern',
      'eventLogStream',
      'matches',
      'matchesType',
      'memoryStream',
      'messageOfEvent',
      'parseFilter',
      'parseMessage',
      'readWireError',
      'runConsumer',
      'runProducer',
      'wireError',
    ]);
  });

  it('has these defaults', () => {
    expect(model).toMatchObject({
      DEFAULT_ACK_TIMEOUT_MS: 30_000,
      DEFAULT_BACKOFF_MS: 1_000,
      DEFAULT_BACKOFF_MULTIPLIER: 2,
      DEFAULT_DELIVERY_MODE: 'best_effort',
      DEFAULT_HEARTBEAT_INTERVAL_MS: 0,
      DEFAULT_LIFETIME_MS: Infinity,
      DEFAULT_MAX_ATTEMPTS: 3,
      DEFAULT_MAX_BACKOFF_MS: 30_000,
      DEFAULT_MAX_CONTROL_BACKLOG: 1_024,
      DEFAULT_MAX_DEPTH: 64,
      DEFAULT_MAX_FILTER_BYTES: 65_536,
      DEFAULT_MAX_FILTER_BYTES_PER_CONNECTION: 1_048_576,
      DEFAULT_MAX_ID_LENGTH: 256,
      DEFAULT_MAX_MARKS: 1_024,
      DEFAULT_MAX_MESSAGE_BYTES: 1_048_576,
      DEFAULT_MAX_PENDING: 1_024,
      DEFAULT_MAX_REMEMBERED: 10_000,
      DEFAULT_MAX_SEGMENTS: 32,
      DEFAULT_MAX_SESSIONS: 64,
      DEFAULT_MAX_SUBSCRIPTIONS: 100_000,
      DEFAULT_MAX_SUBSCRIPTIONS_PER_SESSION: 100,
      DEFAULT_MAX_UNACKNOWLEDGED: 256,
      DEFAULT_MAX_UNACKNOWLEDGED_BYTES: 8_388_608,
      DEFAULT_MAX_VALUES: 1_000,
      DEFAULT_STREAM_BYTES: 67_108_864,
      DEFAULT_STREAM_EVENTS: 10_000,
      DELIVERY_MODES: ['best_effort', 'at_least_once', 'replayable'],
      MESSAGE_VERSION: '0.1',
    });
  });

  it('has these error codes', () => {
    const filter: Record<model.FilterErrorCode, true> = {
      'invalid-json': true,
      'not-an-object': true,
      'no-criterion': true,
      'invalid-value': true,
      'empty-list': true,
      'invalid-pattern': true,
      'unknown-mode': true,
      'too-deep': true,
      'too-large': true,
      'too-many-values': true,
      'too-many-segments': true,
    };
    const message: Record<model.MessageErrorCode, model.WireErrorCode> = {
      'too-large': 'protocol_error',
      'invalid-json': 'protocol_error',
      'not-an-object': 'invalid_envelope',
      'unsupported-version': 'unsupported_version',
      'missing-field': 'invalid_envelope',
      'invalid-field': 'invalid_envelope',
      'invalid-type': 'invalid_event_type',
    };
    const stream: Record<model.StreamErrorCode, true> = { evicted: true, 'not-appendable': true, 'reserved-type': true };
    const consumer: Record<model.ConsumerErrorCode, true> = { 'already-open': true, 'unknown-subscription': true };
    for (const code of Object.keys(filter) as model.FilterErrorCode[]) {
      expect(new model.FilterError(code, '$.types', 'why')).toMatchObject({ name: 'FilterError', code, path: '$.types', detail: 'why', message: '$.types: why' });
    }
    for (const [code, wireCode] of Object.entries(message)) {
      expect(new model.MessageError(code as model.MessageErrorCode, '$', 'why')).toMatchObject({ name: 'MessageError', code, wireCode, facts: {} });
    }
    for (const code of Object.keys(stream) as model.StreamErrorCode[]) expect(new model.StreamError(code, 'why')).toMatchObject({ name: 'StreamError', code });
    for (const code of Object.keys(consumer) as model.ConsumerErrorCode[]) expect(new model.ConsumerError(code, 'why')).toMatchObject({ name: 'ConsumerError', code });
    expect(model.WIRE_ERROR_CODES).toEqual([
      'protocol_error',
      'invalid_envelope',
      'invalid_event_type',
      'unsupported_version',
      'internal_error',
      'session_error',
      'session_timeout',
      'session_closed',
      'unauthorized',
      'subscription_error',
      'subscription_rejected',
      'task_error',
      'task_cancelled',
      'task_timeout',
      'tool_error',
      'tool_timeout',
    ]);
  });
});
