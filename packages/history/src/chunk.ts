/** Steps and characters that one read gathers before others get the event loop. */
const CHUNK_STEPS = 256;
const CHUNK_CHARS = 256 * 1024;

/** Gathers what a read gives out at once. */
export class Chunk<T> {
  #steps: T[] = [];
  #chars = 0;

  get full(): boolean {
    return this.#steps.length >= CHUNK_STEPS || this.#chars >= CHUNK_CHARS;
  }

  get empty(): boolean {
    return this.#steps.length === 0;
  }

  add(step: T, chars = 0): void {
    this.#steps.push(step);
    this.#chars += chars;
  }

  take(): readonly T[] {
    const steps = this.#steps;
    this.#steps = [];
    this.#chars = 0;
    return steps;
  }
}

/** How much one of several lanes reads ahead. Never nothing. */
export function shareOf(lanes: number): { readonly rows: number; readonly chars: number } {
  return { rows: Math.max(1, Math.floor(CHUNK_STEPS / lanes)), chars: Math.floor(CHUNK_CHARS / lanes) };
}
