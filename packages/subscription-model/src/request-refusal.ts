import type { ConnectionCore } from './connection-core.js';
import type { Filter } from './filter.js';
import type { ProducerCore } from './producer-core.js';
import { wireError, type WireError } from './wire-error.js';

/** Why a filter that can be read gets no subscription: limits (S-O33), its identity (C7), or a cursor where there are none (§5). */
export function refusalOf(
  filter: Filter,
  { settings, index, opening }: ProducerCore,
  connection: ConnectionCore,
  session: { readonly id: string; readonly count: number },
): WireError | undefined {
  if (
    session.count >= settings.maxSubscriptionsPerSession ||
    index.size + opening.count >= settings.maxSubscriptions ||
    connection.filterBytes + filter.bytes > settings.maxFilterBytesPerConnection
  ) {
    return wireError('subscription_rejected', 'too many subscriptions', { reason: 'limit' });
  }
  const allowed = settings.authorize(filter, { identity: connection.identity, sessionId: session.id });
  if (allowed !== true) return wireError('unauthorized', allowed === false ? 'the filter exceeds what may be seen' : allowed);
  if (filter.fromCursor === undefined || connection.replay) return undefined;
  return wireError('subscription_rejected', 'replay not supported', { reason: 'replay not supported' });
}
