import { parseEvent } from '@aepkit/envelope';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { AdapterError, MAX_CALLS, MAX_STEPS, parseRecord } from '../src/index.js';
import { definition, testAdapter } from './support.js';

const good = { v: 2, agent: 'testy', hook: 'Tool', session: 's', time: 1, ceiling: 'metadata', steps: [] };
const event = { type: 'progress.status', capture: 'metadata', data: {} };
const withStep = (step: object): object => ({ ...good, steps: [step] });
const withEvent = (members: object, step: object = {}): object => withStep({ do: 'emit', event: { ...event, ...members }, ...step });

describe('a record that comes back', () => {
  it.each<[unknown, string]>([
    [null, '$'],
    [[], '$'],
    ['x', '$'],
    [{}, '$.v'],
    [{ v: 1, hook: 'PreToolUse', session: 's', time: 1, ceiling: 'metadata', tool: 'T' }, '$.v'],
    [{ ...good, v: 3 }, '$.v'],
    [{ ...good, agent: 'A' }, '$.agent'],
    [{ ...good, hook: undefined }, '$.hook'],
    [{ ...good, session: '' }, '$.session'],
    [{ ...good, session: 'x'.repeat(513) }, '$.session'],
    [{ ...good, session: 'x\ud83d' }, '$.session'],
    [{ ...good, time: -1 }, '$.time'],
    [{ ...good, time: 1.5 }, '$.time'],
    [{ ...good, time: 1e15 }, '$.time'],
    [{ ...good, ceiling: 'all' }, '$.ceiling'],
    [{ ...good, ceilings: { tool: 'all' } }, '$.ceilings.tool'],
    [{ ...good, ceilings: { 'A b': 'none' } }, '$.ceilings'],
    [{ ...good, key: 'k' }, '$.key'],
    [{ ...good, run: 'a b' }, '$.run'],
    [{ ...good, prompt: 'content' }, '$'],
    [{ ...good, steps: {} }, '$.steps'],
    [{ ...good, steps: Array.from({ length: MAX_STEPS + 1 }, () => ({ do: 'emit', event })) }, '$.steps'],
    [withStep({ do: 'destroy' }), '$.steps[0].do'],
    [withStep({ do: 'emit' }), '$.steps[0].event'],
    [withStep({ do: 'emit', event, prompt: 'content' }), '$.steps[0]'],
    [withEvent({ type: 'control.accepted' }), '$.steps[0].event.type'],
    [withEvent({ type: 'attention.routed' }), '$.steps[0].event.type'],
    [withEvent({ type: 'attention.resolved' }), '$.steps[0].event.type'],
    [withEvent({ type: 'run.finished' }), '$.steps[0].event.type'],
    [withEvent({ type: 'session.ended' }), '$.steps[0].event.type'],
    [withEvent({ capture: 'all' }), '$.steps[0].event.capture'],
    [withEvent({ capture: 'none' }), '$.steps[0].event.data'],
    [withEvent({ data: undefined }), '$.steps[0].event.data'],
    [withEvent({ data: [] }), '$.steps[0].event.data'],
    [withEvent({ content: {} }), '$.steps[0].event.content'],
    [withEvent({ data: JSON.parse(`{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`) as object }), '$.steps[0].event.data'],
    [withEvent({ capture: 'full', content: JSON.parse(`{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`) as object }), '$.steps[0].event.content'],
    [withEvent({ severity: 'loud' }), '$.steps[0].event.severity'],
    [withEvent({ subject: '' }), '$.steps[0].event.subject'],
    [withEvent({ seq: 5 }), '$.steps[0].event'],
    [withEvent({ type: 'agent.idle' }), '$.steps[0].scope'],
    [withEvent({}, { scope: 'agent' }), '$.steps[0].scope'],
    [withEvent({}, { scope: 'world' }), '$.steps[0].scope'],
    [withEvent({}, { run: 'a b' }), '$.steps[0].run'],
    [withEvent({}, { tool: {} }), '$.steps[0].tool.name'],
    [withEvent({}, { tool: { name: 'T', input: 'the input itself' } }), '$.steps[0].tool.input'],
    [withEvent({}, { unless: ['A B'] }), '$.steps[0].unless[0]'],
    [withEvent({}, { answer: event }), '$.steps[0].answer.type'],
    [withStep({ do: 'start-run', event }), '$.steps[0].event.type'],
    [withStep({ do: 'end-tool', event }), '$.steps[0].event.type'],
    [withStep({ do: 'raise', event }), '$.steps[0].event.type'],
    [withStep({ do: 'answer', event }), '$.steps[0]'],
    [withStep({ do: 'answer', answers: [{ id: 'f', value: 'text' }] }), '$.steps[0].answers[0].value'],
    [withStep({ do: 'answer', answers: [{ id: '', value: 1 }] }), '$.steps[0].answers[0].id'],
    [withStep({ do: 'answer', answers: [{ id: 'f', mark: 'abcde' }] }), '$.steps[0].answers[0].mark'],
    [withStep({ do: 'end-calls', calls: Array.from({ length: MAX_CALLS + 1 }, () => 'c') }), '$.steps[0].calls'],
    [withStep({ do: 'end-calls', calls: ['c', 5] }), '$.steps[0].calls[1]'],
    [JSON.parse('{"v":2,"agent":"testy","hook":"T","session":"s","time":1,"ceiling":"none","steps":[],"__proto__":{"x":1}}'), '$'],
  ])('is refused with its place, never quoted: %#', (record, path) => {
    const adapter = testAdapter();
    let refusal: unknown;
    try {
      adapter.place(record);
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toBeInstanceOf(AdapterError);
    expect(refusal).toMatchObject({ code: 'invalid-record', path });
    expect((refusal as Error).message).not.toMatch(/input itself|content"/);
    expect(adapter.knows('s')).toBe(false);
  });

  it('is taken as it was written, whatever the payload held', () => {
    const member = fc.constantFrom('tool', 'id', 'input', 'result', 'prompt', 'message', 'error', 'form', 'schema', 'values', 'ok', 'turn', 'model', 'cwd', 'ids');
    const calls = fc.tuple(fc.constantFrom(...definition.hooks, 'Unknown', 'ÄÖ', '__proto__'), fc.dictionary(member, fc.oneof(fc.string({ unit: 'binary' }), fc.jsonValue())));
    fc.assert(
      fc.property(fc.constantFrom('none', 'metadata', 'redacted', 'full'), fc.array(calls, { maxLength: 12 }), (ceiling, given) => {
        const [whole, parts] = [testAdapter({ ceiling }), testAdapter({ ceiling })];
        for (const [hook_event_name, members] of given) {
          const payload = { ids: [], ...members, session_id: 's', hook_event_name, ...(Array.isArray(members.ids) ? {} : { ids: [] }) };
          let record: unknown;
          try {
            record = parts.read(payload);
          } catch (error) {
            if (!(error instanceof AdapterError)) throw error;
            expect(() => whole.handle(payload)).toThrow(AdapterError);
            continue;
          }
          const stored: unknown = JSON.parse(JSON.stringify(record));
          expect(parseRecord(stored)).toEqual(record);
          const events = parts.place(stored);
          expect(events).toEqual(whole.handle(payload));
          for (const { json, event: made } of events) expect(parseEvent(json).event).toEqual(made);
        }
      }),
      { numRuns: 150 },
    );
  });
});
