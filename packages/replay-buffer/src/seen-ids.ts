import { detached } from './held-text.js';
import { SOURCE_OVERHEAD_BYTES } from './overhead.js';

/** `(source, id)` of the held Events (AEP-0003 §5): each source once, each id as a view of a held text. */
export class SeenIds {
  readonly #bySource = new Map<string, Set<string>>();
  #bytes = 0;

  /** Bytes counted for the sources. */
  get bytes(): number {
    return this.#bytes;
  }

  has(source: string, id: string): boolean {
    return this.#bySource.get(source)?.has(id) === true;
  }

  add(source: string, id: string): void {
    const ids = this.#bySource.get(source);
    if (ids !== undefined) {
      ids.add(id);
      return;
    }
    this.#bySource.set(detached(source), new Set([id]));
    this.#bytes += costOf(source);
  }

  delete(source: string, id: string): void {
    const ids = this.#bySource.get(source);
    if (ids?.delete(id) !== true || ids.size > 0) return;
    this.#bySource.delete(source);
    this.#bytes -= costOf(source);
  }
}

function costOf(source: string): number {
  return SOURCE_OVERHEAD_BYTES + 2 * source.length;
}
