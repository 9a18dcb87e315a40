import type { Clock } from './clock.js';
import type { Message } from './message.js';
import type { DeliveryEncoder, Outgoing } from './outgoing.js';
import type { ProducerSettings } from './producer-options.js';
import type { ActiveSubscription } from './producer-subscription.js';
import type { SubscriptionIndex } from './subscription-index.js';

/** What the parts of one producer share. */
export interface ProducerCore {
  readonly settings: ProducerSettings;
  readonly clock: Clock;
  readonly index: SubscriptionIndex<ActiveSubscription>;
  readonly encoder: DeliveryEncoder;
  readonly make: (outgoing: Outgoing) => Message;
  /** Requests whose cursors are being opened. */
  readonly opening: { count: number };
  readonly counts: { dropped: number; deadLettered: number; ignored: number };
}
