import { dedupeKey, type AepEvent } from '@aepkit/envelope';

import { isControlType } from './control-type.js';
import { MESSAGE_VERSION, type Message } from './message.js';

const TYPE = /^[a-z][a-z0-9]*(?:\.[a-z][a-z0-9_]*)+$/;

/**
 * An Event of AEP-0001 as a message of this draft; `undefined` for a type that has no spelling here (vendor tokens with a hyphen).
 *
 * `data` becomes `payload`, `time` `created_at`, `session` `session_id`, `run` `task_id` and `cause` `causation_id`; `id` carries
 * the source, since ids of Events are unique within one source only and consumers here compare nothing else (C4). Types of the
 * control families get `agent.` in front: `session.started` is `agent.session.started` (S-O29).
 */
export function messageOfEvent(event: AepEvent): Message | undefined {
  const type = isControlType(event.type) ? `agent.${event.type}` : event.type;
  if (!TYPE.test(type)) return undefined;
  return {
    aep_version: MESSAGE_VERSION,
    id: dedupeKey(event),
    type,
    source: event.source,
    created_at: event.time,
    payload: event.data ?? {},
    ...(event.session === undefined ? {} : { session_id: event.session }),
    ...(event.run === undefined ? {} : { task_id: event.run }),
    ...(event.cause === undefined ? {} : { causation_id: event.cause }),
  };
}
