/** Timers, as the client uses them. */
export interface ClientTimers {
  setTimeout(callback: () => void, ms: number): unknown;
  clearTimeout(timer: unknown): void;
}

/** The global timers. */
export const GLOBAL_TIMERS: ClientTimers = {
  setTimeout: (callback, ms) => setTimeout(callback, ms),
  clearTimeout: (timer) => {
    clearTimeout(timer as ReturnType<typeof setTimeout>);
  },
};

/** Longest span of a timer; anything above counts as no timer at all. */
export const LONGEST_TIMER_MS = 2_147_483_647;

/** A signal that fires with the caller's or when time is up. `close` when done with it. */
export interface Deadline {
  readonly signal: AbortSignal;
  close(): void;
}

/** Makes a {@link Deadline}. */
export function deadline(signal: AbortSignal | undefined, ms: number, timers: ClientTimers): Deadline {
  const controller = new AbortController();
  const abort = (): void => {
    controller.abort();
  };
  if (signal?.aborted === true) abort();
  signal?.addEventListener('abort', abort);
  const timer = ms > LONGEST_TIMER_MS ? undefined : timers.setTimeout(abort, ms);
  return {
    signal: controller.signal,
    close() {
      signal?.removeEventListener('abort', abort);
      if (timer !== undefined) timers.clearTimeout(timer);
    },
  };
}

/** Waits. `false`: the caller's signal fired first. */
export function pause(ms: number, signal: AbortSignal | undefined, timers: ClientTimers): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) {
      resolve(false);
      return;
    }
    const stop = (): void => {
      timers.clearTimeout(timer);
      resolve(false);
    };
    const timer = timers.setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve(true);
    }, Math.min(ms, LONGEST_TIMER_MS));
    signal?.addEventListener('abort', stop, { once: true });
  });
}
