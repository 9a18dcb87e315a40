import { captureOf, captureRank } from '@aepkit/envelope';
import { createRedactor } from '@aepkit/redaction';
import { describe, expect, it } from 'vitest';

import { contentOf, inJson } from './content.js';
import { expectValid, LEVELS, recorded, sessions, testAdapter, types } from './support.js';

const REQUEST = ['x.gemini-cli.session.pre_compress', 'x.gemini-cli.session.before_model', 'x.gemini-cli.session.before_tool_selection', 'x.gemini-cli.session.after_model'];
const BEGIN = ['session.started', 'run.started', ...REQUEST, 'tool.requested'];
// The answer comes in two pieces.
const END = [...REQUEST, 'x.gemini-cli.session.after_model', 'run.finished', 'session.ended'];

const STORIES: readonly (readonly [string, readonly string[]])[] = [
  ['a tool that succeeded', [...BEGIN, 'tool.completed', ...END]],
  ['a tool that failed', [...BEGIN, 'tool.completed', ...END]],
  ['a permission that was granted', [...BEGIN, 'progress.status', 'tool.completed', ...END]],
  // Nothing is called until the session ends, three times.
  ['a permission that was refused', [...BEGIN, 'progress.status', 'x.gemini-cli.tool.unfinished', 'run.cancelled', 'session.ended']],
];

describe.each(LEVELS)('the recorded sessions at %s', (ceiling) => {
  it.each(STORIES.map(([name, story], index) => [name, story, index] as const))('tell of %s from start to end, with nothing to complain of', (_, story, index) => {
    const tested = testAdapter({ ceiling });
    const events = (sessions[index] ?? []).flatMap(({ payload }) => tested.handle(payload)).map(({ event }) => event);
    expect(types(events)).toEqual(story);
    const warnings = expectValid(events);
    if (ceiling !== 'none') expect(warnings).toEqual([]);
    // What happened first is told first.
    expect(events.map(({ time }) => time)).toEqual(events.map(({ time }) => time).toSorted());
  });

  it('hold nothing above it, and no Event claims more than it shows [B-185, B-186, B-204, E-095]', () => {
    for (const { hook, payload } of recorded) {
      const record = testAdapter({ ceiling }).read(payload);
      const wires = testAdapter({ ceiling }).place(record);
      for (const { event } of wires) expect(captureRank(captureOf(event))).toBeLessThanOrEqual(captureRank(ceiling));
      const told = [JSON.stringify(record), ...wires.map(({ json }) => json)];
      for (const { text, level } of contentOf(payload)) {
        if (level === 'never' || ceiling === 'none' || ceiling === 'metadata') for (const json of told) expect(json).not.toContain(inJson(text));
      }
      if (ceiling === 'full' && hook === 'BeforeAgent') expect(told.join()).toContain(inJson(String(payload.prompt)));
      if (ceiling === 'redacted') expect(told.join()).not.toContain('/home/dev');
    }
  });
});

it('say of the command that failed that it did, and of no other', () => {
  const statuses = sessions.map((calls) => {
    const tested = testAdapter();
    return calls.flatMap(({ payload }) => tested.handle(payload)).filter(({ event }) => event.type === 'tool.completed').map(({ event }) => event.data?.status);
  });
  expect(statuses).toEqual([[undefined], ['error'], [undefined], []]);
});

it('tells at the default ceilings nothing of what was said [B-185, T-190]', () => {
  for (const { payload } of recorded) {
    for (const { json } of testAdapter().handle(payload)) for (const { text } of contentOf(payload)) expect(json).not.toContain(inJson(text));
  }
});

it('shows a grid of styled cells as it is at full and through the pipeline at redacted', () => {
  const payload = { session_id: 's', hook_event_name: 'AfterTool', tool_name: 'run_shell_command', tool_input: {}, tool_response: { llmContent: 'x', returnDisplay: [[{ text: '/home/dev/a', bold: false, fg: '' }]] } };
  expect(testAdapter({ ceiling: 'full' }).handle(payload)[0]?.event.data?.result).toEqual(payload.tool_response);
  expect(testAdapter({ ceiling: 'redacted' }).handle(payload)[0]?.event.data?.result_redacted).toEqual({ llmContent: 'x', returnDisplay: [[{ text: '~/a', bold: false, fg: '' }]] });
});

describe('secrets', () => {
  const secrets = [
    'ghp_16C7e42F292c6912E7710c838347Ae178B4a', 'AKIAIOSFODNN7EXAMPLE', 'sk-proj-abcdefghijklmnopqrstuvwxyz0123456789', 'glpat-abcdefghij0123456789',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U',
  ];

  it('of a prompt, a path, an input, an output and a message reach no record and no Event at redacted [B-193, B-195, B-198]', () => {
    for (const secret of secrets) {
      const tool = { tool_name: 'run_shell_command', tool_input: { command: `curl -H "x: ${secret}"`, more: { deep: [secret] } } };
      const calls = [
        { hook_event_name: 'SessionStart', cwd: `/home/dev/${secret}` },
        { hook_event_name: 'BeforeAgent', prompt: `use ${secret} for it` },
        { hook_event_name: 'BeforeTool', ...tool },
        { hook_event_name: 'Notification', notification_type: 'ToolPermission', message: `run curl ${secret}?`, details: { command: secret } },
        { hook_event_name: 'AfterTool', ...tool, tool_response: { llmContent: `token ${secret}\n`, returnDisplay: [[{ text: secret }]] } },
        { hook_event_name: 'AfterTool', ...tool, tool_response: { error: { type: 'x', message: `no ${secret}` } } },
        { hook_event_name: 'AfterModel', llm_request: { model: 'm', messages: [{ role: 'user', content: secret }] }, llm_response: { text: secret } },
      ];
      for (const call of calls) {
        const tested = testAdapter({ ceiling: 'redacted', redactor: createRedactor() });
        const record = tested.read({ session_id: 's', ...call });
        expect(JSON.stringify([record, tested.place(record)])).not.toContain(secret);
      }
    }
  });
});
