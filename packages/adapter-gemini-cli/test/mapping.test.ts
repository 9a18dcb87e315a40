import { digest } from '@aepkit/envelope';
import { describe, expect, it } from 'vitest';

import { adapter } from '../src/index.js';
import { data, feeder, testAdapter, types } from './support.js';

const shell = { tool_name: 'run_shell_command', tool_input: { command: 'ls', description: 'Look' } };
const report = (...lines: readonly string[]): { llmContent: string } => ({ llmContent: ['<untrusted_context>', 'Output: oops', ...lines, 'Process Group PGID: 105', '</untrusted_context>'].join('\n') });

describe('a session', () => {
  it('begins with its client and trigger [T-217]', () => {
    const [started] = feeder()('SessionStart', { source: 'startup', cwd: '/home/dev/project', timestamp: '2026-11-30T06:53:17.905Z' });
    expect(started).toMatchObject({ type: 'session.started', session: 's1', seq: 0, agent: 'gemini-cli', source: 'aep://box/agent/gemini-cli/session/s1', capture: 'metadata' });
    expect(data(started)).toEqual({ client: { name: 'gemini-cli' }, trigger: 'startup' });
  });

  it.each(['exit', 'clear', 'logout', 'prompt_input_exit', 'other', 5, undefined])('ends normally, whatever the agent says (%s), and once, however often it does [T-218, T-235]', (reason) => {
    const hook = feeder();
    hook('SessionStart');
    expect(hook('SessionEnd', { reason })).toMatchObject([{ type: 'session.ended', data: { reason: 'normal' } }]);
    for (let again = 0; again < 4; again += 1) expect(hook('SessionEnd', { reason })).toEqual([]);
  });

  it('may be heard of before it begins', () => {
    const hook = feeder();
    expect(types([...hook('BeforeAgent'), ...hook('SessionStart', { source: 'startup' }), ...hook('AfterAgent')])).toEqual(['run.started', 'session.started', 'run.finished']);
  });

  it('ends what is open', () => {
    const hook = feeder();
    const [started] = hook('BeforeAgent');
    const [requested] = hook('BeforeTool', shell);
    hook('Notification', { notification_type: 'ToolPermission' });
    expect(hook('SessionEnd')).toMatchObject([
      { type: 'x.gemini-cli.tool.unfinished', subject: 'run_shell_command', cause: requested?.id, data: { tool: { name: 'run_shell_command' }, inferred: true } },
      { type: 'run.cancelled', run: started?.run, cause: started?.id },
      { type: 'session.ended' },
    ]);
  });
});

describe('a turn', () => {
  it('is a run with a name of ours, from one hook to the other, without the answer [T-216, T-219]', () => {
    const hook = feeder();
    const [started] = hook('BeforeAgent', { prompt: 'secret' });
    expect(started).toMatchObject({ type: 'run.started', data: { trigger: 'user' } });
    expect(started?.run).toMatch(/^[A-Za-z0-9][A-Za-z0-9._-]*$/);
    const events = feeder(testAdapter({ ceiling: 'full' }));
    events('BeforeAgent');
    expect(events('AfterAgent', { prompt: 'secret', prompt_response: 'secret' })).toMatchObject([{ type: 'run.finished', capture: 'metadata', data: {} }]);
    expect(hook('AfterAgent')).toMatchObject([{ type: 'run.finished', run: started?.run, cause: started?.id }]);
    expect(hook('AfterAgent')).toEqual([]);
    expect(hook('BeforeAgent')[0]?.run).not.toBe(started?.run);
  });

  it('that never ended is cancelled at the next prompt', () => {
    const hook = feeder();
    const [started] = hook('BeforeAgent');
    hook('BeforeTool', shell);
    expect(types(hook('BeforeAgent'))).toEqual(['x.gemini-cli.tool.unfinished', 'run.cancelled', 'run.started']);
    expect(hook('AfterAgent')[0]?.run).not.toBe(started?.run);
  });
});

