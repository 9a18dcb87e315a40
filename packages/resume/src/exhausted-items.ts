import type { Position } from '@aepkit/envelope';

import type { ExhaustedItem, GapItem } from './resume-item.js';

/**
 * The items for a marker that a position is older than what the endpoint holds (AEP-0003 §5): its own words, then the gap.
 * `asked` are the positions that the request named.
 */
export function exhaustedItems({ session, epoch, seq }: Position, asked: readonly Position[]): [ExhaustedItem, GapItem] {
  const from = asked.find((position) => position.session === session);
  const after = from === undefined ? {} : { after: { epoch: from.epoch, seq: from.seq } };
  return [
    { type: 'exhausted', session, epoch, seq },
    { type: 'gap', reason: 'exhausted', session, ...after, earliest: { epoch, seq } },
  ];
}
