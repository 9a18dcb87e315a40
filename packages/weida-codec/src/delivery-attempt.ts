import { type DataFrame } from './data-frame.js';

/**
 * Whether a queue has handed the message out before, so that it may be a duplicate (weida §6.2). It says nothing else: no
 * earlier delivery need have failed.
 */
export function mayBeDuplicate(frame: Pick<DataFrame, 'deliveryAttempt'>): boolean {
  return (frame.deliveryAttempt ?? 1) > 1;
}
