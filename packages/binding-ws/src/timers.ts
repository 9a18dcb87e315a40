/** The most that timers count; a longer wait would fire at once. */
export const MAX_DELAY_MS = 2_147_483_647;

/** Timers, as both sides use them. */
export interface WsTimers {
  setTimeout(callback: () => void, ms: number): unknown;
  clearTimeout(timer: unknown): void;
}

/** The global timers. */
export const globalTimers: WsTimers = {
  setTimeout: (callback, ms) => setTimeout(callback, ms),
  clearTimeout: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
};

/** The global timers, keeping no process alive where the runtime can tell. */
export const backgroundTimers: WsTimers = {
  setTimeout: (callback, ms) => {
    const timer: { unref?: () => unknown } | number = setTimeout(callback, ms);
    if (typeof timer === 'object') timer.unref?.();
    return timer;
  },
  clearTimeout: (timer) => globalTimers.clearTimeout(timer),
};
