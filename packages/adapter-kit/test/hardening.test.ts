import { describe, expect, it } from 'vitest';

import { AdapterError, MAX_IDENTIFIER_LENGTH, MAX_PAYLOAD_DEPTH } from '../src/index.js';
import { feeder, testAdapter } from './support.js';

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
    [{ session_id: '', hook_event_name: 'Done' }, '$.session_id'],
    [{ session_id: 5, hook_event_name: 'Done' }, '$.session_id'],
    [{ session_id: 'x'.repeat(MAX_IDENTIFIER_LENGTH + 1), hook_event_name: 'Done' }, '$.session_id'],
    [{ session_id: 's', hook_event_name: 'Tool' }, '$.tool'],
    [{ session_id: 's', hook_event_name: 'Tool', tool: {} }, '$.tool'],
    [{ session_id: 's', hook_event_name: 'Tool', tool: 'T', id: 7 }, '$.id'],
    [{ session_id: 's', hook_event_name: 'Tool', tool: 'T', input: nested(MAX_PAYLOAD_DEPTH + 1) }, '$.input'],
    [{ session_id: 's', hook_event_name: 'Tool', tool: 'T', input: { f: () => 1 } }, '$.input'],
    [Object.assign(Object.create({ session_id: 's' }) as object, { hook_event_name: 'Done' }), '$.session_id'],
  ])('is refused with its place, never quoted: %#', (payload, path) => {
    const adapter = testAdapter();
    expect(() => adapter.handle(payload)).toThrow(expect.objectContaining({ name: 'AdapterError', code: 'invalid-payload', path }));
    expect(() => adapter.handle(payload)).not.toThrow(/hunter2/);
    expect(adapter.knows('s')).toBe(false);
  });
});

it('takes hostile names as data, at every level', () => {
  for (const ceiling of ['metadata', 'redacted', 'full'] as const) {
    const payload: unknown = JSON.parse('{"session_id":"__proto__","hook_event_name":"Tool","tool":"constructor","input":{"__proto__":{"x":1},"constructor":"a","toString":null}}');
    const [made] = testAdapter({ ceiling }).handle(payload);
    expect(made?.event.session).toBe('__proto__');
    if (ceiling === 'full') expect(made?.json).toContain('"args":{"__proto__":{"x":1},"constructor":"a","toString":null}');
    if (ceiling === 'redacted') expect(made?.json).toContain('"args_redacted":{"__proto__":{"x":1},"constructor":"***","toString":null}');
  }
  expect(Object.hasOwn(Object.prototype, 'x')).toBe(false);
});

it('replaces half a character that an agent cut off', () => {
  const [event] = testAdapter({ ceiling: 'full' }).handle({ session_id: 's\ud83d', hook_event_name: 'Tool', tool: 't\udc00', input: { '\ud83d': 'x\ud83d' } });
  expect([event?.event.session, event?.event.subject, event?.event.data?.args]).toEqual(['s\ufffd', 't\ufffd', { '\ufffd': 'x\ufffd' }]);
});

it('bounds what it remembers of a session, and how many sessions', () => {
  const adapter = testAdapter({ maxSessions: 2 });
  for (const session_id of ['a', 'b', 'a', 'c']) adapter.handle({ session_id, hook_event_name: 'Start' });
  expect(['a', 'b', 'c'].map((session) => adapter.knows(session))).toEqual([true, false, true]);
  const feed = feeder();
  for (let n = 0; n <= 1000; n += 1) feed('Tool', { tool: 'T', id: `c${n}` });
  expect(feed('ToolDone', { tool: 'T', id: 'c0' })[0]?.cause).toBeUndefined();
  expect(feed('End')).toHaveLength(1001);
});

it('lets a mapping be wrong without a word of the payload', () => {
  let message = '';
  try {
    testAdapter().handle({ session_id: 's', hook_event_name: 'Tool', tool: { secret: 'hunter2' } });
  } catch (error) {
    expect(error).toBeInstanceOf(AdapterError);
    message = (error as Error).message;
  }
  expect(message).not.toContain('hunter2');
});
