import type { HookAdapter } from '@aepkit/adapter-kit';
import { type AepEvent, digest } from '@aepkit/envelope';
import { describe, expect, it } from 'vitest';

import { adapter } from '../src/index.js';
import { data, expectValid, feeder, testAdapter, types } from './support.js';

const turn = { turn_id: 'turn-1' };
const bash = { ...turn, tool_name: 'Bash', tool_use_id: 'call_1', tool_input: { command: 'ls' } };
const asked = { ...turn, tool_name: 'Bash', tool_input: { command: 'ls', description: 'May I look?' } };

describe('a session', () => {
  it('begins with its client, trigger and model, and ends once [T-207, T-235]', () => {
    const hook = feeder();
    const [started] = hook('SessionStart', { source: 'startup', model: 'mock-model', cwd: '/home/dev/project', transcript_path: '/x' });
    expect(started).toMatchObject({ type: 'session.started', session: 's1', seq: 0, agent: 'codex', source: 'aep://box/agent/codex/session/s1', capture: 'metadata' });
    expect(data(started)).toEqual({ client: { name: 'codex' }, trigger: 'startup', 'gen_ai.request.model': 'mock-model' });
    // It names no model, no turn and no mode.
    expect(hook('SessionEnd', { reason: 'other' })).toMatchObject([{ type: 'session.ended', data: { reason: 'normal' } }]);
    expect(hook('SessionEnd', { reason: 'other' })).toEqual([]);
  });

  it('closes what is open ahead of its end', () => {
    const hook = feeder();
    hook('UserPromptSubmit', turn);
    hook('PreToolUse', bash);
    const [request] = hook('PermissionRequest', asked);
    const events = hook('SessionEnd');
    expect(types(events).filter((type) => !type.startsWith('x.'))).toEqual(['attention.resolved', 'run.cancelled', 'session.ended']);
    expect(events[0]).toMatchObject({ subject: request?.id, data: { resolution: 'dismissed' } });
  });
});

describe('a turn', () => {
  it('is a run of the same name [T-206, T-208, T-209]', () => {
    const hook = feeder();
    const [started] = hook('UserPromptSubmit', { ...turn, prompt: 'secret' });
    expect(started).toMatchObject({ type: 'run.started', run: 'turn-1', data: { trigger: 'user' } });
    expect(hook('Stop', { ...turn, last_assistant_message: 'secret' })).toMatchObject([{ type: 'run.finished', run: 'turn-1', cause: started?.id, data: {} }]);
  });

  it('ends once, however often its end comes [T-235]', () => {
    const hook = feeder();
    hook('UserPromptSubmit', turn);
    expect(hook('Stop', turn)).toHaveLength(1);
    expect(hook('Stop', turn)).toEqual([]);
    expect(hook('Interrupt', turn)).toEqual([]);
  });

  it('is cancelled by the one who interrupts it, and what it asks is withdrawn', () => {
    const hook = feeder();
    const [started] = hook('UserPromptSubmit', turn);
    hook('PreToolUse', bash);
    const [request] = hook('PermissionRequest', asked);
    const events = hook('Interrupt', turn);
    expect(events).toContainEqual(expect.objectContaining({ type: 'attention.resolved', subject: request?.id, data: { resolution: 'dismissed' } }));
    expect(events).toContainEqual(expect.objectContaining({ type: 'run.cancelled', run: 'turn-1', cause: started?.id, data: { by: 'user' } }));
    expect(types(events)).not.toContain('tool.denied');
  });

  it('that was interrupted without a word is cancelled at the next prompt [T-215]', () => {
    const hook = feeder();
    const [started] = hook('UserPromptSubmit', turn);
    const events = hook('UserPromptSubmit', { turn_id: 'turn-2' });
    expect(events).toMatchObject([
      { type: 'run.cancelled', run: 'turn-1', cause: started?.id, data: {} },
      { type: 'run.started', run: 'turn-2' },
    ]);
  });

  it('goes on where a person says more while it runs', () => {
    const hook = feeder();
    hook('UserPromptSubmit', turn);
    hook('PreToolUse', bash);
    const more = hook('UserPromptSubmit', { ...turn, prompt: 'and be quick' });
    expect(types(more).some((type) => type.startsWith('run.'))).toBe(false);
    expect(hook('PostToolUse', { ...bash, tool_response: '' }).at(-1)?.run).toBe('turn-1');
    expect(hook('Stop', turn)).toMatchObject([{ type: 'run.finished', run: 'turn-1' }]);
  });

  it('closes what nobody answered when it ends: a call that was refused has no hook', () => {
    const hook = feeder();
    hook('UserPromptSubmit', turn);
    hook('PreToolUse', bash);
    const [request] = hook('PermissionRequest', asked);
    const events = hook('Stop', turn);
    expect(events).toContainEqual(expect.objectContaining({ type: 'attention.resolved', subject: request?.id, data: { resolution: 'dismissed' } }));
    expect(types(events).at(-1)).toBe('run.finished');
  });
});

