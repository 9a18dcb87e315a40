import type { AepEvent } from '@aepkit/envelope';

/** Why a target declines, as its ack says (AEP-0004 §3). `timeout` is never among them. */
export type RejectReason = 'unsupported' | 'unauthorized' | 'busy' | 'refused' | 'invalid';

/** Every {@link RejectReason}. */
export const REJECT_REASONS: readonly RejectReason[] = Object.freeze(['unsupported', 'unauthorized', 'busy', 'refused', 'invalid']);

/**
 * What became of a command (AEP-0004 §3, §4.2).
 *
 * - `accepted`: the target is going to try. Nothing is done yet; that only a linked Event tells.
 * - `rejected`: the target is not. `reason` is missing where a ceiling on the way cut it off.
 * - `refused`: the endpoint handed it to nobody. `code` may be one that this version does not know.
 * - `timeout`: no ack within the window. Local; the command may still be executed.
 */
export type CommandOutcome =
  | { readonly type: 'accepted'; readonly ack: AepEvent }
  | { readonly type: 'rejected'; readonly reason: RejectReason | undefined; readonly detail?: string; readonly ack: AepEvent }
  | { readonly type: 'refused'; readonly code: string; readonly detail?: string }
  | { readonly type: 'timeout' };
