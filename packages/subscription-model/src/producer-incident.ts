import type { Message } from './message.js';
import type { WireError } from './wire-error.js';

/** What an operator of a producer may want to know. */
export type ProducerIncident =
  /** A best-effort event was not delivered, since its consumer does not read fast enough. */
  | { readonly type: 'dropped'; readonly sessionId: string; readonly message: Message }
  /** The event was refused or not acknowledged in time, and will not be delivered again (C5). */
  | {
      readonly type: 'dead-letter';
      readonly sessionId: string;
      readonly subscriptionId: string;
      readonly message: Message;
      readonly attempts: number;
      readonly error: WireError;
    }
  /** The subscription was ended because the stream no longer holds what it was still to get. */
  | { readonly type: 'events-lost'; readonly sessionId: string; readonly subscriptionId: string }
  /** A peer asked more than it read; its connection was given up. */
  | { readonly type: 'overloaded' }
  /** Sending over a connection threw, or `visible` did on its behalf; it was given up. */
  | { readonly type: 'connection-failed'; readonly error: unknown }
  /** Reading the stream failed. */
  | { readonly type: 'stream-failed'; readonly sessionId: string; readonly error: unknown };
