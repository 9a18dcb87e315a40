import { epochOf } from './position.js';
import type { WireEvent } from './wire-event.js';

/**
 * What an endpoint reads of every Event that it passes on: its type, and who numbered it where. A store that keeps these beside the
 * text spares a replay the parsing.
 */
export interface EventHead {
  readonly type: string;
  readonly source: string;
  /** Absent on agent-scoped Events. */
  readonly session: string | undefined;
  /** 0 where the Event has none. */
  readonly epoch: number;
  /** Absent on Events that take no place in the order of their session (AEP-0001 §5.2). */
  readonly seq: number | undefined;
}

/** The head of an Event: the one it brings along, else what its attributes say. Reads own properties only. */
export function headOf(wire: WireEvent): EventHead {
  if (wire.head !== undefined) return wire.head;
  const { event } = wire;
  const session = Object.hasOwn(event, 'session') ? event.session : undefined;
  const seq = Object.hasOwn(event, 'seq') ? event.seq : undefined;
  // JSON can spell zero as -0; a position must not tell the two apart.
  return { type: event.type, source: event.source, session, epoch: epochOf(event) + 0, seq: seq === undefined ? undefined : seq + 0 };
}
