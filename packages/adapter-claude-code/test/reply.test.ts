import { describe, expect, it } from 'vitest';

import { adapter } from '../src/index.js';
import { recorded, testAdapter } from './support.js';

const asking = recorded.filter(({ hook }) => hook === 'PermissionRequest').map(({ payload }) => payload);
const questions = { session_id: 's', hook_event_name: 'PermissionRequest', tool_name: 'AskUserQuestion', tool_input: { questions: [{ question: 'Which?' }] } };

describe('a call that can be held', () => {
  it('is a permission request of a tool, and nothing else', () => {
    expect(asking).toHaveLength(2);
    for (const payload of asking) expect(adapter.question(payload)).toEqual({ kind: 'permission', options: ['allow', 'deny'] });
    for (const { hook, payload } of recorded) if (hook !== 'PermissionRequest') expect(adapter.question(payload)).toBeUndefined();
    expect(adapter.question(questions)).toBeUndefined();
  });

  it('says that it is answered through control, and until when, only while it is held [T-125]', () => {
    const claude = testAdapter();
    const [held] = claude.handle(asking[0], { held: true, expiresAt: Date.UTC(2026, 0, 1) });
    expect(held?.event.data).toMatchObject({ respond_via: ['control'], expires_at: '2026-01-01T00:00:00.000Z', options: [{ id: 'allow' }, { id: 'deny' }] });
    const [watched] = claude.handle(asking[1]);
    expect(watched?.event.data).toMatchObject({ respond_via: ['oob'] });
    expect(watched?.event.data).not.toHaveProperty('expires_at');
    expect(claude.handle(questions, { held: true })[0]?.event.data).toMatchObject({ kind: 'form', respond_via: ['oob'] });
  });

  it.each([
    [{ behavior: 'allow' }, { behavior: 'allow' }],
    [{ behavior: 'allow', message: 'fine' }, { behavior: 'allow' }],
    [{ behavior: 'deny' }, { behavior: 'deny' }],
    [{ behavior: 'deny', message: 'Not on a "Friday"\n' }, { behavior: 'deny', message: 'Not on a "Friday"\n' }],
  ] as const)('is answered in the form that the agent reads: %j', (decision, told) => {
    expect(JSON.parse(adapter.reply(asking[0], decision))).toEqual({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: told } });
  });

  it('gives no answer for a call that asks nothing', () => {
    for (const payload of [questions, { session_id: 's', hook_event_name: 'Stop' }, {}]) expect(() => adapter.reply(payload, { behavior: 'allow' })).toThrow(expect.objectContaining({ code: 'invalid-payload' }));
  });
});
