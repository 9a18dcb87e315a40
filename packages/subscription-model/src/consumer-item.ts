import type { JsonValue } from '@aepkit/envelope';

import type { ConsumerSubscription } from './consumer-subscription.js';
import type { DeliveryMode } from './delivery-mode.js';
import type { MessageError } from './errors.js';
import type { Message } from './message.js';
import type { WireError } from './wire-error.js';

/** An event to process. In a mode above `best_effort` it counts as processed when `processed` says so. */
export interface EventItem {
  readonly type: 'event';
  readonly message: Message;
  /** The message as it came. Numbers beyond 2^53 are exact in here alone: `parseJson` of `@aepkit/envelope` reads them as bigints. */
  readonly text: string;
  /** The active subscriptions whose filters it matches: the wire does not name them (S-O25). */
  readonly subscriptions: readonly ConsumerSubscription[];
  /** The mode in force (§4). */
  readonly mode: DeliveryMode;
  /** Opaque position behind the event (§5), where the transport has any. */
  readonly cursor: string | undefined;
}

/** Something that happened at a consumer. */
export type ConsumerItem =
  | EventItem
  /** The session is usable (C2). */
  | { readonly type: 'ready'; readonly sessionId: string; readonly capabilities: JsonValue }
  /** `resumed`: asked again behind a reconnect. `gap`: without a cursor, so that events in between are missing. */
  | { readonly type: 'created'; readonly subscription: ConsumerSubscription; readonly resumed: boolean; readonly gap: boolean }
  | { readonly type: 'rejected'; readonly subscription: ConsumerSubscription; readonly error: WireError; readonly resumed: boolean }
  /** The producer confirmed a cancellation. */
  | { readonly type: 'cancelled'; readonly subscription: ConsumerSubscription }
  /** `reason`: what our producer says where it is not time. */
  | { readonly type: 'expired'; readonly subscription: ConsumerSubscription; readonly reason: string | undefined }
  /** An event that was given out before; acknowledged again once it is processed (C4). */
  | { readonly type: 'duplicate'; readonly message: Message }
  /** An event for no active subscription: it was under way when one ended (§3.4, §3.5). Acknowledged, not processed. */
  | { readonly type: 'late'; readonly message: Message }
  /** An event beyond `maxPending`: not given out, not acknowledged, to be delivered again. */
  | { readonly type: 'postponed'; readonly message: Message }
  /** The replay has caught up (C4). */
  | { readonly type: 'replayed'; readonly fromCursor: string | undefined; readonly toCursor: string | undefined; readonly count: number | undefined }
  /** An event is about to come again (C4). */
  | { readonly type: 'redelivered'; readonly eventId: string; readonly attempt: number | undefined }
  /** The producer gave an event up (C5). */
  | { readonly type: 'dead-letter'; readonly eventId: string; readonly subscription: ConsumerSubscription | undefined; readonly error: WireError }
  /** The producer refused a message of ours. */
  | { readonly type: 'refused'; readonly messageId: string | undefined; readonly error: WireError }
  /** The session is over, and every subscription in it (§6). `open` asks for them again. */
  | { readonly type: 'session-ended'; readonly state: 'closed' | 'error'; readonly reason: string | undefined; readonly error: WireError | undefined }
  /** A control message that has no place here, or not now. */
  | { readonly type: 'ignored'; readonly message: Message }
  /** What came is not a message. */
  | { readonly type: 'bad'; readonly error: MessageError | undefined; readonly detail: string };
