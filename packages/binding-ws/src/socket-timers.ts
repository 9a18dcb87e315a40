/** The most that timers count; a longer wait would fire at once. */
const MAX_DELAY_MS = 2_147_483_647;

/** Timers, as the client uses them. */
export interface SocketTimers {
  setTimeout(callback: () => void, ms: number): unknown;
  clearTimeout(timer: unknown): void;
}

/** The global timers. */
export const globalTimers: SocketTimers = {
  setTimeout: (callback, ms) => setTimeout(callback, ms),
  clearTimeout: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
};

/** Calls back after `ms`, never where that is more than a timer counts. Returns what takes it back. */
export function after(timers: SocketTimers, ms: number, callback: () => void): () => void {
  if (ms > MAX_DELAY_MS) return () => undefined;
  const timer = timers.setTimeout(callback, ms);
  return () => timers.clearTimeout(timer);
}
