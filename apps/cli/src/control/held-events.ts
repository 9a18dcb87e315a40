import { SseConsumer } from '@aepkit/binding-sse/client';
import type { JsonObject, WireEvent } from '@aepkit/envelope';

import { type Endpoint, notReached } from '../endpoint.js';
import { CliError, EXIT } from '../exit-code.js';

/** Gives everything that is held and matches a filter, and ends there. */
export async function* heldEvents(endpoint: Endpoint, filter: JsonObject): AsyncGenerator<WireEvent> {
  const consumer = new SseConsumer({
    url: new URL('stream', endpoint.url),
    ...(endpoint.token === undefined ? {} : { token: endpoint.token }),
    filter: JSON.stringify(filter),
    from: 'all',
    live: false,
  });
  for await (const item of consumer) {
    if (item.type === 'event') yield item.event;
    if (item.type === 'refused') throw new CliError(`${endpoint.url} refused: ${item.code}: ${item.detail}`, EXIT.refused);
    if (item.type === 'closed' && item.retryInMs !== undefined) {
      throw new CliError(item.reason === 'no-answer' ? notReached(endpoint.url, item.detail) : `${endpoint.url} did not give everything it holds`);
    }
  }
}
