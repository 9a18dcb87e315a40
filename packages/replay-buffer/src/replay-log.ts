import type { Chunk } from './chunk.js';
import { ReplayEvictedError } from './errors.js';
import type { Replayed } from './replayed.js';
import type { Store } from './store.js';

/**
 * Gives out in order of admission, from behind one order number to another. Every admitted Event has the next number, so
 * that one that is missing has been evicted.
 */
export function* replayLog(
  store: Store,
  after: number,
  upTo: number,
  sessions: ReadonlySet<string> | undefined,
  chunk: Chunk,
): Generator<readonly Replayed[], void, void> {
  let given = after;
  let lost = false;
  while (!lost && given < upTo) {
    const cursor = store.log.seek((event) => event.order <= given);
    while (!chunk.full && given < upTo) {
      const event = cursor.item;
      const order = event === undefined || event.order > upTo ? upTo + 1 : event.order;
      lost = order > given + 1 && isLost(store, given, sessions);
      if (lost) break;
      given = order;
      if (event === undefined || order > upTo) break;
      if (sessions === undefined || sessions.has(event.session)) chunk.add({ type: 'event', event: event.wire() });
      cursor.next();
    }
    if (!chunk.empty) yield chunk.take();
  }
  if (lost) throw new ReplayEvictedError();
}

/**
 * Whether a gap behind an order number concerns the wanted sessions. It may say so of a session that lost only Events
 * that this replay would not give out; never the other way round.
 */
function isLost(store: Store, given: number, sessions: ReadonlySet<string> | undefined): boolean {
  if (sessions === undefined) return true;
  for (const session of sessions) if (store.evictedOrder(session) > given) return true;
  return false;
}
