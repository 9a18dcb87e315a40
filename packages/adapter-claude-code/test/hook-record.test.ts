import { parseEvent } from '@aepkit/envelope';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { AdapterError, type AdapterOptions, type HookRecord, isExpendable, parseRecord } from '@aepkit/adapter-kit';

import { adapter as definition } from '../src/index.js';
import { contentOf, recorded, testAdapter } from './support.js';

const KEY = '01JFAKE0000000000000000000';

function roundTrip(record: HookRecord): unknown {
  return JSON.parse(JSON.stringify(record));
}

const CONFIGURATIONS: readonly Partial<AdapterOptions>[] = [{}, { ceiling: 'none' }, { ceilings: { tool: 'none' } }, { ceiling: 'none', ceilings: { attention: 'metadata' } }];

describe('the record of a recorded call', () => {
  it.each(CONFIGURATIONS)('gives the Events of the call itself after a round trip through JSON: %j', (options) => {
    const [whole, reader, placer] = [testAdapter(options), testAdapter(options), testAdapter(options)];
    for (const { payload } of recorded) expect(placer.place(roundTrip(reader.read(payload)))).toEqual(whole.handle(payload));
  });

  it('holds no text of the payload that is above the ceiling [B-185, B-186, E-095]', () => {
    for (const { payload } of recorded) {
      const text = JSON.stringify(testAdapter().read(payload));
      for (const content of contentOf(payload)) expect(text).not.toContain(JSON.stringify(content).slice(1, -1));
    }
  });

  it('holds at none no digest, no call and no word either [B-185, B-204]', () => {
    for (const { payload } of recorded) {
      const { v, agent, hook, session, time, ceiling, run, steps, ...rest } = testAdapter({ ceiling: 'none' }).read(payload);
      expect([v, agent, hook, session, time, ceiling]).toEqual([2, 'claude-code', payload.hook_event_name, payload.session_id, Date.UTC(2026, 0, 1), 'none']);
      expect(run === undefined || run === payload.prompt_id).toBe(true);
      for (const { event, tool, unless, ...step } of steps) {
        expect(Object.keys(event ?? {}).filter((name) => !['type', 'subject', 'severity', 'capture'].includes(name))).toEqual([]);
        expect(Object.keys(tool ?? {})).toEqual(tool === undefined ? [] : ['name']);
        expect(Object.keys(step).filter((name) => !['do', 'scope', 'outcome', 'replaces'].includes(name))).toEqual([]);
        expect(unless === undefined || unless.every((kind) => /^[a-z]+$/.test(kind))).toBe(true);
      }
      expect(rest).toEqual({});
    }
  });

  it('is the same whatever the state of the session', () => {
    const [fresh, used] = [testAdapter(), testAdapter()];
    for (const { payload } of recorded) {
      expect(used.read(payload)).toEqual(fresh.read(payload));
      used.handle(payload);
    }
  });

  it('keeps its time until it is placed', () => {
    const record = testAdapter({ now: () => 1000 }).read({ session_id: 's', hook_event_name: 'SessionStart' });
    expect(testAdapter({ now: () => 9000 }).place(record)[0]?.event.time).toBe('1970-01-01T00:00:01.000Z');
  });
});