describe('a call of a tool', () => {
  it('has no id, and the digest of its input [T-189, T-191, T-220]', () => {
    const [requested] = feeder()('BeforeTool', shell);
    expect(requested).toMatchObject({ type: 'tool.requested', subject: 'run_shell_command' });
    expect(data(requested)).toEqual({ tool: { name: 'run_shell_command' }, args_digest: digest(shell.tool_input) });
  });

  it('ends completed with the digest of the response, whatever shape that has [T-221]', () => {
    const grid = { llmContent: report().llmContent, returnDisplay: [[{ text: 'secret', bold: false, fg: '' }]] };
    for (const tool_response of [report(), grid, 'text', ['a'], null, { error: null }, { error: false }, { error: '' }]) {
      const hook = feeder();
      const [requested] = hook('BeforeTool', shell);
      const [completed] = hook('AfterTool', { ...shell, tool_response });
      expect(completed).toMatchObject({ type: 'tool.completed', subject: 'run_shell_command', cause: requested?.id, capture: 'metadata' });
      expect(data(completed)).toEqual({ tool: { name: 'run_shell_command' }, result_digest: digest(tool_response) });
    }
  });

  it.each([
    [{ type: 'shell_execute_error', message: 'secret' }, { type: 'shell_execute_error' }],
    [{ message: 'secret' }, {}],
    [{ type: 'not a word', message: 5 }, {}],
    ['secret', {}],
    [{}, {}],
    [true, {}],
  ])('fails where the response has an error: %j [T-221]', (error, told) => {
    const hook = feeder();
    const [requested] = hook('BeforeTool', shell);
    const [failed] = hook('AfterTool', { ...shell, tool_response: { llmContent: 'secret', error } });
    expect(failed).toMatchObject({ type: 'tool.failed', subject: 'run_shell_command', cause: requested?.id });
    expect(data(failed)).toEqual({ tool: { name: 'run_shell_command' }, error: told });
  });

  it.each([
    ['an exit code', report('Exit Code: 1'), 'error'],
    ['a negative exit code', report('Exit Code: -1'), 'error'],
    ['a signal', report('Signal: SIGKILL', 'Background PIDs: 12, 13'), 'error'],
    ['an exit code without the frame', { llmContent: 'Output: oops\nExit Code: 127' }, 'error'],
    ['a cancellation', { llmContent: '<untrusted_context>\nCommand was cancelled by user before it could complete. There was no output before it was cancelled.' }, 'cancelled'],
    ['a timeout', { llmContent: 'Command was automatically cancelled because it exceeded the timeout of 5.0 minutes without output.' }, 'cancelled'],
  ])('that ran a command tells by %s in the text for the model that it went wrong', (_, tool_response, status) => {
    expect(data(feeder()('AfterTool', { ...shell, tool_response })[0]).status).toBe(status);
  });

  it.each([
    ['in the middle of the output', report('Exit Code: 1', 'and more')],
    ['in the line of something else', report('My Exit Code: 1')],
    ['of 0', report('Exit Code: 0')],
    ['of a text that is far too long', { llmContent: `Exit Code: 1\n${'Process Group PGID: 1\n'.repeat(500)}` }],
    ['that is no text', { llmContent: [{ text: 'Exit Code: 1' }] }],
  ])('is not judged by an exit code %s', (_, tool_response) => {
    expect(data(feeder()('AfterTool', { ...shell, tool_response })[0])).not.toHaveProperty('status');
  });

  it('of another tool is not judged by its text', () => {
    expect(data(feeder()('AfterTool', { tool_name: 'read_file', tool_response: report('Exit Code: 1') })[0])).not.toHaveProperty('status');
  });

  it('is found by its tool, its input and the order [T-220]', () => {
    const hook = feeder();
    hook('BeforeAgent');
    const other = { ...shell, tool_input: { command: 'cat' } };
    const [first, second, third] = [hook('BeforeTool', shell)[0], hook('BeforeTool', other)[0], hook('BeforeTool', shell)[0]];
    const causes = [other, shell, shell, shell].map((call) => hook('AfterTool', { ...call, tool_response: {} })[0]?.cause);
    expect(causes).toEqual([second?.id, first?.id, third?.id, undefined]);
  });

  it('that was given up is not taken for a later one that looks the same', () => {
    const hook = feeder();
    hook('BeforeAgent');
    hook('BeforeTool', shell);
    hook('BeforeAgent');
    const [again] = hook('BeforeTool', shell);
    expect(hook('AfterTool', { ...shell, tool_response: {} })[0]?.cause).toBe(again?.id);
  });
});