describe('a call of a tool', () => {
  it('begins with the digest of its input [T-189, T-191, T-210]', () => {
    const [requested] = feeder()('PreToolUse', bash);
    expect(requested).toMatchObject({ type: 'tool.requested', subject: 'Bash', run: 'turn-1' });
    expect(data(requested)).toEqual({ tool: { name: 'Bash', call_id: 'call_1' }, args_digest: digest({ command: 'ls' }) });
  });

  it('ends completed, whatever came out, and does not claim success [T-211]', () => {
    const hook = feeder();
    const [requested] = hook('PreToolUse', bash);
    const [completed] = hook('PostToolUse', { ...bash, tool_response: 'oops\n' });
    expect(completed).toMatchObject({ type: 'tool.completed', subject: 'Bash', run: 'turn-1', cause: requested?.id });
    expect(data(completed)).toEqual({ tool: { name: 'Bash', call_id: 'call_1' }, result_digest: digest('oops\n'), status: 'unknown' });
  });

  it.each([
    [{ content: [], isError: true }, 'error'],
    [{ content: [], isError: false }, 'success'],
    [{ content: [] }, 'unknown'],
    [['oops'], 'unknown'],
    [null, 'unknown'],
    [{ isError: 'yes' }, 'unknown'],
  ])('takes the word of the tool for how it went: %j is %s', (tool_response, status) => {
    expect(data(feeder()('PostToolUse', { ...bash, tool_response }).at(-1)).status).toBe(status);
  });

  it('of a subagent belongs to the turn that waits for it, and its turns are none of ours', () => {
    const hook = feeder();
    hook('UserPromptSubmit', turn);
    const child = { turn_id: 'child-turn', agent_id: 'thread-2', agent_type: 'worker' };
    expect(hook('UserPromptSubmit', { ...child, prompt: 'secret' })).toEqual([]);
    expect(hook('PreToolUse', { ...bash, ...child })).toMatchObject([{ type: 'tool.requested', run: 'turn-1' }]);
    expect(hook('Stop', child)).toEqual([]);
    expect(hook('Stop', turn).at(-1)).toMatchObject({ type: 'run.finished', run: 'turn-1' });
  });
});

