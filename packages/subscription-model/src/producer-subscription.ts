import type { Deadline } from './deadlines.js';
import type { DeliveryMode } from './delivery-mode.js';
import type { Filter } from './filter.js';
import type { ProducerSession } from './producer-session.js';
import type { IndexEntry } from './subscription-index.js';

/** A subscription as its producer keeps it (§3, C5). */
export interface ActiveSubscription {
  readonly id: string;
  readonly filter: Filter;
  /** The mode in force (§4). */
  readonly mode: DeliveryMode;
  readonly session: ProducerSession;
  readonly expiresAt: number;
  /** Events at or before this place of the stream are not delivered live: they were there before, or are replayed. */
  from: number;
  /** While it has not reached the head of the stream, best effort is paced like the other modes instead of dropped. */
  catchingUp: boolean;
  live: boolean;
  indexed: IndexEntry<ActiveSubscription> | undefined;
  expiry: Deadline | undefined;
  lastSequence: number | undefined;
  /** Cursor behind the last event that was acknowledged with everything before it (C4). */
  acknowledgedCursor: string | undefined;
}

/** What a producer tells of one subscription. */
export interface SubscriptionFacts {
  readonly sessionId: string;
  readonly subscriptionId: string;
  readonly filter: Filter['source'];
  /** The mode in force (§4). */
  readonly mode: DeliveryMode;
  /** Milliseconds since 1970; `Infinity` for no expiry. */
  readonly expiresAt: number;
  /** `delivery.sequence` of the last event delivered for it. */
  readonly lastSequence: number | undefined;
  /** Cursor behind the last event that was acknowledged with everything before it (C4). */
  readonly acknowledgedCursor: string | undefined;
  /** Events that wait for an acknowledgement. */
  readonly pending: number;
}
