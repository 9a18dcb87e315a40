import type { SubscriptionConsumer } from './consumer.js';
import type { TextDuplex } from './duplex.js';

/**
 * Opens a session over a transport and serves it until the transport closes or the session ends; then the consumer may be run again, over another one.
 * `send` of the consumer has to send over the same transport. Errors of the transport pass through, behind the end of the session.
 *
 * @example
 * for (;;) await runConsumer(consumer, (duplex = await connect()));
 */
export async function runConsumer(consumer: SubscriptionConsumer, duplex: TextDuplex): Promise<void> {
  consumer.open();
  const over = consumer.whenOver().then(() => undefined);
  const incoming = duplex.incoming[Symbol.asyncIterator]();
  try {
    for (;;) {
      // The session may end without a message: by a call, or because the peer is silent.
      const next = await Promise.race([incoming.next(), over]);
      if (next === undefined || next.done === true) return;
      consumer.receive(next.value);
    }
  } finally {
    consumer.disconnected();
    duplex.close();
  }
}
