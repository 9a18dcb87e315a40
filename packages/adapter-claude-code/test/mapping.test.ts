import { digest } from '@aepkit/envelope';
import { describe, expect, it } from 'vitest';

import { adapter } from '../src/index.js';
import { data, feeder, testAdapter, types } from './support.js';

const bash = { tool_name: 'Bash', tool_input: { command: 'echo hello' }, tool_use_id: 'toolu_1' };

describe('sessions and runs', () => {
  it('starts a session with the client and the model', () => {
    const [event] = feeder()('SessionStart', { source: 'startup', model: 'claude-opus-5-5', cwd: '/home/dev/secret' });
    expect(event).toEqual({
      aep: '0.1',
      id: 'id-0001',
      type: 'session.started',
      time: '2026-01-01T00:00:00.000Z',
      source: 'aep://box/agent/claude-code/session/s1',
      agent: 'claude-code',
      session: 's1',
      seq: 0,
      capture: 'metadata',
      data: { client: { name: 'claude-code' }, 'gen_ai.request.model': 'claude-opus-5-5' },
    });
  });

  it('makes one run of one turn, named by the prompt id [T-192]', () => {
    const hook = feeder();
    const [started] = hook('UserPromptSubmit', { prompt: 'do it', prompt_id: 'p1' });
    const [tool] = hook('PreToolUse', bash);
    const [finished] = hook('Stop', { last_assistant_message: 'done' });
    expect([started?.type, started?.run, started?.data]).toEqual(['run.started', 'p1', { trigger: 'user' }]);
    expect(tool?.run).toBe('p1');
    expect([finished?.type, finished?.run, finished?.cause, finished?.data]).toEqual(['run.finished', 'p1', started?.id, {}]);
  });

  it('makes a run id where the agent gives none, or one that is no identifier [B-205]', () => {
    for (const prompt of [undefined, '', '../p', 'p 1', '-p', 5]) {
      expect(feeder()('UserPromptSubmit', { prompt_id: prompt })[0]?.run).toMatch(/^id-/);
    }
  });

  it('closes the run of an interrupted turn as cancelled before the next one starts [T-021]', () => {
    const hook = feeder();
    hook('UserPromptSubmit', { prompt_id: 'p1' });
    const events = hook('UserPromptSubmit', { prompt_id: 'p2' });
    expect(events.map(({ type, run }) => [type, run])).toEqual([
      ['run.cancelled', 'p1'],
      ['run.started', 'p2'],
    ]);
  });

  it('reports a turn that failed as failed, with a class only where the agent gives a word for one [T-021]', () => {
    const hook = feeder();
    hook('UserPromptSubmit', { prompt_id: 'p1' });
    const [failed] = hook('StopFailure', { error: 'rate_limit', error_details: 'secret' });
    expect([failed?.type, failed?.severity, failed?.data]).toEqual(['run.failed', 'error', { reason: 'error', error: { type: 'rate_limit' } }]);
    hook('UserPromptSubmit', { prompt_id: 'p2' });
    expect(hook('StopFailure', { error: 'Something went wrong: /home/dev' })[0]?.data).toEqual({ reason: 'error', error: {} });
  });

  it('emits no second terminal for a repeated end hook [T-235]', () => {
    const hook = feeder();
    hook('UserPromptSubmit', { prompt_id: 'p1' });
    expect(types(hook('Stop', { prompt_id: 'p1' }))).toEqual(['run.finished']);
    expect(hook('Stop', { prompt_id: 'p1' })).toEqual([]);
    expect(hook('StopFailure', { prompt_id: 'p1' })).toEqual([]);
    expect(types(hook('SessionEnd', { reason: 'other' }))).toEqual(['session.ended']);
    expect(hook('SessionEnd', { reason: 'other' })).toEqual([]);
    hook('SessionStart', { source: 'resume' });
    expect(hook('SessionEnd')).toEqual([]);
  });

  it('ends the open run and closes what is pending before the session ends', () => {
    const hook = feeder();
    hook('UserPromptSubmit', { prompt_id: 'p1' });
    hook('PreToolUse', bash);
    hook('PermissionRequest', { ...bash, tool_use_id: undefined });
    const events = hook('SessionEnd', { reason: 'prompt_input_exit' });
    expect(types(events)).toEqual(['attention.resolved', 'x.claude-code.tool.unfinished', 'run.cancelled', 'session.ended']);
    expect([data(events[0]), data(events[3])]).toEqual([{ resolution: 'dismissed' }, { reason: 'normal' }]);
  });

  it('reports a compaction once, when it is done [T-128]', () => {
    const hook = feeder();
    expect(hook('PreCompact', { trigger: 'auto' })).toEqual([]);
    expect(hook('PostCompact', { trigger: 'auto', compact_summary: 'secret' })[0]).toMatchObject({ type: 'session.compacted', data: { trigger: 'auto' } });
  });
});

