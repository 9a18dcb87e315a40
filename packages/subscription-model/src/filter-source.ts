import type { JsonValue } from '@aepkit/envelope';

import type { DeliveryMode } from './delivery-mode.js';

/** Fields of a filter that are compared with the field of the same name of the envelope (§2); `types` with `type`. */
export type FilterField = 'types' | 'source' | 'target' | 'topic' | 'session_id' | 'conversation_id' | 'task_id';

/** Every {@link FilterField}, in the order of §2. */
export const FILTER_FIELDS: readonly FilterField[] = Object.freeze([
  'types',
  'source',
  'target',
  'topic',
  'session_id',
  'conversation_id',
  'task_id',
] as const);

/** The fields of which a request needs one at least (§2.2). */
export const CRITERIA: readonly FilterField[] = Object.freeze(['types', 'source', 'target', 'topic'] as const);

/** A filter as it is written: the payload of `subscription.requested` (§2, §3.1). */
export interface FilterSource {
  readonly types?: string | readonly string[];
  readonly source?: string | readonly string[];
  readonly target?: string | readonly string[];
  readonly topic?: string | readonly string[];
  readonly session_id?: string | readonly string[];
  readonly conversation_id?: string | readonly string[];
  readonly task_id?: string | readonly string[];
  /** Where replay begins: behind this position (§5, S-O15). Opaque. */
  readonly from_cursor?: string;
  /** The mode that is asked for (§4). */
  readonly delivery_mode?: DeliveryMode;
  /** Other fields are kept and ignored (S-O10). */
  readonly [other: string]: JsonValue | readonly string[] | undefined;
}
