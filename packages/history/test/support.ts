import { wireEvent, type Position, type WireEvent } from '@aepkit/envelope';
import type { EventLog, Replayed, ReplayFrom, ReplayHint } from '@aepkit/hub';
import { buildEvent, buildWire, tempDir, type EventOverrides } from '@aepkit/testkit';
import { openHistory, type EventQuery, type History, type HistoryOptions, type StoredEvent } from '../src/index.js';

/** An open store in a folder of its own. */
export interface TestStore extends AsyncDisposable {
  readonly path: string;
  readonly history: History;
  /** Closes it and opens it again. */
  reopen(options?: Partial<HistoryOptions>): Promise<History>;
}

export async function testStore(options: Partial<HistoryOptions> = {}): Promise<TestStore> {
  const folder = await tempDir();
  const path = folder.file('history.db');
  let history = await openHistory({ path, ...options });
  return {
    path,
    get history() {
      return history;
    },
    async reopen(changed = {}) {
      await history.close();
      history = await openHistory({ path, ...options, ...changed });
      return history;
    },
    async [Symbol.asyncDispose]() {
      await history.close();
      await folder.remove();
    },
  };
}

/** An Event of session `s1`, of the source that owns it, at a position. */
export function at(seq: number, overrides: EventOverrides = {}): WireEvent {
  return buildWire({ seq, ...overrides });
}

/** An Event whose text has at least so many characters. */
export function large(seq: number, chars: number): WireEvent {
  return wireEvent(buildEvent({ seq, data: { large: 'x'.repeat(chars) } }), { maxBytes: Infinity });
}

/** A command to a session; it has no position. */
export function command(session = 's1', overrides: EventOverrides = {}): WireEvent {
  return buildWire({ type: 'control.cancel', source: 'aep://test/operator', session, seq: undefined, data: undefined, ...overrides });
}

export function position(seq: number, epoch = 0, session = 's1'): Position {
  return { session, epoch, seq };
}

export function from(...positions: Position[]): ReplayFrom {
  return { type: 'positions', positions };
}

export const ALL: ReplayFrom = { type: 'all' };

export async function replay(log: EventLog, start: ReplayFrom, upTo: number = log.mark(), hint?: ReplayHint): Promise<Replayed[]> {
  const steps: Replayed[] = [];
  for await (const chunk of log.replay(start, upTo, hint)) steps.push(...chunk);
  return steps;
}

/** A replay in short: `!s1 0:3` a marker, `s1 0:4` an Event, `/s1` the end of a session. */
export async function told(log: EventLog, start: ReplayFrom, upTo?: number, hint?: ReplayHint): Promise<string[]> {
  return (await replay(log, start, upTo, hint)).map(tell);
}

export function tell(step: Replayed): string {
  switch (step.type) {
    case 'event': {
      const { session = '-', epoch = 0, seq, type } = step.event.event;
      return `${session} ${seq === undefined ? type : `${epoch}:${seq}`}`;
    }
    case 'exhausted':
      return `!${step.session} ${step.epoch}:${step.seq}`;
    case 'session-end':
      return `/${step.session}${step.owed === true ? ' owed' : ''}`;
  }
}

export async function query(history: History, wanted?: EventQuery): Promise<StoredEvent[]> {
  const events: StoredEvent[] = [];
  for await (const event of history.events(wanted)) events.push(event);
  return events;
}
