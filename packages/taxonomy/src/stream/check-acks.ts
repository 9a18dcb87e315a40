import { isCommand } from '@aepkit/envelope';

import { keyOf, quoted } from './keys.js';
import { find, type Finding, type Placed, type StreamState } from './stream-state.js';

/** Remembers a command by the bare id that its ack will name. */
export function noteCommand(state: StreamState, { event }: Finding): void {
  if (isCommand(event.type) && event.session !== undefined) state.commands.set(keyOf(keyOf(event.session), event.id), true);
}

/** One distinct ack per command and target; it names its command in `cause` (AEP-0004 §3). */
export function checkAck(state: StreamState, finding: Finding, place: Placed): void {
  const { event } = finding;
  if (event.type !== 'control.accepted' && event.type !== 'control.rejected') return;
  if (event.cause === undefined) {
    find(finding, 'missing-cause', 'does not name the command it answers', '$.cause');
    return;
  }
  const named = state.events.get(keyOf(event.source, event.cause));
  const command = state.commands.get(keyOf(place.nameKey, event.cause)) === true;
  if (!command && named?.nameKey === place.nameKey && !named.command) {
    find(finding, 'wrong-cause', `cause ${quoted(event.cause)} is an Event of type ${named.type}`, '$.cause');
    return;
  }
  const key = keyOf(event.source, event.cause);
  if (state.acks.get(key) === true) find(finding, 'second-ack', `command ${quoted(event.cause)} has another ack`, '$.cause');
  state.acks.set(key, true);
}
