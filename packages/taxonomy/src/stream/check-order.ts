import { keyOf } from './keys.js';
import { find, sessionOf, type Finding, type Placed, type StreamState } from './stream-state.js';

/** Positions of one session: `(epoch, seq)` rises and is never given twice (AEP-0001 §7.1, §7.4). */
export function checkOrder(state: StreamState, finding: Finding, place: Placed): void {
  const { sessionKey, epoch, seq } = place;
  const session = sessionOf(state, place);
  const above = epoch > session.epoch || (epoch === session.epoch && seq > session.seq);
  if (state.options.order === 'arrival') {
    const key = keyOf(sessionKey, String(epoch), String(seq));
    if (state.positions.get(key) === true) find(finding, 'position-taken', `another Event holds epoch ${epoch}, seq ${seq}`, '$.seq');
    state.positions.set(key, true);
  } else if (epoch < session.epoch) {
    find(finding, 'epoch-return', `epoch ${epoch} after epoch ${session.epoch}`, '$.epoch');
  } else if (!above) {
    const code = seq === session.seq ? 'position-taken' : 'position-not-increasing';
    find(finding, code, code === 'position-taken' ? `another Event holds epoch ${epoch}, seq ${seq}` : `seq ${seq} after ${session.seq}`, '$.seq');
  }
  if (above) {
    session.epoch = epoch;
    session.seq = seq;
  }
}
