// Runs in a page: see packaging/README.md.
import { SseConsumer } from '@aepkit/binding-sse/client';

export const expected = { all: ['open', 'é0', 'é1', 'é2', 'closed'], resumed: ['open', 'é2', 'closed'] };

export async function run({ url }) {
  const read = async (options) => {
    const seen = [];
    for await (const item of new SseConsumer({ url: `${url}/stream`, live: false, ...options })) seen.push(item.type === 'event' ? item.event.event.id : item.type);
    return seen;
  };
  return { all: await read({ from: 'all' }), resumed: await read({ filter: { session: 's' }, from: [{ session: 's', epoch: 0, seq: 1 }] }) };
}