describe('tools', () => {
  it('pairs the ends of a call by its id and names the tool as subject [T-191]', () => {
    const hook = feeder();
    const [a] = hook('PreToolUse', { ...bash, tool_use_id: 'a' });
    const [b] = hook('PreToolUse', { ...bash, tool_use_id: 'b' });
    const [endB] = hook('PostToolUse', { ...bash, tool_use_id: 'b', tool_response: { stdout: 'x' }, duration_ms: 23 });
    const [endA] = hook('PostToolUseFailure', { ...bash, tool_use_id: 'a', error: 'Exit code 1\noops' });
    expect([endA?.cause, endB?.cause]).toEqual([a?.id, b?.id]);
    expect([a?.subject, endA?.subject, endB?.subject]).toEqual(['Bash', 'Bash', 'Bash']);
    expect(endB).toMatchObject({
      type: 'tool.completed',
      data: { tool: { name: 'Bash', call_id: 'b' }, duration_ms: 23, result_digest: digest({ stdout: 'x' }) },
    });
    expect(endA).toMatchObject({ type: 'tool.failed', severity: 'warning', data: { tool: { name: 'Bash', call_id: 'a' }, error: {} } });
  });

  it('pairs calls without an id by name and input', () => {
    const hook = feeder();
    const [a] = hook('PreToolUse', { tool_name: 'Bash', tool_input: { n: 1 } });
    const [b] = hook('PreToolUse', { tool_name: 'Bash', tool_input: { n: 2 } });
    expect(hook('PostToolUse', { tool_name: 'Bash', tool_input: { n: 1 } })[0]?.cause).toBe(a?.id);
    expect(hook('PostToolUse', { tool_name: 'Bash', tool_input: { n: 2 } })[0]?.cause).toBe(b?.id);
  });

  it('states digests of the whole input and response, which do not depend on the ceiling of others [B-192]', () => {
    const input = { command: 'cat /etc/passwd', nested: { z: 1, a: [true, null] } };
    for (const ceilings of [{}, { session: 'none' as const }]) {
      const hook = feeder(testAdapter({ ceilings }));
      const [event] = hook('PreToolUse', { ...bash, tool_input: input });
      expect(data(event).args_digest).toBe(digest(input));
      const [end] = hook('PostToolUse', { ...bash, tool_input: input, tool_response: { stdout: 'root:x:0:0', parts: [input] } });
      expect(data(end).result_digest).toBe(digest({ stdout: 'root:x:0:0', parts: [input] }));
    }
  });

  it('tells an interruption from a failure', () => {
    expect(feeder()('PostToolUseFailure', { ...bash, is_interrupt: true })[0]?.data).toMatchObject({ error: { type: 'interrupted' } });
  });

  it('reports what policy blocked as denied [T-194]', () => {
    const hook = feeder();
    const [asked] = hook('PreToolUse', bash);
    const [denied] = hook('PermissionDenied', { ...bash, reason: 'secret' });
    expect(denied).toMatchObject({ type: 'tool.denied', cause: asked?.id, data: { tool: { name: 'Bash', call_id: 'toolu_1' }, by: 'policy' } });
  });
});

describe('permission', () => {
  it('asks with a synthesised prompt, at notice, and says that it only watches [T-193, B-189, T-125, T-018]', () => {
    const hook = feeder();
    const [tool] = hook('PreToolUse', bash);
    const [request] = hook('PermissionRequest', { ...bash, tool_use_id: undefined, permission_suggestions: [{ secret: 1 }] });
    expect(request).toMatchObject({
      type: 'attention.requested',
      subject: 'Bash',
      cause: tool?.id,
      severity: 'notice',
      data: {
        kind: 'permission',
        prompt: 'claude-code requests permission: Bash',
        options: [
          { id: 'allow', label: 'allow' },
          { id: 'deny', label: 'deny' },
        ],
        respond_via: ['oob'],
      },
    });
  });

  it('reads the end of a call as the answer to the request about it [T-118]', () => {
    const hook = feeder();
    hook('PreToolUse', bash);
    const [request] = hook('PermissionRequest', { ...bash, tool_use_id: undefined });
    const events = hook('PostToolUse', { ...bash, tool_response: '' });
    expect(events.map(({ type, subject }) => [type, subject])).toEqual([
      ['attention.answered', request?.id],
      ['attention.resolved', request?.id],
      ['tool.completed', 'Bash'],
    ]);
    expect(data(events[0])).toEqual({ answer: { option: 'allow' }, via: 'oob' });
    expect(events[1]?.cause).toBe(events[0]?.id);
  });

  it.each([
    ['the round of calls ends', 'PostToolBatch', { tool_calls: [{ tool_use_id: 'toolu_1', tool_response: 'refused' }] }],
    ['the next prompt comes', 'UserPromptSubmit', {}],
    ['the session ends', 'SessionEnd', {}],
  ])('dismisses a request that nobody granted when %s, and calls no refusal by a person a denial [T-020]', (_, name, members) => {
    const hook = feeder();
    hook('PreToolUse', bash);
    const [request] = hook('PermissionRequest', bash);
    const events = hook(name, members);
    expect(events[0]).toMatchObject({ type: 'attention.resolved', subject: request?.id, data: { resolution: 'dismissed' } });
    expect(types(events)).not.toContain('tool.denied');
  });

  it('keeps quiet about a notification that repeats a request, and lets it stand for a missing one', () => {
    const hook = feeder();
    const [alone] = hook('Notification', { notification_type: 'permission_prompt', message: 'secret' });
    expect(alone).toMatchObject({ type: 'attention.requested', data: { prompt: 'claude-code requests permission' } });
    expect(hook('Notification', { notification_type: 'permission_prompt' })).toEqual([]);
    expect(types(hook('PermissionRequest', bash))).toEqual(['attention.resolved', 'attention.requested']);
    expect(hook('Notification', { notification_type: 'permission_prompt' })).toEqual([]);
  });
});

