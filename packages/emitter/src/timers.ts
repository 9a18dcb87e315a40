/** The timers an emitter uses. */
export interface EmitterTimers {
  setTimeout(callback: () => void, delayMs: number): unknown;
  clearTimeout(id: unknown): void;
}

export const GLOBAL_TIMERS: EmitterTimers = {
  setTimeout: (callback, delayMs) => globalThis.setTimeout(callback, delayMs),
  clearTimeout: (id) => {
    globalThis.clearTimeout(id as Parameters<typeof globalThis.clearTimeout>[0]);
  },
};

/** Longest delay that timers take; a longer one would fire at once. */
export const LONGEST_TIMER_MS = 2_147_483_647;

/** A timer that does not keep the observed program from ending, where the platform can say so. */
export function idleTimer(timers: EmitterTimers, callback: () => void, delayMs: number): unknown {
  const id = timers.setTimeout(callback, Math.min(delayMs, LONGEST_TIMER_MS));
  if (typeof id === 'object' && id !== null && 'unref' in id && typeof id.unref === 'function') (id.unref as () => void)();
  return id;
}
