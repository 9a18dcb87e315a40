import { describe, expect, it } from 'vitest';
import { headOf, parseEvent, positionOf, type WireEvent } from '../src/index.js';

const event = (members: Readonly<Record<string, unknown>>): WireEvent =>
  parseEvent(JSON.stringify({ aep: '0.1', id: 'e', type: 'tool.completed', time: '2026-01-01T00:00:00Z', source: 'aep://h/s', agent: 'a', session: 's', seq: 7, ...members }));

describe('headOf', () => {
  it.each([
    [{}, { type: 'tool.completed', source: 'aep://h/s', session: 's', epoch: 0, seq: 7 }],
    [{ epoch: 3 }, { type: 'tool.completed', source: 'aep://h/s', session: 's', epoch: 3, seq: 7 }],
    [{ type: 'control.cancel', seq: undefined }, { type: 'control.cancel', source: 'aep://h/s', session: 's', epoch: 0, seq: undefined }],
    [{ type: 'agent.started', session: undefined, seq: undefined }, { type: 'agent.started', source: 'aep://h/s', session: undefined, epoch: 0, seq: undefined }],
  ])('is what the attributes of an Event with %o say', (members, head) => {
    const wire = event(members);
    expect(headOf(wire)).toEqual(head);
    const { session, epoch, seq } = headOf(wire);
    expect(seq === undefined ? undefined : { session, epoch, seq }).toEqual(positionOf(wire.event));
  });

  it('takes -0 for 0 and nothing from a prototype', () => {
    const odd = parseEvent('{"aep":"0.1","id":"e","type":"tool.completed","time":"2026-01-01T00:00:00Z","source":"aep://h/s","agent":"a","session":"s","seq":-0,"epoch":-0}');
    expect([Object.is(headOf(odd).seq, 0), Object.is(headOf(odd).epoch, 0)]).toEqual([true, true]);
    const bare = Object.assign(Object.create({ session: 'p', seq: 1, epoch: 2 }) as object, event({ type: 'agent.started', session: undefined, seq: undefined }).event);
    expect(headOf({ event: bare, json: '' })).toMatchObject({ session: undefined, seq: undefined, epoch: 0 });
  });

  it('is the one that a store brings along, without a look at the Event', () => {
    const head = { type: 'tool.completed', source: 'aep://h/s', session: 's', epoch: 0, seq: 7 };
    const stored = { head, json: '{}', get event(): never { throw new Error('parsed'); } };
    expect(headOf(stored)).toBe(head);
  });
});
