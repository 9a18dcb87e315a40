/** Timers, as both sides use them. */
export interface SseTimers {
  setTimeout(callback: () => void, ms: number): unknown;
  clearTimeout(timer: unknown): void;
}

/** The global timers. */
export const globalTimers: SseTimers = {
  setTimeout: (callback, ms) => setTimeout(callback, ms),
  clearTimeout: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
};

/** The global timers, keeping no process alive where the runtime can tell. */
export const backgroundTimers: SseTimers = {
  setTimeout: (callback, ms) => {
    const timer: unknown = setTimeout(callback, ms);
    if (typeof timer === 'object' && timer !== null && 'unref' in timer && typeof timer.unref === 'function') timer.unref();
    return timer;
  },
  clearTimeout: globalTimers.clearTimeout,
};
