import { AdapterError, type AdapterOptions, type HookAdapter, MAX_IDENTIFIER_LENGTH, MAX_PAYLOAD_DEPTH } from '@aepkit/adapter-kit';
import type { AepEvent } from '@aepkit/envelope';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { adapter } from '../src/index.js';
import { expectValid, feeder, LEVELS, sessions, testAdapter } from './support.js';

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
    [{ session_id: '', hook_event_name: 'AfterAgent' }, '$.session_id'],
    [{ session_id: 5, hook_event_name: 'AfterAgent' }, '$.session_id'],
    [{ session_id: 's', hook_event_name: 'BeforeTool' }, '$.tool_name'],
    [{ session_id: 's', hook_event_name: 'AfterTool', tool_name: {} }, '$.tool_name'],
    [{ session_id: 'x'.repeat(MAX_IDENTIFIER_LENGTH + 1), hook_event_name: 'AfterAgent' }, '$.session_id'],
    [{ session_id: 's', hook_event_name: 'BeforeTool', tool_name: 't', tool_input: nested(MAX_PAYLOAD_DEPTH + 1) }, '$.tool_input'],
    [{ session_id: 's', hook_event_name: 'AfterTool', tool_name: 't', tool_response: nested(MAX_PAYLOAD_DEPTH + 1) }, '$.tool_response'],
  ])('is refused with its place: %#', (payload, path) => {
    expect(() => testAdapter().handle(payload)).toThrow(expect.objectContaining({ name: 'AdapterError', code: 'invalid-payload', path }));
  });

  it('is never quoted in the message, and leaves the session as it was', () => {
    const tested = testAdapter();
    feeder(tested)('SessionStart');
    expect(() => feeder(tested)('BeforeTool', { tool_name: { secret: 'hunter2' } })).toThrow(expect.not.objectContaining({ message: expect.stringContaining('hunter2') as unknown }));
    expect(feeder(tested)('BeforeTool', { tool_name: 't' })[0]?.seq).toBe(1);
  });

  it('has no members but its own', () => {
    const payload = Object.assign(Object.create({ tool_name: 'inherited' }) as object, { session_id: 's', hook_event_name: 'BeforeTool' });
    expect(() => testAdapter().handle(payload)).toThrow(expect.objectContaining({ path: '$.tool_name' }));
  });
});

it('lets no text into a member that is for words', () => {
  const text = 'all of my secrets';
  const told = [
    ...feeder()('SessionStart', { source: text }),
    ...feeder()('PreCompress', { trigger: text }),
    ...feeder()('BeforeModel', { llm_request: { model: text } }),
    ...feeder()('Notification', { notification_type: text }),
    ...feeder()('AfterTool', { tool_name: 't', tool_response: { error: { type: text } } }),
  ];
  expect(JSON.stringify(told)).not.toContain(text);
});

it('takes an input and a response of any kind: what is no object has a digest only', () => {
  for (const value of [null, 'text', 5, true, ['a'], {}, JSON.parse('{"__proto__":{"error":"x"},"constructor":1,"error":null}')] as unknown[]) {
    for (const ceiling of LEVELS) {
      const events = feeder(testAdapter({ ceiling }));
      expectValid([...events('BeforeTool', { tool_name: 't', tool_input: value }), ...events('AfterTool', { tool_name: 't', tool_input: value, tool_response: value })]);
    }
  }
});

it('reads the report of a command in linear time', () => {
  for (const text of ['Exit Code: 1\n'.repeat(200_000), '\n'.repeat(2_000_000), 'Background PIDs: '.repeat(100_000), `Command was cancelled ${' '.repeat(2_000_000)}`]) {
    const [event] = feeder()('AfterTool', { tool_name: 'run_shell_command', tool_response: { llmContent: text } });
    expect(event?.type).toBe('tool.completed');
  }
});

