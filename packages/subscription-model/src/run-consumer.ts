import type { SubscriptionConsumer } from './consumer.js';
import type { TextDuplex } from './duplex.js';

/**
 * Opens a session over a transport and serves it until the transport closes; then the consumer may be run again, over another one.
 * `send` of the consumer has to send over the same transport. Errors of the transport pass through, behind the end of the session.
 *
 * @example
 * for (;;) await runConsumer(consumer, (duplex = await connect()));
 */
export async function runConsumer(consumer: SubscriptionConsumer, duplex: TextDuplex): Promise<void> {
  try {
    consumer.open();
    for await (const input of duplex.incoming) {
      consumer.receive(input);
      if (consumer.state === 'closed' || consumer.state === 'error') break;
    }
  } finally {
    consumer.disconnected();
    duplex.close();
  }
}