describe('hooks of the model', () => {
  it.each([
    ['BeforeModel', 'before_model', undefined],
    ['BeforeToolSelection', 'before_tool_selection', undefined],
    ['AfterModel', 'after_model', 'debug'],
  ])('%s stays with the vendor and tells the model and nothing that was said [T-222, T-223]', (name, token, severity) => {
    const llm_request = { model: 'gemini-2.5-flash', messages: [{ role: 'user', content: 'secret' }] };
    const hook = feeder(testAdapter({ ceiling: 'full' }));
    const [event] = hook(name, { llm_request, llm_response: { text: 'secret' } });
    expect(event).toMatchObject({ type: `x.gemini-cli.session.${token}`, data: { model: 'gemini-2.5-flash' } });
    expect([event?.severity, JSON.stringify(event).includes('secret')]).toEqual([severity, false]);
    for (const odd of [{ model: 'a sentence' }, { model: 5 }, [], 'x', null]) expect(hook(name, { llm_request: odd })[0]?.data).toEqual({});
  });

  it('is compacted where somebody asked for it [T-224]', () => {
    expect(feeder()('PreCompress', { trigger: 'manual' })).toMatchObject([{ type: 'session.compacted', data: { trigger: 'manual' } }]);
    expect(feeder()('PreCompress')).toMatchObject([{ type: 'session.compacted', data: {} }]);
  });

  it('is not said to be compacted by the hook that comes ahead of every request', () => {
    expect(feeder()('PreCompress', { trigger: 'auto' })).toMatchObject([{ type: 'x.gemini-cli.session.pre_compress', severity: 'debug', data: { trigger: 'auto' } }]);
  });
});

describe('a notification', () => {
  it('is a status, which nobody can answer, and is not dropped where somebody waits [T-225]', () => {
    const details = { type: 'exec', title: 'secret', command: 'secret' };
    const [event] = feeder()('Notification', { notification_type: 'ToolPermission', message: 'secret', details });
    expect(event).toMatchObject({ type: 'progress.status', subject: 'ToolPermission', severity: 'notice', data: {} });
    expect(feeder(testAdapter({ ceiling: 'full' }))('Notification', { notification_type: 'ToolPermission', message: 'words', details })[0]?.data).toEqual({ message: 'words' });
    const [other] = feeder()('Notification', { notification_type: 'Other' });
    expect([other?.type, other?.subject, other?.severity]).toEqual(['progress.status', 'Other', undefined]);
    expect(feeder()('Notification', { notification_type: 'a sentence of words' })[0]).not.toHaveProperty('subject');
  });

  it('can be held no more than any other hook', () => {
    for (const hook_event_name of [...adapter.hooks, 'Unknown']) expect(adapter.question({ session_id: 's', hook_event_name, tool_name: 't' })).toBeUndefined();
    expect(() => adapter.reply({ session_id: 's', hook_event_name: 'BeforeTool', tool_name: 't' }, { behavior: 'allow' })).toThrow(expect.objectContaining({ code: 'invalid-payload' }));
  });
});

describe('the rest', () => {
  it.each([
    ['AfterToolSelection', 'after_tool_selection'],
    ['some-hook', 'some_hook'],
  ])('has a vendor type and empty data: %s [T-188]', (name, token) => {
    const [event] = feeder()(name, { anything: 'secret' });
    expect([event?.type, event?.data]).toEqual([`x.gemini-cli.session.${token}`, {}]);
  });

  it.each([
    ['2026-11-30T06:53:17.905Z', '2026-11-30T06:53:17.905Z'],
    ['2026-11-30T06:53:17Z', '2026-11-30T06:53:17.000Z'],
    ['2026-13-40T06:53:17.905Z', '2026-01-01T00:00:00.000Z'],
    ['+275760-09-13T00:00:00.000Z', '2026-01-01T00:00:00.000Z'],
    ['yesterday', '2026-01-01T00:00:00.000Z'],
    ['1', '2026-01-01T00:00:00.000Z'],
    [1, '2026-01-01T00:00:00.000Z'],
    [undefined, '2026-01-01T00:00:00.000Z'],
  ])('has the time of the call, where %s is one', (timestamp, time) => {
    expect(feeder()('SessionStart', { timestamp })[0]?.time).toBe(time);
  });
});
