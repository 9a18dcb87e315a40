import { describe, expect, it } from 'vitest';

import { data, feeder, types } from './support.js';

const questions = [
  { question: 'Which database?', header: 'DB', multiSelect: false, options: [{ label: 'Postgres', description: 'x' }, { label: 'SQLite' }] },
  { question: 'Which checks?', header: 'CI', multiSelect: true, options: [{ label: 'lint' }, { label: 'types' }] },
];
const call = { tool_name: 'AskUserQuestion', tool_input: { questions }, tool_use_id: 'q1' };

describe('AskUserQuestion', () => {
  it('is one form with one required open select per question, ids and labels being indexes [T-197, T-198, T-199]', () => {
    const hook = feeder();
    hook('PreToolUse', call);
    const [request] = hook('PermissionRequest', call);
    expect(data(request)).toEqual({
      kind: 'form',
      prompt: 'claude-code asks 2 questions',
      fields: [
        { id: '1', type: 'select', label: '1', required: true, other: true, choices: [{ id: '1', label: '1' }, { id: '2', label: '2' }] },
        { id: '2', type: 'select', label: '2', required: true, multi: true, other: true, choices: [{ id: '1', label: '1' }, { id: '2', label: '2' }] },
      ],
      respond_via: ['oob'],
    });
    expect(JSON.stringify(request)).not.toContain('Postgres');
  });

  it('speaks of one question in the singular', () => {
    expect(data(feeder()('PermissionRequest', { ...call, tool_input: { questions: [questions[0]] } })[0]).prompt).toBe('claude-code asks 1 question');
  });

  it('records answers that are choices and leaves out what people wrote', () => {
    const hook = feeder();
    hook('PreToolUse', call);
    hook('PermissionRequest', call);
    const answers = { 'Which database?': 'my own secret', 'Which checks?': 'lint, types' };
    const [answered] = hook('PostToolUse', { ...call, tool_response: { answers } });
    expect(data(answered)).toEqual({ answer: { values: { '2': ['1', '2'] } }, via: 'oob' });
  });

  it.each([{}, { questions: 'x' }, { questions: [] }, { questions: [null, 5] }])('asks for permission where the input holds no question: %j', (input) => {
    expect(data(feeder()('PermissionRequest', { ...call, tool_input: input })[0]).kind).toBe('permission');
  });
});

const schema = {
  type: 'object',
  required: ['region'],
  properties: {
    region: { type: 'string', title: 'secret', enum: ['eu', 'us'], enumNames: ['secret', 'secret'] },
    replicas: { type: 'integer' },
    ratio: { type: 'number' },
    backup: { type: 'boolean' },
    note: { type: 'string', title: 'secret' },
  },
};

describe('elicitation', () => {
  it('is a closed form keyed by the properties of the schema [T-195, T-200, T-201, T-202, T-203, T-204]', () => {
    const [request] = feeder()('Elicitation', { elicitation_id: 'e1', message: 'secret', mode: 'form', requested_schema: schema });
    expect([request?.type, request?.subject]).toEqual(['attention.requested', 'e1']);
    expect(data(request)).toEqual({
      kind: 'form',
      prompt: 'claude-code requests input (5 fields)',
      fields: [
        { id: 'region', type: 'select', label: 'region', required: true, choices: [{ id: 'eu', label: 'eu' }, { id: 'us', label: 'us' }] },
        { id: 'replicas', type: 'number', label: 'replicas', required: false },
        { id: 'ratio', type: 'number', label: 'ratio', required: false },
        { id: 'backup', type: 'boolean', label: 'backup', required: false },
        { id: 'note', type: 'string', label: 'note', required: false },
      ],
      respond_via: ['oob'],
    });
  });

  it('settles the pending request, without free text, and says nothing where none is pending [T-195, T-182]', () => {
    const hook = feeder();
    expect(hook('ElicitationResult', { elicitation_id: 'e1', action: 'accept' })).toEqual([]);
    const [request] = hook('Elicitation', { elicitation_id: 'e1', requested_schema: schema });
    const content = { region: 'eu', replicas: 3, ratio: 'secret', backup: true, note: 'secret', extra: 1 };
    const events = hook('ElicitationResult', { elicitation_id: 'e1', action: 'accept', content });
    expect(types(events)).toEqual(['attention.answered', 'attention.resolved']);
    expect(events.map(({ subject }) => subject)).toEqual([request?.id, request?.id]);
    expect(data(events[0])).toEqual({ answer: { values: { region: 'eu', replicas: 3, backup: true } }, via: 'oob' });
    expect(hook('ElicitationResult', { elicitation_id: 'e1', action: 'accept', content })).toEqual([]);
  });

  it.each(['decline', 'cancel', undefined])('records no answer for the action %s', (action) => {
    const hook = feeder();
    hook('Elicitation', { mcp_server_name: 'db', requested_schema: schema });
    const events = hook('ElicitationResult', { mcp_server_name: 'db', action, content: { replicas: 3 } });
    expect(events.map((event) => [event.type, data(event)])).toEqual([['attention.resolved', { resolution: 'dismissed' }]]);
  });

  it('asks for input where a page has to be visited', () => {
    expect(data(feeder()('Elicitation', { elicitation_id: 'e1', mode: 'url', url: 'https://secret' })[0])).toEqual({
      kind: 'input',
      prompt: 'claude-code requests input: e1',
      respond_via: ['oob'],
    });
  });
});