describe('forms in a record', () => {
  const place = (...payloads: object[]): unknown[] => {
    const adapter = testAdapter();
    return payloads.flatMap((payload) => {
      const record = adapter.read({ session_id: 's', ...payload });
      return adapter.place(roundTrip(record)).map(({ event }) => event.data);
    });
  };

  it('keeps the choices of a question and none of its words', () => {
    const tool_input = { questions: [{ question: 'Which colour?', multiSelect: true, options: [{ label: 'dark red' }, { label: 'sea green' }] }, { question: 'Why?', options: [] }] };
    const call = { tool_name: 'AskUserQuestion', tool_use_id: 'c', tool_input };
    const tool_response = { answers: { 'Which colour?': 'sea green, dark red', 'Why?': 'because of a secret' } };
    const texts = ['PreToolUse', 'PermissionRequest', 'PostToolUse'].map((hook_event_name) => JSON.stringify(testAdapter().read({ session_id: 's', hook_event_name, ...call, tool_response })));
    for (const text of texts) expect(text).not.toMatch(/colour|dark|green|Why|secret/);
    expect(
      place({ hook_event_name: 'PreToolUse', ...call }, { hook_event_name: 'PermissionRequest', ...call }, { hook_event_name: 'PostToolUse', ...call, tool_response }),
    ).toContainEqual(expect.objectContaining({ answer: { values: { 1: ['2', '1'] } } }));
  });

  it('keeps what an elicitation may tell: numbers, booleans, members of the closed list', () => {
    const requested_schema = { properties: { size: { type: 'number' }, colour: { enum: ['red', 'green'] }, note: { type: 'string' }, odd: { enum: ['a', 'a'] } } };
    const content = { size: 5, colour: 'green', note: 'my secret note', odd: 'a', undeclared: 7 };
    const result = { hook_event_name: 'ElicitationResult', action: 'accept', elicitation_id: 'e', content };
    expect(JSON.stringify(testAdapter().read({ session_id: 's', ...result }))).not.toMatch(/green|secret/);
    expect(place({ hook_event_name: 'Elicitation', elicitation_id: 'e', requested_schema }, result)).toContainEqual({ answer: { values: { size: 5, colour: 'green' } }, via: 'oob' });
  });

  it('keeps no content of an answer that was declined', () => {
    const record = testAdapter().read({ session_id: 's', hook_event_name: 'ElicitationResult', action: 'decline', elicitation_id: 'e', content: { size: 5 } });
    expect(record.steps).toEqual([{ do: 'answer', subject: 'e' }]);
  });
});

describe('the ceiling of a record', () => {
  const payload = { session_id: 's', hook_event_name: 'PreToolUse', tool_name: 'T', tool_input: {} };

  it.each([
    ['none', 'metadata'],
    ['metadata', 'none'],
  ] as const)('%s holds together with %s of the adapter: the lower one [B-191]', (reading, placing) => {
    const [wire] = testAdapter({ ceiling: placing }).place(testAdapter({ ceiling: reading }).read(payload));
    expect([wire?.event.capture, wire?.event.data]).toEqual(['none', undefined]);
  });

  it('holds per category', () => {
    const record = testAdapter({ ceilings: { tool: 'none' } }).read(payload);
    expect(testAdapter().place(record)[0]?.event).toMatchObject({ capture: 'none' });
    expect(testAdapter().place(testAdapter({ ceilings: { session: 'none' } }).read(payload))[0]?.event).toMatchObject({ capture: 'metadata' });
  });
});

