import { isEvent, parseEvent } from '@aepkit/envelope';
import { describe, expect, it } from 'vitest';

import { buildEvent, buildSession, buildWire } from '../src/index.js';

describe('builders', () => {
  it('give valid Events, each with an id of its own', () => {
    const events = [buildEvent(), buildEvent(), ...buildSession(3).map(({ event }) => event)];
    expect(events.every(isEvent)).toBe(true);
    expect(new Set(events.map(({ id }) => id)).size).toBe(5);
  });

  it('remove a member that is overridden with undefined', () => {
    expect(Object.keys(buildEvent({ type: 'agent.idle', session: undefined, seq: undefined, data: undefined }))).toEqual(['aep', 'id', 'type', 'time', 'source', 'agent']);
  });

  it('give a text that reads as the Event', () => {
    const { event, json } = buildWire({ subject: 'é' });
    expect(parseEvent(json).event).toEqual(event);
  });

  it('count a session up from where they are told', () => {
    expect(buildSession(3, { first: 5, session: 'a b' }).map(({ event }) => [event.session, event.seq, event.source])).toEqual([5, 6, 7].map((seq) => ['a b', seq, 'aep://test/agent/a1/session/a%20b']));
  });
});
