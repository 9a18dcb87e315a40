import type { DeliveredPosition } from '@aepkit/hub';

import { encodeFrame } from './encode-frame.js';

/** UTF-16 units of positions in one `closing`: the consumer's own are the authority (AEP-0003 §3.5). */
const MAX_DELIVERED_LENGTH = 64 * 1024;

/** The text of a `closing` frame, with as many of the positions as fit, in the order given: the latest session first. */
export function closingText(reason: string, delivered: readonly DeliveredPosition[]): string {
  const listed: DeliveredPosition[] = [];
  let length = 0;
  for (const { sub, session, epoch, seq } of delivered) {
    const position = { sub, session, epoch, seq };
    length += JSON.stringify(position).length + 1;
    if (length > MAX_DELIVERED_LENGTH) break;
    listed.push(position);
  }
  return encodeFrame({ type: 'closing', reason, delivered: listed });
}
