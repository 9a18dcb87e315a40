import type { AepEvent, WireEvent } from '@aepkit/envelope';
import { wireEvent } from '@aepkit/envelope';

/** What a test wants to differ from the default Event; `undefined` removes a member. */
export type EventOverrides = Readonly<Record<string, unknown>>;

let counter = 0;

/** A valid Event: `tool.requested` of session `s1` unless told otherwise. Ids are unique within the process. */
export function buildEvent(overrides: EventOverrides = {}): AepEvent {
  counter += 1;
  const event: Record<string, unknown> = {
    aep: '0.1',
    id: `e-${String(counter).padStart(6, '0')}`,
    type: 'tool.requested',
    time: '2026-01-01T00:00:00.000Z',
    source: 'aep://test/agent/a1/session/s1',
    agent: 'a1',
    session: 's1',
    seq: counter,
    data: { tool: { name: 'shell' } },
    ...overrides,
  };
  for (const key of Object.keys(event)) if (event[key] === undefined) Reflect.deleteProperty(event, key);
  return event as unknown as AepEvent;
}

/** {@link buildEvent} with its text. */
export function buildWire(overrides: EventOverrides = {}): WireEvent {
  return wireEvent(buildEvent(overrides));
}

/** `count` Events of one session at positions `(epoch, first)` and up. */
export function buildSession(count: number, overrides: EventOverrides & { first?: number; session?: string } = {}): WireEvent[] {
  const { first = 0, session = 's1', ...rest } = overrides;
  return Array.from({ length: count }, (_, index) =>
    buildWire({ source: `aep://test/agent/a1/session/${encodeURIComponent(session)}`, session, ...rest, seq: first + index }),
  );
}
