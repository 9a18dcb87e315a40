import type { WebSocketBinding } from '@aepkit/binding-ws/server';
import type { Hub } from '@aepkit/hub';

import type { Listening } from './listen.js';

/** What {@link shutDown} ends. */
export interface ShutDownParts {
  readonly listening: Pick<Listening, 'drain' | 'destroy'>;
  readonly hub: Pick<Hub, 'close'>;
  readonly socket: Pick<WebSocketBinding, 'close'>;
  /** What comes behind the last commit: the file of the history. */
  readonly finish?: () => Promise<void>;
  /** Longest wait for connections to go, in milliseconds. */
  readonly graceMs: number;
}

/** Ends an endpoint: consumers are told first, then what was accepted is committed, then the rest is closed. */
export async function shutDown({ listening, hub, socket, finish, graceMs }: ShutDownParts): Promise<void> {
  const drained = listening.drain();
  await hub.close('shutdown');
  const closed = socket.close();
  await finish?.();
  const timer = setTimeout(() => {
    listening.destroy();
  }, graceMs);
  await Promise.all([drained, closed]);
  clearTimeout(timer);
}
