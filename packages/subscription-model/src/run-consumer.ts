import type { SubscriptionConsumer } from './consumer.js';
import type { Incoming, TextDuplex } from './duplex.js';

/**
 * Opens a session over a transport and serves it until the transport closes or the session ends; then the consumer may be run again, over another one.
 * `send` of the consumer has to send over the same transport. Errors of the transport pass through, behind the end of the session.
 *
 * @example
 * for (;;) await runConsumer(consumer, (duplex = await connect()));
 */
export async function runConsumer(consumer: SubscriptionConsumer, duplex: TextDuplex): Promise<void> {
  consumer.open();
  // The session may end without a message: by a call, or because the peer is silent. One wait at a time: a race for each message
  // would leave something behind for each.
  const session = { over: false, stop: (): void => undefined };
  void consumer.whenOver().then(() => {
    session.over = true;
    session.stop();
  });
  const incoming = duplex.incoming[Symbol.asyncIterator]();
  try {
    while (!session.over) {
      const next = await new Promise<IteratorResult<Incoming> | undefined>((resolve, reject) => {
        session.stop = () => resolve(undefined);
        incoming.next().then(resolve, reject);
      });
      if (next === undefined || next.done === true) return;
      consumer.receive(next.value);
    }
  } finally {
    consumer.disconnected();
    duplex.close();
  }
}
