import { parseEvent } from '@aepkit/envelope';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { AdapterError, MAX_IDENTIFIER_LENGTH, MAX_PAYLOAD_DEPTH } from '@aepkit/adapter-kit';

import { adapter as definition } from '../src/index.js';
import { feeder, testAdapter } from './support.js';

function refusal(payload: unknown): AdapterError {
  try {
    testAdapter().handle(payload);
  } catch (error) {
    expect(error).toBeInstanceOf(AdapterError);
    return error as AdapterError;
  }
  throw new Error('not refused');
}

const nested = (depth: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
};

describe('what is no payload', () => {
  it.each([
    [null, '$'],
    [[], '$'],
    ['x', '$'],
    [{}, '$.session_id'],
    [{ session_id: 's' }, '$.hook_event_name'],
    [{ session_id: '', hook_event_name: 'Stop' }, '$.session_id'],
    [{ session_id: 5, hook_event_name: 'Stop' }, '$.session_id'],
    [{ session_id: 's', hook_event_name: 'PreToolUse' }, '$.tool_name'],
    [{ session_id: 's', hook_event_name: 'PreToolUse', tool_name: {} }, '$.tool_name'],
    [{ session_id: 's', hook_event_name: 'PreToolUse', tool_name: 't', tool_use_id: 7 }, '$.tool_use_id'],
    [{ session_id: 'x'.repeat(MAX_IDENTIFIER_LENGTH + 1), hook_event_name: 'Stop' }, '$.session_id'],
    [{ session_id: 's', hook_event_name: 'PreToolUse', tool_name: 't', tool_input: nested(MAX_PAYLOAD_DEPTH + 1) }, '$.tool_input'],
  ])('is refused with its place: %#', (payload, path) => {
    const error = refusal(payload);
    expect([error.code, error.path]).toEqual(['invalid-payload', path]);
  });

  it('is taken at the bounds', () => {
    const payload = { session_id: 'x'.repeat(MAX_IDENTIFIER_LENGTH), hook_event_name: 'PreToolUse', tool_name: 't', tool_input: nested(MAX_PAYLOAD_DEPTH) };
    expect(testAdapter().handle(payload)).toHaveLength(1);
  });

  it('leaves the session as it was', () => {
    const adapter = testAdapter();
    const hook = feeder(adapter);
    hook('SessionStart');
    expect(() => hook('PreToolUse')).toThrow(AdapterError);
    expect(hook('PreToolUse', { tool_name: 't' })[0]?.seq).toBe(1);
  });

  it('is never quoted in the message', () => {
    expect(refusal({ session_id: 's', hook_event_name: 'PreToolUse', tool_name: { secret: 'hunter2' } }).message).not.toContain('hunter2');
  });
});

it('reads own members only', () => {
  const payload = Object.assign(Object.create({ tool_name: 'inherited' }) as object, { session_id: 's', hook_event_name: 'PreToolUse' });
  expect(refusal(payload).path).toBe('$.tool_name');
});

it('replaces half a character that an agent cut off', () => {
  const [event] = testAdapter().handle({ session_id: 's\ud83d', hook_event_name: 'PreToolUse', tool_name: 't\udc00', tool_input: { '\ud83d': 'x\ud83d' } });
  expect([event?.event.session, event?.event.subject]).toEqual(['s\ufffd', 't\ufffd']);
});

it('takes hostile keys as data', () => {
  const payload: unknown = JSON.parse('{"session_id":"s","hook_event_name":"Elicitation","requested_schema":{"properties":{"__proto__":{"type":"number"},"constructor":{"enum":["a"]}}}}');
  const adapter = testAdapter();
  expect(adapter.handle(payload)[0]?.json).toContain('"id":"__proto__"');
  const result: unknown = JSON.parse('{"session_id":"s","hook_event_name":"ElicitationResult","action":"accept","content":{"__proto__":5,"constructor":"a"}}');
  expect(adapter.handle(result)[0]?.json).toContain('"values":{"__proto__":5,"constructor":"a"}');
  expect(Object.hasOwn(Object.prototype, 'values')).toBe(false);
});

it('bounds forms', () => {
  const properties = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`k${index}`, { type: 'string' }]));
  const [event] = testAdapter().handle({ session_id: 's', hook_event_name: 'Elicitation', requested_schema: { properties } });
  expect((event?.event.data?.fields as unknown[]).length).toBe(100);
});

it('gives a valid Event or a refusal with a code for anything that is JSON', () => {
  const hooks = fc.constantFrom(...definition.hooks, 'Unknown', '', '.', 'ÄÖ');
  const member = fc.constantFrom('tool_name', 'tool_input', 'tool_response', 'tool_use_id', 'tool_calls', 'prompt_id', 'error', 'requested_schema', 'content', 'action', 'notification_type', 'agent_id', 'task_id', 'trigger', 'model', 'source');
  const payloads = fc
    .tuple(fc.constantFrom('a', 'b'), hooks, fc.dictionary(member, fc.oneof(fc.string({ unit: 'binary' }), fc.jsonValue())))
    .map(([session_id, hook_event_name, members]) => ({ ...members, session_id, hook_event_name }));
  fc.assert(
    fc.property(fc.array(payloads, { maxLength: 12 }), (calls) => {
      const adapter = testAdapter();
      for (const call of calls) {
        try {
          for (const { json, event } of adapter.handle(call)) expect(parseEvent(json).event).toEqual(event);
        } catch (error) {
          if (!(error instanceof AdapterError)) throw error;
        }
      }
    }),
  );
});

it.each<[string, object]>([
  ['names of fields', { requested_schema: { properties: Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`${n}${'x'.repeat(40_000)}`, { type: 'string' }])) } }],
  ['choices', { requested_schema: { properties: Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`f${n}`, { enum: Array.from({ length: 100 }, (__, m) => `${m}${'\u0001'.repeat(500)}`) }])) } }],
])('raises a request whose form has %s without end, and leaves out what is too much', (_, members) => {
  const adapter = testAdapter();
  const record = adapter.read({ session_id: 's', hook_event_name: 'Elicitation', ...members });
  expect(Buffer.byteLength(JSON.stringify(record))).toBeLessThan(1_048_576);
  const [event] = adapter.place(record);
  expect(event?.event.type).toBe('attention.requested');
  expect((event?.event.data?.fields as unknown[]).length).toBeGreaterThan(0);
});

it('bounds the record of an answer and of a batch, whatever they name', () => {
  const adapter = testAdapter();
  const content = Object.fromEntries(Array.from({ length: 90 }, (_, n) => [`${n}${'x'.repeat(40_000)}`, 1]));
  const tool_calls = Array.from({ length: 1000 }, (_, n) => ({ tool_use_id: `${n}${'\u0001'.repeat(500)}` }));
  for (const call of [{ hook_event_name: 'ElicitationResult', action: 'accept', content }, { hook_event_name: 'PostToolBatch', tool_calls }]) {
    const record = adapter.read({ session_id: 's', ...call });
    expect(Buffer.byteLength(JSON.stringify(record))).toBeLessThan(1_048_576);
    adapter.place(record);
  }
});

it('is known by what its first Event is kept as, and by nothing of another session', () => {
  const key = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
  for (const hook of [...definition.hooks, 'SomethingNew']) {
    const adapter = testAdapter();
    const record = adapter.read({ session_id: 's', hook_event_name: hook, tool_name: 't' }, { key });
    const known = adapter.identities(record);
    expect(known).toHaveLength(1);
    const [first] = adapter.place(record);
    if (first !== undefined) expect(known).toEqual([{ source: first.event.source, id: first.event.id }]);
  }
});
