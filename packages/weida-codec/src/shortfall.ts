import { type GuaranteeDimension, type GuaranteeSet } from './guarantee-set.js';

/**
 * The first dimension in which `effective` does not reach `required`; an absent dimension stands at core (weida §2.3
 * step 6). A durability or a number of replicas that only one side declared is no agreement: the caller leaves it out.
 */
export function shortfall(effective: GuaranteeSet, required: GuaranteeSet): GuaranteeDimension | undefined {
  if ((effective.delivery ?? 0) < (required.delivery ?? 0)) return 'delivery';
  if ((effective.acknowledgement ?? 1) < (required.acknowledgement ?? 1)) return 'acknowledgement';
  if (required.durability !== undefined && (effective.durability ?? -1) < required.durability) return 'durability';
  if (required.replicas !== undefined && (effective.replicas ?? 0) < required.replicas) return 'replicas';
  if ((effective.ordering ?? 0) < (required.ordering ?? 0)) return 'ordering';
  if ((effective.deduplication ?? 0) < (required.deduplication ?? 0)) return 'deduplication';
  // Durable has no window, which is longer than any.
  if (required.dedupWindowMs !== undefined && (effective.dedupWindowMs ?? Infinity) < required.dedupWindowMs) return 'dedupWindowMs';
  if ((effective.backpressure ?? 0) !== (required.backpressure ?? 0)) return 'backpressure';
  if ((effective.producerNaming ?? 0) !== (required.producerNaming ?? 0)) return 'producerNaming';
  if ((effective.controlIsolated ?? 0) < (required.controlIsolated ?? 0)) return 'controlIsolated';
  return undefined;
}
