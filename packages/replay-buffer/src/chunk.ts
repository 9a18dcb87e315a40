import type { Replayed } from './replayed.js';

/** Gathers steps until there are enough to give out. */
export class Chunk {
  readonly #enough: number;
  #steps: Replayed[] = [];

  constructor(enough: number) {
    this.#enough = enough;
  }

  get full(): boolean {
    return this.#steps.length >= this.#enough;
  }

  get empty(): boolean {
    return this.#steps.length === 0;
  }

  add(step: Replayed): void {
    this.#steps.push(step);
  }

  take(): readonly Replayed[] {
    const steps = this.#steps;
    this.#steps = [];
    return steps;
  }
}
