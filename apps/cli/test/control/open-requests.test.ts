import { wireEvent, type WireEvent } from '@aepkit/envelope';
import { gate } from '@aepkit/taxonomy';
import { buildEvent } from '@aepkit/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { createOpenRequests } from '../../src/control/open-requests.js';

let seq = 0;
function make(type: string, over: Readonly<Record<string, unknown>> = {}): WireEvent {
  return wireEvent(buildEvent({ type, seq: (seq += 1), session: 's', ...over }));
}
const request = (id: string, over: Readonly<Record<string, unknown>> = {}): WireEvent => make('attention.requested', { id, data: { kind: 'permission', prompt: 'p' }, ...over });
const open = (...wires: readonly WireEvent[]): string[] => {
  const requests = createOpenRequests();
  for (const wire of wires) requests.push(wire);
  return requests.list().map(({ event }) => event.id);
};

describe('createOpenRequests', () => {
  it.each(['attention.answered', 'attention.resolved', 'attention.timeout'])('takes a request for closed by %s with its id as subject', (type) => {
    const data = { 'attention.answered': { answer: { option: 'allow' } }, 'attention.resolved': { resolution: 'answered' } }[type];
    expect(open(request('a'), request('b'), make(type, { subject: 'a', ...(data === undefined ? {} : { data }) }))).toEqual(['b']);
  });

  it('takes what a session leaves open for closed when it ends, and nothing of another', () => {
    expect(open(request('a'), request('b', { session: 't' }), make('session.ended', { data: { reason: 'normal' } }))).toEqual(['b']);
  });

  it('does not open again what comes behind its own end', () => {
    const late = request('a');
    expect(open(make('attention.timeout', { subject: 'a' }), late)).toEqual([]);
  });

  it('lets nobody but its source close a request, and tells of one that two sources ask', () => {
    const requests = createOpenRequests();
    const mine = request('a', { source: 'aep://h/agent/real' });
    const fake = request('a', { source: 'aep://h/agent/fake', capture: 'full', data: { kind: 'permission', prompt: 'harmless' } });
    requests.push(mine);
    requests.push(make('attention.resolved', { subject: 'a', source: 'aep://h/agent/fake', data: { resolution: 'answered' } }));
    requests.push(make('session.ended', { source: 'aep://h/agent/fake', data: { reason: 'normal' } }));
    expect([requests.list(), requests.isDisputed(mine.event)]).toEqual([[mine], false]);
    requests.push(fake);
    expect([requests.has(mine.event), requests.isDisputed(mine.event), requests.isDisputed(fake.event)]).toEqual([true, true, true]);
    expect(requests.isDisputed(request('b').event)).toBe(false);
  });

  it('keeps the copy with the most in it', () => {
    const requests = createOpenRequests();
    const id = 'a';
    const rich = request(id, { capture: 'redacted', data: { kind: 'permission', prompt: 'rm' } });
    const poor = gate(rich, 'metadata');
    for (const wire of [poor, rich, poor]) requests.push(wire);
    expect(requests.list().map(({ event }) => event.capture)).toEqual(['redacted']);
    expect(requests.isDisputed(rich.event)).toBe(false);
  });

  it.each([
    ['a fuller text', { capture: 'full', data: { kind: 'permission', prompt: 'ls' } }],
    ['another text', { data: { kind: 'permission', prompt: 'ls' } }],
    ['other choices', { data: { kind: 'permission', prompt: 'rm', options: [{ id: 'allow', label: 'Deny' }] } }],
    ['another session', { session: 't' }],
  ])('tells of %s that somebody sends under the identity of a request, whichever comes first', (_, over) => {
    const mine = request('a', { capture: 'redacted', data: { kind: 'permission', prompt: 'rm' } });
    const forged = request('a', { capture: 'redacted', data: { kind: 'permission', prompt: 'rm' }, ...over });
    for (const wires of [[mine, forged], [forged, mine]]) {
      const requests = createOpenRequests();
      for (const wire of wires) requests.push(wire);
      expect(requests.isDisputed(mine.event)).toBe(true);
    }
  });

  it('lists the same in whatever order the Events come, oldest request first', () => {
    const events = [
      request('c', { time: '2026-01-01T00:00:03Z' }),
      request('a', { time: '2026-01-01T00:00:01Z' }),
      request('b', { time: '2026-01-01T00:00:02Z' }),
      make('attention.resolved', { subject: 'b', data: { resolution: 'dismissed' } }),
      make('attention.routed', { subject: 'a', seq: undefined, data: {} }),
    ];
    fc.assert(
      fc.property(fc.shuffledSubarray(events, { minLength: events.length }), (order) => {
        expect(open(...order)).toEqual(['a', 'c']);
      }),
    );
  });
});
