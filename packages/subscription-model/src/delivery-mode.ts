/** How an event is delivered (§4), from the weakest promise to the strongest. */
export type DeliveryMode = 'best_effort' | 'at_least_once' | 'replayable';

/** Every {@link DeliveryMode}, weakest first. */
export const DELIVERY_MODES: readonly DeliveryMode[] = Object.freeze(['best_effort', 'at_least_once', 'replayable'] as const);

/** The mode of a request that names none: `best_effort` (§4, S-O12). */
export const DEFAULT_DELIVERY_MODE: DeliveryMode = 'best_effort';

/** Whether a value is the name of a mode; letter case counts. */
export function isDeliveryMode(value: unknown): value is DeliveryMode {
  return (DELIVERY_MODES as readonly unknown[]).includes(value);
}

/** Negative when `a` promises less than `b`, 0 when they are the same. */
export function compareDeliveryModes(a: DeliveryMode, b: DeliveryMode): number {
  return DELIVERY_MODES.indexOf(a) - DELIVERY_MODES.indexOf(b);
}

/** The mode in force where one was asked for: the strongest supported one that is not stronger (§4); `best_effort` always is. */
export function effectiveMode(requested: DeliveryMode, supported: readonly DeliveryMode[]): DeliveryMode {
  const fitting = supported.filter((mode) => compareDeliveryModes(mode, requested) <= 0);
  return fitting.toSorted(compareDeliveryModes).at(-1) ?? 'best_effort';
}

/** The mode that promises most; one has to be there. */
export function strongestMode(modes: readonly DeliveryMode[]): DeliveryMode {
  return modes.reduce((a, b) => (compareDeliveryModes(a, b) < 0 ? b : a));
}
