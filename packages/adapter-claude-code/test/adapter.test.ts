import type { HookAdapter } from '@aepkit/adapter-kit';
import type { AepEvent } from '@aepkit/envelope';
import { StreamValidator, validatePayload } from '@aepkit/taxonomy';
import { describe, expect, it } from 'vitest';

import { contentOf, feeder, recorded, recordedSessions, testAdapter, types } from './support.js';

function play(adapter: HookAdapter, payloads = recorded): AepEvent[] {
  return payloads.flatMap(({ payload }) => adapter.handle(payload).map(({ event }) => event));
}

describe('every recorded payload', () => {
  it('gives valid Events with valid payloads, and together a valid stream', () => {
    for (const session of recordedSessions) {
      const validator = new StreamValidator();
      for (const event of play(testAdapter(), session)) {
        expect(validatePayload(event)).toEqual([]);
        expect(validator.push(event)).toEqual([]);
      }
      expect(validator.end()).toEqual([]);
    }
  });

  it('carries no content at metadata [B-186, B-190, T-185, E-095]', () => {
    for (const { payload } of recorded) {
      const text = JSON.stringify(testAdapter().handle(payload).map(({ json }) => json));
      for (const content of contentOf(payload)) expect(text).not.toContain(content);
    }
  });

  it('tells the four stories [T-009, T-019, T-186]', () => {
    expect(recordedSessions.map((session) => types(play(testAdapter(), session)))).toEqual([
      ['session.started', 'run.started', 'tool.requested', 'tool.completed', 'x.claude-code.session.post_tool_batch', 'x.claude-code.session.message_display', 'run.finished', 'session.ended'],
      ['session.started', 'run.started', 'tool.requested', 'tool.failed', 'x.claude-code.session.post_tool_batch', 'x.claude-code.session.message_display', 'run.finished', 'session.ended'],
      ['session.started', 'run.started', 'tool.requested', 'attention.requested', 'attention.answered', 'attention.resolved', 'tool.completed', 'x.claude-code.session.post_tool_batch', 'run.finished', 'x.claude-code.session.message_display', 'session.ended'],
      ['session.started', 'run.started', 'tool.requested', 'attention.requested', 'attention.resolved', 'x.claude-code.tool.unfinished', 'run.cancelled', 'session.ended'],
    ]);
  });

  it('counts positions up by one from 0', () => {
    for (const session of recordedSessions) {
      expect(play(testAdapter(), session).map(({ seq }) => seq)).toEqual(play(testAdapter(), session).map((_, index) => index));
    }
  });
});

describe('ceilings', () => {
  it('is metadata unless said otherwise [B-185, T-190, B-204, E-101, B-151]', () => {
    expect(new Set(play(testAdapter()).map(({ capture }) => capture))).toEqual(new Set(['metadata']));
  });

  it('emits no data at none [B-185, B-186, B-204]', () => {
    for (const event of play(testAdapter({ ceiling: 'none' }))) expect([event.capture, event.data]).toEqual(['none', undefined]);
  });

  it('can differ per category [B-187]', () => {
    const events = play(testAdapter({ ceilings: { tool: 'none', session: 'none' } }));
    for (const event of events) {
      const none = /^(?:x\.claude-code\.)?(?:tool|session)\./.test(event.type);
      expect([event.type, event.capture, event.data === undefined]).toEqual([event.type, none ? 'none' : 'metadata', none]);
    }
  });
});

describe('restore', () => {
  it.each([
    ['all Events', (events: readonly AepEvent[]): readonly AepEvent[] => events],
    ['those that change the state, and the last', (events: readonly AepEvent[]) => [...events.filter(({ type }) => testAdapter().stateTypes.includes(type)), ...events.slice(-1)]],
  ])('continues at any point exactly as an adapter that was never stopped, given %s [T-234]', async (_, given) => {
    for (const session of recordedSessions) {
      const whole = play(testAdapter(), session);
      for (let cut = 0; cut <= session.length; cut += 1) {
        const before = play(testAdapter(), session.slice(0, cut));
        let ids = before.length;
        const second = testAdapter({ createId: () => `id-${String((ids += 1)).padStart(4, '0')}` });
        await second.restore(session[0]!.payload.session_id, given(before));
        expect([...before, ...play(second, session.slice(cut))]).toEqual(whole);
      }
    }
  });

  it('folds a stream as it comes and holds none of it', async () => {
    const adapter = testAdapter();
    // One object for all Events: whoever keeps it finds the last one only.
    const event = { ...feeder()('UserPromptSubmit', { prompt_id: 'p' }).at(-1)! } as { -readonly [K in keyof AepEvent]: AepEvent[K] };
    async function* stream(): AsyncGenerator<AepEvent> {
      yield event;
      for (let seq = 1; seq < 10; seq += 1) {
        await Promise.resolve();
        expect(adapter.knows('s1')).toBe(false);
        Object.assign(event, { type: 'progress.status', run: undefined, id: `e${seq}`, seq });
        yield event;
      }
    }
    await adapter.restore('s1', stream());
    expect(feeder(adapter)('Stop').map(({ type, run, seq }) => [type, run, seq])).toEqual([['run.finished', 'p', 10]]);
  });

  it('leaves everything as it was when the stream fails', async () => {
    const adapter = testAdapter();
    const [first] = feeder()('SessionStart');
    async function* broken(): AsyncGenerator<AepEvent> {
      yield await Promise.resolve({ ...first!, seq: 7 });
      throw new Error('gone');
    }
    await expect(adapter.restore('s1', broken())).rejects.toThrow('gone');
    expect(adapter.knows('s1')).toBe(false);
  });

  it('keeps the source a session began with [E-132]', async () => {
    const before = feeder(testAdapter({ host: 'old name' }))('SessionStart');
    const second = testAdapter({ host: 'new-name' });
    await second.restore('s1', before);
    expect(feeder(second)('Stop', { prompt_id: 'p' })[0]?.source).toBe(before[0]?.source);
  });

  it('skips Events of other agents that share the session name', async () => {
    const adapter = testAdapter();
    await adapter.restore('s1', [{ ...feeder()('SessionStart')[0]!, agent: 'other', seq: 41 }]);
    expect(feeder(adapter)('SessionStart')[0]?.seq).toBe(0);
  });

  it('is asked for when the least recently used session was forgotten', () => {
    const adapter = testAdapter({ maxSessions: 2 });
    for (const session of ['a', 'b', 'a', 'c']) feeder(adapter, session)('SessionStart');
    expect(['a', 'b', 'c'].map((session) => adapter.knows(session))).toEqual([true, false, true]);
    adapter.forget('a');
    expect(adapter.knows('a')).toBe(false);
  });
});

it('stays within the bound on open calls', () => {
  const hook = feeder();
  const [first] = hook('PreToolUse', { tool_name: 'T', tool_use_id: 'c0' });
  for (let n = 1; n <= 1000; n += 1) hook('PreToolUse', { tool_name: 'T', tool_use_id: `c${n}` });
  expect(hook('PostToolUse', { tool_name: 'T', tool_use_id: 'c0' })[0]?.cause).not.toBe(first?.id);
  expect(hook('PostToolUse', { tool_name: 'T', tool_use_id: 'c1' })[0]?.cause).toBeDefined();
});
