import { MAX_DELAY_MS, type SseTimers } from './timers.js';

/** Calls back after `ms`, never where that is more than a timer counts. Returns what takes it back. */
export function after(timers: SseTimers, ms: number, callback: () => void): () => void {
  if (ms > MAX_DELAY_MS) return () => undefined;
  const timer = timers.setTimeout(callback, ms);
  return () => timers.clearTimeout(timer);
}

/** Waits `ms`, or until the signal. */
export function delay(timers: SseTimers, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const done = (): void => {
      cancel();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const cancel = after(timers, ms, done);
    signal.addEventListener('abort', done);
  });
}
