import { captureOf, captureRank } from '@aepkit/envelope';
import { createRedactor } from '@aepkit/redaction';
import { describe, expect, it } from 'vitest';

import { contentOf, inJson } from './content.js';
import { expectValid, LEVELS, recorded, sessions, testAdapter, types } from './support.js';

const STORIES: readonly (readonly [string, readonly string[]])[] = [
  ['a tool that succeeded', ['session.started', 'run.started', 'tool.requested', 'tool.completed', 'run.finished', 'session.ended']],
  ['a tool that failed', ['session.started', 'run.started', 'tool.requested', 'tool.completed', 'run.finished', 'session.ended']],
  [
    'a permission that was granted',
    ['session.started', 'run.started', 'tool.requested', 'attention.requested', 'attention.answered', 'attention.resolved', 'tool.completed', 'run.finished', 'session.ended'],
  ],
  [
    'a permission that was refused',
    ['session.started', 'run.started', 'tool.requested', 'attention.requested', 'attention.resolved', 'x.codex.tool.unfinished', 'run.cancelled', 'session.ended'],
  ],
  [
    'a permission that a hook granted',
    ['session.started', 'run.started', 'tool.requested', 'attention.requested', 'attention.answered', 'attention.resolved', 'tool.completed', 'run.finished', 'session.ended'],
  ],
  [
    'a permission that a hook refused',
    ['session.started', 'run.started', 'tool.requested', 'attention.requested', 'attention.resolved', 'x.codex.tool.unfinished', 'run.finished', 'session.ended'],
  ],
];

describe.each(LEVELS)('the recorded sessions at %s', (ceiling) => {
  it.each(STORIES.map(([name, story], index) => [name, story, index] as const))('tell of %s from start to end, with nothing to complain of', (_, story, index) => {
    const tested = testAdapter({ ceiling });
    const events = (sessions[index] ?? []).flatMap(({ payload }) => tested.handle(payload)).map(({ event }) => event);
    expect(types(events)).toEqual(story);
    const warnings = expectValid(events);
    if (ceiling !== 'none') expect(warnings).toEqual([]);
  });

  it('hold nothing above it, and no Event claims more than it shows [B-185, B-186, B-204, E-095]', () => {
    for (const { hook, payload } of recorded) {
      if (hook === 'notify') continue;
      const record = testAdapter({ ceiling }).read(payload);
      const wires = testAdapter({ ceiling }).place(record);
      for (const { event } of wires) expect(captureRank(captureOf(event))).toBeLessThanOrEqual(captureRank(ceiling));
      const told = [JSON.stringify(record), ...wires.map(({ json }) => json)];
      for (const { text, level } of contentOf(payload)) {
        if (level === 'never' || ceiling === 'none' || ceiling === 'metadata') for (const json of told) expect(json).not.toContain(inJson(text));
      }
      // What was typed stands in the record and on the wire, so that the level is of use.
      if (ceiling === 'full' && hook === 'UserPromptSubmit') expect(told.join()).toContain(inJson(String(payload.prompt)));
      if (ceiling === 'redacted') expect(told.join()).not.toContain('/home/dev');
    }
  });
});

it('tells at the default ceilings the words of a request and no others [B-188, T-190]', () => {
  for (const { hook, payload } of recorded) {
    if (hook === 'notify') continue;
    for (const { event, json } of testAdapter().handle(payload)) {
      if (event.type === 'attention.requested') expect(event.capture).toBe('redacted');
      else for (const { text } of contentOf(payload)) expect(json).not.toContain(inJson(text));
    }
  }
});

it('refuses a notification, of whatever thread: it is no hook', () => {
  const notifications = recorded.filter(({ hook }) => hook === 'notify');
  expect(notifications.length).toBeGreaterThan(5);
  for (const { payload } of notifications) expect(() => testAdapter().handle(payload)).toThrow(expect.objectContaining({ code: 'invalid-payload' }));
});

describe('secrets', () => {
  const secrets = [
    'ghp_16C7e42F292c6912E7710c838347Ae178B4a', 'AKIAIOSFODNN7EXAMPLE', 'sk-proj-abcdefghijklmnopqrstuvwxyz0123456789', 'glpat-abcdefghij0123456789',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U',
  ];

  it('of a prompt, a path, an input, an output and a request reach no record and no Event at redacted [B-193, B-195, B-198]', () => {
    for (const secret of secrets) {
      const calls = [
        { hook_event_name: 'SessionStart', cwd: `/home/dev/${secret}` },
        { hook_event_name: 'UserPromptSubmit', turn_id: 't', prompt: `use ${secret} for it` },
        { hook_event_name: 'PreToolUse', turn_id: 't', tool_name: 'Bash', tool_use_id: 'c', tool_input: { command: `curl -H "x: ${secret}"`, more: { deep: [secret] } } },
        { hook_event_name: 'PermissionRequest', turn_id: 't', tool_name: 'Bash', tool_input: { command: `curl ${secret}`, description: `with ${secret}?` } },
        { hook_event_name: 'PostToolUse', turn_id: 't', tool_name: 'Bash', tool_use_id: 'c', tool_input: {}, tool_response: `token ${secret}\n` },
        { hook_event_name: 'PostToolUse', turn_id: 't', tool_name: 'm', tool_use_id: 'd', tool_input: {}, tool_response: { content: [{ type: 'text', text: secret }], isError: true } },
      ];
      for (const call of calls) {
        const tested = testAdapter({ ceiling: 'redacted', redactor: createRedactor() });
        const record = tested.read({ session_id: 's', ...call });
        expect(JSON.stringify([record, tested.place(record)])).not.toContain(secret);
      }
    }
  });
});