describe('a request for permission', () => {
  it('asks about the call that has the same input but for the reason, and is answered by its end [T-212]', () => {
    const hook = feeder();
    const [other, call] = [hook('PreToolUse', { ...bash, tool_use_id: 'call_0', tool_input: { command: 'rm' } }), hook('PreToolUse', bash)];
    hook('PreToolUse', { ...bash, tool_use_id: 'call_2', tool_input: { command: 'cp' } });
    expect(other).toHaveLength(1);
    const [request] = hook('PermissionRequest', asked);
    expect(request).toMatchObject({ type: 'attention.requested', subject: 'Bash', run: 'turn-1', cause: call[0]?.id, severity: 'notice' });
    const events = hook('PostToolUse', { ...bash, tool_response: 'a' });
    expect(events.map(({ type, subject }) => [type, subject])).toEqual([
      ['attention.answered', request?.id],
      ['attention.resolved', request?.id],
      ['tool.completed', 'Bash'],
    ]);
    expect(data(events[0])).toEqual({ answer: { option: 'allow' }, via: 'oob' });
  });

  it('says everything at its own ceiling, which is higher [T-190, T-212, B-188]', () => {
    const [request] = feeder()('PermissionRequest', asked);
    expect(request?.capture).toBe('redacted');
    expect(data(request)).toEqual({
      kind: 'permission',
      prompt: 'Permission requested: Bash — ls (May I look?)',
      options: [
        { id: 'allow', label: 'Allow' },
        { id: 'deny', label: 'Deny' },
      ],
      respond_via: ['oob'],
    });
  });

  it.each([
    [{ command: 'ls' }, 'Permission requested: Bash — ls'],
    [{ description: 'Look' }, 'Permission requested: Bash (Look)'],
    [{}, 'Permission requested: Bash'],
    [{ command: '', description: '' }, 'Permission requested: Bash'],
    [{ command: ['ls'], description: 5 }, 'Permission requested: Bash'],
    [null, 'Permission requested: Bash'],
  ])('leaves out of its prompt what there is not: %j', (tool_input, prompt) => {
    expect(data(feeder()('PermissionRequest', { ...asked, tool_input })[0]).prompt).toBe(prompt);
  });

  it('has a prompt of structural facts and labels that are ids at metadata [B-189, T-212]', () => {
    const [request] = feeder(testAdapter({ ceiling: 'metadata' }))('PermissionRequest', asked);
    expect(request?.capture).toBe('metadata');
    expect(data(request)).toMatchObject({ prompt: 'codex requests permission: Bash', options: [{ id: 'allow', label: 'allow' }, { id: 'deny', label: 'deny' }] });
  });

  it('keeps apart a description that is part of the input', () => {
    const hook = feeder();
    const tool_input = { title: 'x', description: 'y' };
    const [call] = hook('PreToolUse', { ...bash, tool_name: 'mcp__issues__create', tool_input });
    expect(hook('PermissionRequest', { ...turn, tool_name: 'mcp__issues__create', tool_input })[0]?.cause).toBe(call?.id);
  });
});

describe('a permission that is held', () => {
  const payload = { session_id: 's1', hook_event_name: 'PermissionRequest', ...asked };

  it('can be answered over control [T-212]', () => {
    const [request] = testAdapter().handle(payload, { held: true, expiresAt: Date.UTC(2026, 0, 1, 0, 1) });
    expect(data(request?.event)).toMatchObject({ respond_via: ['control'], expires_at: '2026-01-01T00:01:00.000Z' });
  });

  it('is the only call that can', () => {
    expect(adapter.question(payload)).toEqual({ kind: 'permission', options: ['allow', 'deny'] });
    for (const hook_event_name of adapter.hooks) {
      if (hook_event_name !== 'PermissionRequest') expect(adapter.question({ ...payload, hook_event_name })).toBeUndefined();
    }
  });

  it.each([
    [{ behavior: 'allow' }, '{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}'],
    [{ behavior: 'allow', message: 'fine' }, '{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}'],
    [{ behavior: 'deny' }, '{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny"}}}'],
    [{ behavior: 'deny', message: 'Not "today".\n' }, '{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"Not \\"today\\".\\n"}}}'],
  ] as const)('is told %j in the words of the agent, which refuses any other member', (decision, printed) => {
    expect(adapter.reply(payload, decision)).toBe(printed);
  });
});