const member = fc.constantFrom('tool_name', 'tool_input', 'tool_response', 'llm_request', 'llm_response', 'notification_type', 'message', 'trigger', 'source', 'prompt', 'cwd', 'timestamp');
const hostile = fc
  .tuple(fc.constantFrom('a', 'b'), fc.constantFrom(...adapter.hooks, 'Unknown', '', '.', 'ÄÖ', '__proto__', 'constructor'), fc.dictionary(member, fc.oneof(fc.string({ unit: 'binary' }), fc.jsonValue())))
  .map(([session_id, hook_event_name, members]) => ({ ...members, session_id, hook_event_name }));

/** Calls as the agent makes them, of two sessions, in any order and any number. */
const usual = fc.record({
  hook_event_name: fc.constantFrom(...adapter.hooks, 'Unknown'),
  session_id: fc.constantFrom('a', 'b'),
  timestamp: fc.constantFrom('2026-11-30T06:53:17.905Z', '2026-11-30T06:53:16.905Z', ''),
  tool_name: fc.constantFrom('run_shell_command', 'read_file'),
  tool_input: fc.constantFrom({ command: 'a' }, { command: 'b' }),
  tool_response: fc.constantFrom({ llmContent: 'Output: x\nExit Code: 1' }, { error: { type: 'e', message: 'why' } }, { returnDisplay: [[{ text: 'x' }]] }),
  trigger: fc.constantFrom('auto', 'manual'),
  notification_type: fc.constant('ToolPermission'),
});

function run(tested: HookAdapter, calls: readonly object[]): AepEvent[] {
  const events: AepEvent[] = [];
  for (const call of calls) {
    try {
      for (const { event } of tested.handle(call)) events.push(event);
    } catch (error) {
      if (!(error instanceof AdapterError)) throw error;
    }
  }
  return events;
}

const options = fc.record({ ceiling: fc.constantFrom(...LEVELS), ceilings: fc.dictionary(fc.constantFrom('tool', 'run', 'attention', 'session', 'x'), fc.constantFrom(...LEVELS)) }, { requiredKeys: [] }) as fc.Arbitrary<Partial<AdapterOptions>>;

it('gives valid Events or a refusal with a code for anything that is JSON', () => {
  fc.assert(fc.property(options, fc.array(hostile, { maxLength: 12 }), (given, calls) => void expectValid(run(testAdapter(given), calls))));
});

it('gives a valid stream whatever the order of the calls, and however often they come', () => {
  fc.assert(fc.property(options, fc.array(usual, { maxLength: 24 }), (given, calls) => void expectValid(run(testAdapter(given), calls))));
  const all = sessions.flat().map(({ payload }) => payload);
  fc.assert(fc.property(options, fc.shuffledSubarray([...all, ...all]), (given, calls) => void expectValid(run(testAdapter(given), calls))), { numRuns: 20 });
});

it('goes on after a restart as if there had been none', async () => {
  await fc.assert(
    fc.asyncProperty(options, fc.array(usual, { maxLength: 16 }), fc.nat(16), async (given, calls, at) => {
      const unbroken = run(testAdapter(given), calls);
      let ids = 0;
      const createId = (): string => `id-${String((ids += 1)).padStart(4, '0')}`;
      const before = run(testAdapter({ ...given, createId }), calls.slice(0, at));
      const after = testAdapter({ ...given, createId });
      for (const session of ['a', 'b']) await after.restore(session, before.filter((event) => event.session === session));
      expect([...before, ...run(after, calls.slice(at))]).toEqual(unbroken);
    }),
    { numRuns: 60 },
  );
});

it('makes of a record the Events of the call, each time and from any copy', () => {
  fc.assert(
    fc.property(options, fc.array(usual, { minLength: 1, maxLength: 8 }), (given, calls) => {
      const [whole, reader, placer] = [testAdapter(given), testAdapter(given), testAdapter(given)];
      for (const call of calls) expect(placer.place(JSON.parse(JSON.stringify(reader.read(call))))).toEqual(whole.handle(call));
    }),
    { numRuns: 60 },
  );
});