describe('notifications', () => {
  it('splits by subtype into a call for attention and a status [T-196]', () => {
    const hook = feeder();
    const [idle] = hook('Notification', { notification_type: 'idle_prompt', message: 'secret' });
    expect(idle).toMatchObject({ type: 'attention.requested', subject: 'idle_prompt', data: { kind: 'input', prompt: 'claude-code requests input: idle_prompt' } });
    expect(hook('Notification', { notification_type: 'idle_prompt' })).toEqual([]);
    expect(hook('Notification', { notification_type: 'auth_success', message: 'secret' })[0]).toMatchObject({ type: 'progress.status', subject: 'auth_success', data: {} });
    expect(hook('Notification', { message: 'secret' })[0]).toMatchObject({ type: 'progress.status', data: {} });
  });

  it('takes the next prompt as the answer to a call for input', () => {
    const hook = feeder();
    const [idle] = hook('Notification', { notification_type: 'idle_prompt' });
    const events = hook('UserPromptSubmit', { prompt: 'secret' });
    expect(types(events)).toEqual(['attention.answered', 'attention.resolved', 'run.started']);
    expect(events[0]).toMatchObject({ subject: idle?.id, data: { answer: {}, via: 'oob' } });
  });
});

describe('subagents, tasks and the rest', () => {
  it('maps what has a core type', () => {
    const hook = feeder();
    expect(hook('SubagentStart', { agent_id: 'a1', agent_type: 'Explore' })[0]).toMatchObject({ type: 'delegation.subagent.started', subject: 'a1', data: { agent_type: 'Explore' } });
    expect(hook('SubagentStop', { agent_id: 'a1', last_assistant_message: 'secret' })[0]).toMatchObject({ type: 'delegation.subagent.stopped', subject: 'a1', data: {} });
    expect(hook('TaskCreated', { task_id: 't1', task_subject: 'secret' })[0]).toMatchObject({ type: 'progress.task.planned', data: { task: { id: 't1' } } });
    expect(hook('TaskCompleted', { task_id: 't1' })[0]).toMatchObject({ type: 'progress.task.completed', data: { task: { id: 't1' }, status: 'completed' } });
  });

  it('speaks of an idle teammate without a session', () => {
    const [event] = feeder()('TeammateIdle', { teammate_name: 'x' });
    expect(event).toMatchObject({ type: 'agent.idle', source: 'aep://box/agent/claude-code', data: { reason: 'awaiting_input' } });
    expect([event?.session, event?.seq, event?.run]).toEqual([undefined, undefined, undefined]);
  });

  it.each([
    ['PostToolBatch', 'post_tool_batch'],
    ['ConfigChange', 'config_change'],
    ['WorktreeCreate', 'worktree_create'],
    ['MCPServer.Start', 'm_c_p_server__start'],
    ['some-hook', 'some_hook'],
    ['Ünïcode', '_n_code'],
  ])('gives the unmapped hook %s a vendor type with empty data [T-188, E-065]', (name, token) => {
    const [event] = feeder()(name, { anything: 'secret' });
    expect([event?.type, event?.data]).toEqual([`x.claude-code.session.${token}`, {}]);
  });

  it('maps the display of a message to no core type [T-238]', () => {
    expect(adapter.hooks).not.toContain('MessageDisplay');
    expect(feeder()('MessageDisplay', { delta: 'secret' })[0]?.type).toBe('x.claude-code.session.message_display');
  });
});