describe('what comes of a permission that is held', () => {
  const held = (end: (request: AepEvent, mint: HookAdapter['mint']) => void): { readonly events: AepEvent[]; readonly hook: (name: string, members?: Record<string, unknown>) => AepEvent[] } => {
    const tested = testAdapter();
    const events: AepEvent[] = [];
    const hook = (name: string, members: Record<string, unknown> = {}, held = false): AepEvent[] => {
      const made = tested.handle({ session_id: 's1', hook_event_name: name, ...members }, { held }).map(({ event }) => event);
      events.push(...made);
      return made;
    };
    hook('UserPromptSubmit', turn);
    hook('PreToolUse', bash);
    const [request] = hook('PermissionRequest', asked, true);
    if (request === undefined) throw new Error('nothing was asked');
    end(request, (session, draft) => {
      const wire = tested.mint(session, draft);
      events.push(wire.event);
      return wire;
    });
    return { events, hook };
  };
  const answer = (option: string) => (request: AepEvent, mint: HookAdapter['mint']): void => {
    mint('s1', { type: 'attention.answered', subject: request.id, cause: request.id, data: { answer: { option }, via: 'control' } });
    mint('s1', { type: 'attention.resolved', subject: request.id, cause: request.id, data: { resolution: 'answered' } });
  };

  it('granted over control, is answered once', () => {
    const { events, hook } = held(answer('allow'));
    expect(types(hook('PostToolUse', { ...bash, tool_response: '' }))).toEqual(['tool.completed']);
    expect(types([...hook('Stop', turn), ...hook('SessionEnd')])).toEqual(['run.finished', 'session.ended']);
    expect(expectValid(events)).toEqual([]);
  });

  it('refused over control, leaves a call without an end and no denial, which is for policies [T-020]', () => {
    const { events, hook } = held(answer('deny'));
    expect(types([...hook('Stop', turn), ...hook('SessionEnd')])).toEqual(['x.codex.tool.unfinished', 'run.finished', 'session.ended']);
    expect(expectValid(events)).toEqual([]);
  });

  it('not answered in time, is closed, and what the agent asks itself is not told twice', () => {
    const { events, hook } = held((request, mint) => void mint('s1', { type: 'attention.timeout', subject: request.id, cause: request.id, data: { after_ms: 1000 } }));
    expect(types(hook('PostToolUse', { ...bash, tool_response: '' }))).toEqual(['tool.completed']);
    expect(types([...hook('Stop', turn), ...hook('SessionEnd')])).toEqual(['run.finished', 'session.ended']);
    expect(expectValid(events)).toEqual([]);
  });
});

describe('subagents, compaction and the rest', () => {
  it('maps what has a core type [T-213, T-214]', () => {
    const hook = feeder();
    const child = { turn_id: 'child-turn', agent_id: 'thread-2', agent_type: 'worker' };
    expect(hook('SubagentStart', child)).toMatchObject([{ type: 'delegation.subagent.started', subject: 'thread-2', data: { agent_type: 'worker' } }]);
    expect(hook('SubagentStop', { agent_id: 'thread-2', last_assistant_message: 'secret' })).toMatchObject([{ type: 'delegation.subagent.stopped', subject: 'thread-2', data: {} }]);
    expect(hook('PreCompact', { ...turn, trigger: 'auto' })).toEqual([]);
    expect(hook('PostCompact', { ...turn, trigger: 'auto' })).toMatchObject([{ type: 'session.compacted', data: { trigger: 'auto' } }]);
  });

  it.each([
    ['StopFailure', 'stop_failure'],
    ['PreModelSwitch', 'pre_model_switch'],
    ['notify', 'notify'],
  ])('gives the unmapped hook %s a vendor type with empty data [T-188]', (name, token) => {
    const [event] = feeder()(name, { anything: 'secret' });
    expect([event?.type, event?.data]).toEqual([`x.codex.session.${token}`, {}]);
  });

  it('has no use for a notification of the older kind: the end of the turn tells it, and the thread that makes titles would look like a session', () => {
    const notification = { type: 'agent-turn-complete', 'thread-id': 't', 'turn-id': 'u', 'input-messages': ['secret'], 'last-assistant-message': 'secret' };
    expect(() => testAdapter().handle(notification)).toThrow(expect.objectContaining({ code: 'invalid-payload', path: '$.session_id' }));
  });
});
