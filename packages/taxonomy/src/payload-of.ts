import type { AepEvent } from '@aepkit/envelope';

import type { PayloadOf, PayloadType } from './generated/payloads.js';
import { validatePayload } from './validate-payload.js';

/**
 * The payload of an Event of one type, typed; `undefined` for another type, without `data`, and where `data` does not
 * follow its schema. Members that a vendor added are there as well, untyped.
 *
 * @example
 * const tool = payloadOf(event, 'tool.failed')?.tool.name;
 */
export function payloadOf<Type extends PayloadType>(event: AepEvent, type: Type): PayloadOf<Type> | undefined {
  if (event.type !== type || !Object.hasOwn(event, 'data') || validatePayload(event, { maxIssues: 1 }).length > 0) return undefined;
  return event.data as PayloadOf<Type> | undefined;
}
