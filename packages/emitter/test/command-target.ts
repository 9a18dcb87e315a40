import type { AepEvent, WireEvent } from '@aepkit/envelope';
import { buildWire, turn } from '@aepkit/testkit';

import { createEmitter, memoryTransport, type CommandHandler, type Emitter, type EmitterOptions, type Session, type Trouble, type TransportPeer } from '../src/index.js';

export const ACCEPTS = ['control.cancel', 'control.pause', 'control.attention.respond', 'x.acme.control.reboot'];

/** An emitter with a session, and what the test needs to command it. */
export interface Target {
  readonly emitter: Emitter;
  readonly session: Session;
  readonly peer: TransportPeer;
  readonly troubles: readonly Trouble[];
  readonly wires: readonly WireEvent[];
  command(overrides?: Record<string, unknown>): WireEvent;
  deliver(...commands: readonly WireEvent[]): Promise<void>;
  events(): AepEvent[];
}

/** An emitter whose transport hands it commands when the test says so. */
export async function target(onCommand: CommandHandler, options: Partial<EmitterOptions> = {}, name?: string): Promise<Target> {
  const memory = memoryTransport();
  let peer: TransportPeer | undefined;
  const transport = { ...memory, send: memory.send.bind(memory), attach: (given: TransportPeer) => void (peer = given) };
  const troubles: Trouble[] = [];
  const emitter = createEmitter({ agent: 'agent', host: 'host', transport, batchDelayMs: 0, accepts: ACCEPTS, onCommand, onTrouble: (trouble) => troubles.push(trouble), ...options });
  const session = await emitter.session(name);
  const command = (overrides: Record<string, unknown> = {}): WireEvent =>
    buildWire({ type: 'control.pause', seq: undefined, data: undefined, agent: 'human', source: 'x:human', session: session.name, id: 'c1', ...overrides });
  const deliver = async (...commands: readonly WireEvent[]): Promise<void> => {
    for (const each of commands) peer!.onCommand!(each);
    await turn();
    await emitter.flush();
  };
  return { emitter, session, peer: peer!, troubles, command, deliver, wires: memory.events, events: () => memory.events.map(({ event }) => event) };
}

/** The acks among Events. */
export const acks = (events: readonly AepEvent[]): AepEvent[] => events.filter(({ type }) => type === 'control.accepted' || type === 'control.rejected');
