import type { Replayed } from './replayed.js';

/** Gathers steps until there are enough to give out, or enough text: a chunk stays in memory as long as its consumer takes. */
export class Chunk {
  readonly #enough: number;
  readonly #enoughText: number;
  #steps: Replayed[] = [];
  #text = 0;

  constructor(enough: number, enoughText: number) {
    this.#enough = enough;
    this.#enoughText = enoughText;
  }

  get full(): boolean {
    return this.#steps.length >= this.#enough || this.#text >= this.#enoughText;
  }

  get empty(): boolean {
    return this.#steps.length === 0;
  }

  add(step: Replayed): void {
    this.#steps.push(step);
    if (step.type === 'event') this.#text += step.event.json.length;
  }

  take(): readonly Replayed[] {
    const steps = this.#steps;
    this.#steps = [];
    this.#text = 0;
    return steps;
  }
}
