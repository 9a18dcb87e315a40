/** A clock and timers that move only when a test says so. */
export interface ManualClock {
  /** Milliseconds since the epoch of this clock. */
  now(): number;
  setTimeout(callback: () => void, delayMs: number): number;
  clearTimeout(id: number | undefined): void;
  setInterval(callback: () => void, everyMs: number): number;
  clearInterval(id: number | undefined): void;
  /** Moves time and runs what falls due, earliest first; microtasks run in between. */
  advance(ms: number): Promise<void>;
  /** Timers that wait. A test that closes everything asserts 0. */
  pending(): number;
}

interface Timer {
  due: number;
  every: number | undefined;
  run: () => void;
}

/** Makes a {@link ManualClock}. */
export function manualClock(startMs: number = Date.UTC(2026, 0, 1)): ManualClock {
  let now = startMs;
  let nextId = 1;
  const timers = new Map<number, Timer>();
  const add = (run: () => void, delay: number, every?: number): number => {
    const id = nextId++;
    timers.set(id, { due: now + Math.max(0, delay), every, run });
    return id;
  };
  const remove = (id: number | undefined): void => {
    if (id !== undefined) timers.delete(id);
  };
  const earliest = (limit: number): [number, Timer] | undefined => {
    let found: [number, Timer] | undefined;
    for (const entry of timers) {
      if (entry[1].due <= limit && (found === undefined || entry[1].due < found[1].due)) found = entry;
    }
    return found;
  };
  return {
    now: () => now,
    setTimeout: (callback, delayMs) => add(callback, delayMs),
    clearTimeout: remove,
    setInterval: (callback, everyMs) => add(callback, everyMs, Math.max(1, everyMs)),
    clearInterval: remove,
    pending: () => timers.size,
    async advance(ms) {
      const target = now + ms;
      await turn();
      for (let next = earliest(target); next !== undefined; next = earliest(target)) {
        const [id, timer] = next;
        now = Math.max(now, timer.due);
        if (timer.every === undefined) timers.delete(id);
        else timer.due += timer.every;
        timer.run();
        await turn();
      }
      now = target;
    },
  };
}

/** Lets everything that is already queued run: microtasks, I/O callbacks and immediates of this turn. */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
