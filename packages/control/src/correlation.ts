import { type AepEvent, dedupeKey, isCommand } from '@aepkit/envelope';

import { BoundedMap } from './bounded-map.js';
import { boundOf, DEFAULT_MAX_COMMANDS, DEFAULT_MAX_CONNECTION_LENGTH } from './options.js';

/** How an Event belongs to a command (AEP-0004 §6). */
export interface Link {
  /** `id` of the command. */
  readonly command: string;
  /** `ack`: says whether the target tries. `outcome`: tells what came of it. */
  readonly role: 'ack' | 'outcome';
  /** What the Event names as its cause: the command, its ack, or the `attention.answered` of it. */
  readonly via: 'command' | 'ack' | 'answered';
}

/** Options of {@link createCorrelation}. */
export interface CorrelationOptions {
  /** Commands, and Events between them and their outcomes; the oldest are forgotten. Default {@link DEFAULT_MAX_COMMANDS}. */
  readonly maxCommands?: number;
}

/** Relates acks and outcomes to commands. */
export interface Correlation {
  /** Takes an Event of a stream, commands among them; tells to which earlier command it belongs. */
  push(event: AepEvent): Link | undefined;
}

/**
 * Makes a memory of commands that relates acks and outcomes to them: by the `id` of the command, through one hop by that of
 * its ack, and `attention.resolved` through its `attention.answered` too. All within the addressed session (AEP-0004 §6).
 *
 * @example
 * const correlation = createCorrelation();
 * for await (const event of stream) if (correlation.push(event)?.role === 'outcome') show(event);
 */
export function createCorrelation(options: CorrelationOptions = {}): Correlation {
  const limits = { maxEntries: boundOf('maxCommands', options.maxCommands, DEFAULT_MAX_COMMANDS), maxLength: DEFAULT_MAX_CONNECTION_LENGTH };
  const commands = new BoundedMap<string>(limits);
  const hops = new BoundedMap<{ readonly command: string; readonly via: 'ack' | 'answered' }>(limits);

  return {
    push(event) {
      const { type, session, id, cause } = event;
      if (session === undefined) return undefined;
      if (isCommand(type)) commands.set(keyOf(session, id), id, id.length);
      if (cause === undefined) return undefined;
      const key = keyOf(session, cause);
      const command = commands.get(key);
      if (isAck(type)) {
        if (command === undefined) return undefined;
        hops.set(keyOf(session, id), { command, via: 'ack' }, command.length);
        return { command, role: 'ack', via: 'command' };
      }
      if (isCommand(type)) return undefined;
      const hop = hops.get(key);
      const found = command === undefined ? hop : { command, via: 'command' as const };
      // The hop through an answer leads to the end of its request and nowhere else.
      if (found === undefined || (found.via === 'answered' && type !== 'attention.resolved')) return undefined;
      if (type === 'attention.answered') hops.set(keyOf(session, id), { command: found.command, via: 'answered' }, found.command.length);
      return { command: found.command, role: 'outcome', via: found.via };
    },
  };
}

/** Whether Events of this type are acks (AEP-0004 §3). */
export function isAck(type: string): boolean {
  return type === 'control.accepted' || type === 'control.rejected';
}

function keyOf(session: string, id: string): string {
  return dedupeKey({ source: session, id });
}
