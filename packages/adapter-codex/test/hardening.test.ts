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
    [{ session_id: '', hook_event_name: 'Stop' }, '$.session_id'],
    [{ session_id: 5, hook_event_name: 'Stop' }, '$.session_id'],
    [{ session_id: 's', hook_event_name: 'PreToolUse' }, '$.tool_name'],
    [{ session_id: 's', hook_event_name: 'PermissionRequest', tool_name: {} }, '$.tool_name'],
    [{ session_id: 's', hook_event_name: 'PostToolUse', tool_name: 't', tool_use_id: 7 }, '$.tool_use_id'],
    [{ session_id: 's', hook_event_name: 'SubagentStart', agent_id: 7 }, '$.agent_id'],
    [{ session_id: 'x'.repeat(MAX_IDENTIFIER_LENGTH + 1), hook_event_name: 'Stop' }, '$.session_id'],
    [{ session_id: 's', hook_event_name: 'PreToolUse', tool_name: 't', tool_input: nested(MAX_PAYLOAD_DEPTH + 1) }, '$.tool_input'],
  ])('is refused with its place: %#', (payload, path) => {
    expect(() => testAdapter().handle(payload)).toThrow(expect.objectContaining({ name: 'AdapterError', code: 'invalid-payload', path }));
  });

  it('is never quoted in the message, and leaves the session as it was', () => {
    const tested = testAdapter();
    feeder(tested)('SessionStart');
    expect(() => feeder(tested)('PreToolUse', { tool_name: { secret: 'hunter2' } })).toThrow(expect.not.objectContaining({ message: expect.stringContaining('hunter2') as unknown }));
    expect(feeder(tested)('PreToolUse', { tool_name: 't' })[0]?.seq).toBe(1);
  });

  it('has no members but its own', () => {
    const payload = Object.assign(Object.create({ tool_name: 'inherited' }) as object, { session_id: 's', hook_event_name: 'PreToolUse' });
    expect(() => testAdapter().handle(payload)).toThrow(expect.objectContaining({ path: '$.tool_name' }));
  });
});

it('lets no text into a member that is for words', () => {
  const text = 'all of my secrets';
  const told = [
    ...feeder()('SessionStart', { source: text, model: text }),
    ...feeder()('UserPromptSubmit', { turn_id: text }),
    ...feeder()('PostCompact', { trigger: text }),
    ...feeder()('SubagentStart', { agent_id: 'a', agent_type: text }),
    ...feeder()('Stop', { turn_id: text }),
  ];
  expect(JSON.stringify(told)).not.toContain(text);
});

it('takes an input of any kind: what is no object has a digest only', () => {
  for (const tool_input of [null, 'text', 5, true, ['a'], {}, JSON.parse('{"__proto__":{"command":"x"},"constructor":1}')] as unknown[]) {
    for (const ceiling of LEVELS) {
      const events = feeder(testAdapter({ ceiling }));
      expectValid([...events('PreToolUse', { tool_name: 't', tool_input }), ...events('PermissionRequest', { tool_name: 't', tool_input }), ...events('PostToolUse', { tool_name: 't', tool_input, tool_response: tool_input })]);
    }
  }
});

it('answers all that was asked about a call when it ends', () => {
  const hook = feeder();
  const tool = { turn_id: 't', tool_name: 'Bash', tool_input: { command: 'curl' } };
  hook('UserPromptSubmit', { turn_id: 't' });
  hook('PreToolUse', { ...tool, tool_use_id: 'c' });
  hook('PermissionRequest', tool);
  hook('PermissionRequest', { ...tool, tool_input: { command: 'curl', description: 'network-access example.org' } });
  const events = hook('PostToolUse', { ...tool, tool_use_id: 'c', tool_response: '' });
  expect(events.filter(({ type }) => type === 'attention.answered')).toHaveLength(2);
  expect(hook('Stop', { turn_id: 't' })).toHaveLength(1);
});

it('finishes no turn but the one that is over, however late that is told', () => {
  const hook = feeder();
  hook('UserPromptSubmit', { turn_id: 'a' });
  hook('UserPromptSubmit', { turn_id: 'b' });
  expect(hook('Stop', { turn_id: 'a' })).toEqual([]);
  expect(hook('PostToolUse', { turn_id: 'a', tool_name: 't' }).at(-1)?.run).toBe('a');
  expect(hook('Stop', { turn_id: 'b' })).toMatchObject([{ type: 'run.finished', run: 'b' }]);
  expect(hook('UserPromptSubmit', { turn_id: 'a' }).filter(({ type }) => type.startsWith('run.'))).toEqual([]);
});

const member = fc.constantFrom('turn_id', 'tool_name', 'tool_input', 'tool_response', 'tool_use_id', 'agent_id', 'agent_type', 'trigger', 'model', 'source', 'prompt', 'cwd', 'timestamp');
const hostile = fc
  .tuple(fc.constantFrom('a', 'b'), fc.constantFrom(...adapter.hooks, 'Unknown', '', '.', 'ÄÖ', '__proto__', 'constructor'), fc.dictionary(member, fc.oneof(fc.string({ unit: 'binary' }), fc.jsonValue())))
  .map(([session_id, hook_event_name, members]) => ({ ...members, session_id, hook_event_name }));

/** Calls as the agent makes them, of two turns and a subagent, in any order and any number. */
const usual = fc
  .record({
    hook_event_name: fc.constantFrom(...adapter.hooks, 'Unknown'),
    session_id: fc.constantFrom('a', 'b'),
    turn_id: fc.constantFrom('t1', 't2'),
    tool_name: fc.constantFrom('Bash', 'apply_patch'),
    tool_input: fc.constantFrom({ command: 'a' }, { command: 'b' }, { command: 'a', description: 'why' }),
    tool_response: fc.constantFrom('out', { isError: true }),
  })
  .chain((call) =>
    fc.record({ tool_use_id: fc.constantFrom('c1', 'c2', 'c3'), agent_id: fc.constantFrom('g1', 'g2') }, { requiredKeys: [] }).map((more) => ({ ...call, ...more })),
  );

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
