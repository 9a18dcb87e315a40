import type { JsonObject, JsonValue } from '@aepkit/envelope';

import type { DeliveryMode } from './delivery-mode.js';

/** The value of `aep_version` in every message of this draft (C1). */
export const MESSAGE_VERSION = '0.1';

/** `delivery` of a message (C1). Other members, such as `retry`, are kept. */
export interface Delivery {
  /** The mode in force for this delivery (§4). */
  readonly mode?: DeliveryMode;
  /** Place in the producer's stream, from 0; a gap is what the filter left out, or a loss. */
  readonly sequence?: number;
  /** Opaque position behind this event (§5). */
  readonly cursor?: string;
  readonly [other: string]: JsonValue | undefined;
}

/** One message of the draft with `aep_version` (C1): not an Event of `@aepkit/envelope`. */
export interface Message {
  readonly aep_version: typeof MESSAGE_VERSION;
  readonly id: string;
  readonly type: string;
  readonly source: string;
  /** RFC 3339. */
  readonly created_at: string;
  readonly payload: JsonValue;
  readonly target?: string;
  readonly topic?: string;
  readonly session_id?: string;
  readonly conversation_id?: string;
  readonly task_id?: string;
  readonly correlation_id?: string;
  readonly causation_id?: string;
  readonly expires_at?: string | null;
  readonly delivery?: Delivery;
  readonly payload_schema?: string;
  /** Unknown fields are permitted (C1). */
  readonly [other: string]: JsonValue | JsonObject | Delivery | undefined;
}

/** The fields of a message that filters look at (§2). */
export type Routable = Readonly<Pick<Message, 'type' | 'source'>> &
  Readonly<Pick<Message, 'target' | 'topic' | 'session_id' | 'conversation_id' | 'task_id'>>;
