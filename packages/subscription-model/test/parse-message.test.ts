import { describe, expect, it } from 'vitest';

import { checkMessage, parseMessage, type MessageErrorCode } from '../src/index.js';
import { message } from './support.js';

function refusalOf(value: unknown): { code: MessageErrorCode; path: string; wireCode: string; facts: unknown } | undefined {
  try {
    checkMessage(value);
    return undefined;
  } catch (error) {
    return error as { code: MessageErrorCode; path: string; wireCode: string; facts: unknown };
  }
}

describe('a message', () => {
  it.each(['aep_version', 'id', 'type', 'source', 'created_at', 'payload'])('needs %s [S-109]', (name) => {
    expect(refusalOf(message({ [name]: undefined }))).toMatchObject({ code: 'missing-field', path: `$.${name}`, wireCode: 'invalid_envelope' });
    expect(refusalOf(message())).toBeUndefined();
  });

  it('may have any payload, null included', () => {
    for (const payload of [null, 0, '', [], {}, false]) expect(refusalOf(message({ payload }))).toBeUndefined();
  });

  it('is of version 0.1, which is looked at first [S-110]', () => {
    for (const version of ['0.2', '1.0', '0.1.0', ' 0.1']) {
      const refusal = refusalOf({ aep_version: version, id: 'e9', type: 'nonsense' });
      expect(refusal).toMatchObject({ code: 'unsupported-version', wireCode: 'unsupported_version', facts: { id: 'e9', type: 'nonsense' } });
    }
    expect(refusalOf(message({ aep_version: 0.1 }))).toMatchObject({ code: 'invalid-field', wireCode: 'invalid_envelope' });
    expect(refusalOf(message({ aep_version: '' }))).toMatchObject({ code: 'invalid-field' });
  });

  it('has a type of dotted segments, two at least [S-111]', () => {
    for (const type of ['a.b', 'tool.call.cancel.requested', 'task.timed_out', 'a1.b2_', 'memory.fact']) expect(refusalOf(message({ type }))).toBeUndefined();
    for (const type of ['a', 'A.b', 'a.B', 'a.', '.a', 'a..b', 'a.1', 'a_b.c', '1a.b', 'a.b ', 'a.b\n', 'a.*', 'a.b-c']) {
      expect(refusalOf(message({ type }))).toMatchObject({ code: 'invalid-type', wireCode: 'invalid_event_type' });
    }
  });

  it('has a delivery mode out of three, where it has one [S-112]', () => {
    for (const mode of ['best_effort', 'at_least_once', 'replayable']) expect(refusalOf(message({ delivery: { mode } }))).toBeUndefined();
    for (const mode of ['exactly_once', '', null, 1]) expect(refusalOf(message({ delivery: { mode } }))).toMatchObject({ path: '$.delivery.mode' });
    expect(refusalOf(message({ delivery: {} }))).toBeUndefined();
    for (const delivery of [null, [], 'replayable']) expect(refusalOf(message({ delivery }))).toMatchObject({ path: '$.delivery' });
  });

  it('has a delivery sequence that is an integer from 0, where it has one [S-113]', () => {
    for (const sequence of [0, 1, 9e15]) expect(refusalOf(message({ delivery: { sequence } }))).toBeUndefined();
    for (const sequence of [-1, 0.5, '1', null]) expect(refusalOf(message({ delivery: { sequence } }))).toMatchObject({ path: '$.delivery.sequence' });
  });

  it('has a delivery cursor that is a string, where it has one [S-114]', () => {
    expect(refusalOf(message({ delivery: { cursor: '' } }))).toBeUndefined();
    for (const cursor of [1, null, {}, ['a']]) expect(refusalOf(message({ delivery: { cursor } }))).toMatchObject({ path: '$.delivery.cursor' });
  });

  it('keeps unknown fields [S-115]', () => {
    const given = message({ color: 'red', nested: { a: [1] }, delivery: { retry: { max_attempts: 1 } } });
    expect(parseMessage(JSON.stringify(given))).toEqual(given);
  });

  it('has texts in its other fields', () => {
    for (const name of ['target', 'topic', 'session_id', 'conversation_id', 'task_id', 'correlation_id', 'causation_id', 'payload_schema']) {
      expect(refusalOf(message({ [name]: 'x' }))).toBeUndefined();
      expect(refusalOf(message({ [name]: 7 }))).toMatchObject({ code: 'invalid-field', path: `$.${name}` });
      expect(refusalOf(message({ [name]: null }))).toMatchObject({ path: `$.${name}` });
    }
    for (const name of ['id', 'source']) expect(refusalOf(message({ [name]: '' }))).toMatchObject({ code: 'invalid-field' });
    expect(refusalOf(message({ created_at: 'yesterday' }))).toMatchObject({ path: '$.created_at' });
    expect(refusalOf(message({ expires_at: null }))).toBeUndefined();
    expect(refusalOf(message({ expires_at: '2026-07-09T10:00:00+02:00' }))).toBeUndefined();
    for (const expires of ['soon', 7]) expect(refusalOf(message({ expires_at: expires }))).toMatchObject({ path: '$.expires_at' });
  });

  it('is an object in strict JSON', () => {
    const codes: [string | Uint8Array, MessageErrorCode][] = [
      ['', 'invalid-json'],
      ['{', 'invalid-json'],
      ['{"id":"a","id":"b"}', 'invalid-json'],
      ['{"id":"\\udc00"}', 'invalid-json'],
      [`${'['.repeat(100)}${']'.repeat(100)}`, 'invalid-json'],
      [Uint8Array.of(0x22, 0xff, 0x22), 'invalid-json'],
      ['null', 'not-an-object'],
      ['[]', 'not-an-object'],
      ['"x"', 'not-an-object'],
    ];
    for (const [text, code] of codes) expect(() => parseMessage(text)).toThrow(expect.objectContaining({ name: 'MessageError', code }));
  });

  it('has a bound in bytes', () => {
    const text = JSON.stringify(message({ payload: 'é' }));
    const bytes = Buffer.byteLength(text);
    expect(parseMessage(text, { maxMessageBytes: bytes }).id).toBe('e1');
    expect(() => parseMessage(text, { maxMessageBytes: bytes - 1 })).toThrow(expect.objectContaining({ code: 'too-large', wireCode: 'protocol_error' }));
    expect(() => parseMessage(text, { maxMessageBytes: 0 })).toThrow(RangeError);
  });
});
