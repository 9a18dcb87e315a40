import { SubscriptionConsumer, SubscriptionProducer, type ConsumerItem, type ProducerConnection } from '@aepkit/subscription-model';

const onItem = (item: ConsumerItem): void => {
  if (item.type === 'event') console.log(item.message.type, item.mode, item.cursor);
};
export const producer = new SubscriptionProducer({ source: 'memory:main' });
const consumer = new SubscriptionConsumer({ source: 'agent:researcher', send: (text) => connection.receive(text), onItem });
const connection: ProducerConnection = producer.connect({ transport: 'here', send: (text) => (consumer.receive(text), true) });
consumer.open();
consumer.subscribe({ types: ['memory.*'], delivery_mode: 'replayable' });
