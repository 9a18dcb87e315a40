import { parseEvent, type Position, type WireEvent } from '@aepkit/envelope';
import type { Replayed, ReplayBuffer, ReplayFrom, ReplayHint } from '../src/index.js';

/** What a test wants to differ; `undefined` removes a member. */
export type Members = Readonly<Record<string, unknown>> & { readonly session?: string | undefined };

let made = 0;

/** A sequenced Event of session `s`, with a fresh id. `undefined` removes a member. */
export function wire(members: Members = {}): WireEvent {
  made += 1;
  const { session = 's' } = members;
  return parseEvent(
    JSON.stringify({ aep: '0.1', id: `e${made}`, type: 'tool.completed', time: '2026-01-01T00:00:00Z', source: `aep://h/${session}`, agent: 'a', session: 's', seq: 0, ...members }),
  );
}

/** A command about a session: no position, and a source of its own. */
export function command(members: Members = {}): WireEvent {
  return wire({ type: 'control.cancel', source: 'aep://h/console', seq: undefined, data: {}, ...members });
}

/** Admits Events of session `s` with these seqs. */
export function fill(buffer: ReplayBuffer, seqs: Iterable<number>, members: Members = {}): WireEvent[] {
  return [...seqs].map((seq) => {
    const event = wire({ seq, ...members });
    buffer.admit(event);
    return event;
  });
}

export function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

export function at(seq: number, session = 's', epoch = 0): { readonly positions: readonly Position[] } {
  return { positions: [{ session, epoch, seq }] };
}

/** One word per step: `id` or `epoch:seq` of an Event, `!session epoch:seq` of a marker, `.session` of an end, with `?` where
 * a marker is owed and `~` where it depends on what comes next. */
export function word(step: Replayed): string {
  switch (step.type) {
    case 'event': {
      const { event } = step.event;
      return event.seq === undefined ? event.id : `${event.epoch ?? 0}:${event.seq}`;
    }
    case 'exhausted':
      return `!${step.session} ${step.epoch}:${step.seq}`;
    case 'session-end':
      return `.${step.session}${step.owed === true ? (step.behind === undefined ? '?' : '~') : ''}`;
  }
}

export function steps(buffer: ReplayBuffer, from: ReplayFrom, upTo: number = buffer.order, hint?: ReplayHint): Replayed[] {
  // With the reading, which a stored Event makes when it is asked for.
  return [...buffer.replay(from, upTo, hint)].flat().map((step) => (step.type === 'event' ? { ...step, event: { event: step.event.event, json: step.event.json } } : step));
}

export function words(buffer: ReplayBuffer, from: ReplayFrom, upTo?: number, hint?: ReplayHint): string {
  return steps(buffer, from, upTo, hint).map(word).join(' ');
}

/** The same, with ids in the place of positions. */
export function ids(buffer: ReplayBuffer, from: ReplayFrom, upTo?: number): string[] {
  return steps(buffer, from, upTo).flatMap((step) => (step.type === 'event' ? step.event.event.id : []));
}
