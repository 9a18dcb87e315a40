import type { Clock } from './clock.js';
import type { Deadline } from './deadlines.js';

/** Heartbeats that may be missing in a row (C2). */
const MISSED_HEARTBEATS = 3;

/** The heartbeat of one session (C2): sends, and notices when the peer is silent for three intervals. Any message is a sign of life. */
export class Heartbeat {
  readonly #clock: Clock;
  readonly #interval: number;
  readonly #beat: () => void;
  readonly #silent: () => void;
  #heard: number;
  #beating: Deadline | undefined;
  #watching: Deadline | undefined;

  /** Starts at once. */
  constructor(clock: Clock, intervalMs: number, beat: () => void, silent: () => void) {
    this.#clock = clock;
    this.#interval = intervalMs;
    this.#beat = beat;
    this.#silent = silent;
    this.#heard = clock.now();
    this.#plan();
    this.#watch();
  }

  heard(): void {
    this.#heard = this.#clock.now();
  }

  stop(): void {
    this.#clock.cancel(this.#beating);
    this.#clock.cancel(this.#watching);
  }

  #plan(): void {
    this.#beating = this.#clock.at(this.#clock.now() + this.#interval, () => {
      this.#plan();
      this.#beat();
    });
  }

  #watch(): void {
    const silentAt = this.#heard + this.#interval * MISSED_HEARTBEATS;
    this.#watching = this.#clock.at(silentAt, () => {
      if (this.#heard + this.#interval * MISSED_HEARTBEATS > this.#clock.now()) this.#watch();
      else this.#silent();
    });
  }
}
