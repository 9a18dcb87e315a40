import { Deadlines, type Deadline } from './deadlines.js';

/** Longest span of a timer; a later deadline is looked at again by then. */
const LONGEST_TIMER_MS = 2_147_483_647;

/** Timers that can be replaced in tests. */
export interface Timers {
  setTimeout(callback: () => void, delayMs: number): unknown;
  clearTimeout(id: never): void;
}

/** Runs callbacks at times of one clock with a single timer. Earliest first; a timer never keeps a process alive. */
export class Clock {
  readonly #deadlines = new Deadlines();
  readonly #now: () => number;
  readonly #timers: Timers;
  #timer: { readonly id: unknown; readonly at: number } | undefined;
  #running = false;
  #latest = -Infinity;
  #behind = 0;

  constructor(now: () => number, timers: Timers) {
    this.#now = now;
    this.#timers = timers;
  }

  /** Never falls: where the clock behind it is set back, it stands still and goes on from there, so that no span becomes longer. */
  now(): number {
    const now = this.#now();
    if (now + this.#behind < this.#latest) this.#behind = this.#latest - now;
    return (this.#latest = now + this.#behind);
  }

  /** How many callbacks wait. */
  get waiting(): number {
    return this.#deadlines.size;
  }

  /** Runs something at a time; `Infinity`: never. */
  at(time: number, run: () => void): Deadline | undefined {
    if (time === Infinity) return undefined;
    const deadline = this.#deadlines.add(time, run);
    this.#arm();
    return deadline;
  }

  /** Takes a callback back. */
  cancel(deadline: Deadline | undefined): void {
    this.#deadlines.remove(deadline);
    this.#arm();
  }

  /** Runs what is due by now: a timer may be late, and what an event finds expired must not wait for it. */
  catchUp(): void {
    if (this.#running) return;
    this.#running = true;
    try {
      for (let due = this.#deadlines.take(this.now()); due !== undefined; due = this.#deadlines.take(this.now())) due.run();
    } finally {
      this.#running = false;
      this.#arm();
    }
  }

  stop(): void {
    this.#deadlines.clear();
    this.#arm();
  }

  #arm(): void {
    const at = this.#deadlines.next;
    if (this.#running || this.#timer?.at === at) return;
    if (this.#timer !== undefined) this.#timers.clearTimeout(this.#timer.id as never);
    this.#timer = undefined;
    if (at === undefined) return;
    const id = this.#timers.setTimeout(
      () => {
        this.#timer = undefined;
        this.catchUp();
      },
      Math.min(Math.max(0, at - this.now()), LONGEST_TIMER_MS),
    );
    // Node alone has it.
    (id as { readonly unref?: () => void } | undefined)?.unref?.();
    this.#timer = { id, at };
  }
}

/** The timers of the runtime. */
export const systemTimers: Timers = {
  setTimeout: (callback, delayMs) => setTimeout(callback, delayMs),
  clearTimeout: (id) => clearTimeout(id),
};
