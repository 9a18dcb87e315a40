import type { TextDuplex } from './duplex.js';
import type { ConnectOptions } from './producer-connection.js';
import type { SubscriptionProducer } from './producer.js';

/**
 * Serves one transport until it closes. While it is full nothing is read from it, so that a peer that asks and does not listen
 * stops itself. Errors of the transport pass through, behind the end of its sessions.
 *
 * @example
 * server.on('connection', (socket) => runProducer(producer, webSocketDuplex(socket), { transport: 'websocket' }));
 */
export async function runProducer<I>(
  producer: SubscriptionProducer<I>,
  duplex: TextDuplex,
  options: Omit<ConnectOptions<I>, 'send' | 'close'>,
): Promise<void> {
  let draining: Promise<void> | undefined;
  const connection = producer.connect({
    ...options,
    send: (text) => {
      const free = duplex.send(text);
      if (!free) draining ??= waitForDrain();
      return free;
    },
    close: () => duplex.close(),
  });
  async function waitForDrain(): Promise<void> {
    try {
      await duplex.drained();
    } catch {
      // Closed for whoever reads as well, who then ends the sessions.
      duplex.close();
      connection.close();
    }
    draining = undefined;
    connection.drained();
  }
  try {
    for await (const input of duplex.incoming) {
      connection.receive(input);
      while (draining !== undefined) await draining;
      if (connection.closed) return;
    }
  } finally {
    connection.close();
    duplex.close();
  }
}