describe('the key of a call', () => {
  const prompt = { session_id: 's', hook_event_name: 'UserPromptSubmit' };

  it('is the id of its first Event; the others follow', () => {
    const adapter = testAdapter();
    adapter.handle({ session_id: 's', hook_event_name: 'UserPromptSubmit', prompt_id: 'p' });
    adapter.handle({ session_id: 's', hook_event_name: 'Notification', notification_type: 'idle_prompt' });
    const ids = adapter.handle(prompt, { key: KEY }).map(({ event }) => event.id);
    expect(ids).toEqual([KEY, '01JFAKE0000000000000000001', '01JFAKE0000000000000000002', '01JFAKE0000000000000000003']);
    expect(adapter.handle({ session_id: 's', hook_event_name: 'SessionEnd' }, { key: '01JFAKE00000000000000000ZZ' }).map(({ event }) => event.id)).toEqual(['01JFAKE00000000000000000ZZ', '01JFAKE0000000000000000100']);
    expect(adapter.handle({ session_id: 't', hook_event_name: 'SessionStart' }, { key: '01JFAKE000ZZZZZZZZZZZZZZZZ' })).toHaveLength(1);
  });

  it('makes the Events of a call that comes twice the same, run and all', () => {
    const record = testAdapter().read(prompt, { key: KEY });
    expect(testAdapter().place(record)).toEqual(testAdapter().place(roundTrip(record)));
  });

  it('is found again under the sources that the call can have', () => {
    const adapter = testAdapter();
    const record = adapter.read(prompt, { key: KEY });
    const [first] = adapter.place(record);
    expect(adapter.identities(record)).toContainEqual({ source: first?.event.source, id: KEY });
    const idle = adapter.read({ session_id: 's', hook_event_name: 'TeammateIdle' }, { key: KEY });
    expect(adapter.identities(idle)).toContainEqual({ source: adapter.place(idle)[0]?.event.source, id: KEY });
    expect(adapter.identities(adapter.read(prompt))).toEqual([]);
  });

  it.each(['', 'x', KEY.toLowerCase(), `${KEY}0`, '81JFAKE0000000000000000000', `${KEY}\n`])('is refused when it is no ULID: %j', (key) => {
    expect(() => testAdapter().read(prompt, { key })).toThrow(expect.objectContaining({ code: 'invalid-key' }));
  });
});

describe('a record that comes back', () => {
  const good = { v: 2, agent: 'claude-code', hook: 'Stop', session: 's', time: 1, ceiling: 'metadata', steps: [] };

  it('of the version before this one is refused cleanly', () => {
    const adapter = testAdapter();
    expect(() => adapter.place({ v: 1, hook: 'PreToolUse', session: 's', time: 1, ceiling: 'metadata', tool: 'T' })).toThrow(expect.objectContaining({ code: 'invalid-record', path: '$.v' }));
    expect(adapter.knows('s')).toBe(false);
  });

  it('is taken as it was written, and gives valid Events or a refusal for anything that is JSON', () => {
    const hooks = fc.constantFrom(...definition.hooks, 'Unknown', 'ÄÖ');
    const member = fc.constantFrom('tool_name', 'tool_input', 'tool_response', 'tool_use_id', 'tool_calls', 'prompt_id', 'error', 'requested_schema', 'content', 'action', 'notification_type', 'agent_id', 'task_id', 'trigger', 'model', 'source', 'duration_ms');
    const call = fc.tuple(hooks, fc.dictionary(member, fc.oneof(fc.string({ unit: 'binary' }), fc.constant('accept'), fc.jsonValue())));
    fc.assert(
      fc.property(fc.array(call, { maxLength: 12 }), (calls) => {
        const [whole, parts] = [testAdapter(), testAdapter()];
        for (const [hook_event_name, members] of calls) {
          const payload = { ...members, session_id: 's', hook_event_name };
          let record: HookRecord;
          try {
            record = parts.read(payload);
          } catch (error) {
            if (!(error instanceof AdapterError)) throw error;
            expect(() => whole.handle(payload)).toThrow(AdapterError);
            continue;
          }
          expect(parseRecord(roundTrip(record))).toEqual(record);
          const events = parts.place(roundTrip(record));
          expect(events).toEqual(whole.handle(payload));
          for (const { json, event } of events) expect(parseEvent(json).event).toEqual(event);
        }
      }),
    );
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('v', 'hook', 'session', 'time', 'ceiling', 'run', 'key', 'steps'), fc.jsonValue()), (members) => {
        try {
          for (const { json, event } of testAdapter().place({ ...good, ...members })) expect(parseEvent(json).event).toEqual(event);
        } catch (error) {
          if (!(error instanceof AdapterError)) throw error;
        }
      }),
    );
  });
});

it('knows a call that is given up first: all its Events are info, and nothing ends with it', () => {
  const expendable = recorded.filter(({ payload }) => isExpendable(testAdapter().read(payload))).map(({ hook }) => hook);
  expect(new Set(expendable)).toEqual(new Set(['PreToolUse', 'PostToolUse', 'MessageDisplay']));
});
