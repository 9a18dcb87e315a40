import type { AepEvent } from '@aepkit/envelope';

/** A session-scoped Event with the given attributes; `undefined` takes one away. */
export function event(attributes: Readonly<Record<string, unknown>> = {}): AepEvent {
  const all: Record<string, unknown> = {
    aep: '0.1',
    id: '01K7M0V5Q8C3T6Y9B2D4F6H8J0',
    type: 'tool.requested',
    time: '2026-03-01T09:30:00Z',
    source: 'aep://host/agent/a/session/s1',
    agent: 'a',
    session: 's1',
    seq: 4,
    ...attributes,
  };
  for (const key of Object.keys(all)) if (all[key] === undefined) Reflect.deleteProperty(all, key);
  return all as unknown as AepEvent;
}
