import { detached } from './held-text.js';
import { SOURCE_OVERHEAD_BYTES } from './overhead.js';
import { SourceIds } from './source-ids.js';

/** `(source, id)` of the held Events (AEP-0003 §5): each source once, each id as a view of a held text. */
export class SeenIds {
  readonly #bySource = new Map<string, SourceIds>();
  #bytes = 0;
  // Events come in runs of one source, and comparing two texts costs less than hashing one.
  #source = '';
  #ids: SourceIds | undefined;

  /** Bytes counted for the sources. */
  get bytes(): number {
    return this.#bytes;
  }

  has(source: string, id: string): boolean {
    return this.#of(source)?.has(id) === true;
  }

  add(source: string, id: string): void {
    const known = this.#of(source);
    if (known !== undefined) {
      known.add(id);
      return;
    }
    this.#source = detached(source);
    this.#ids = new SourceIds();
    this.#ids.add(id);
    this.#bySource.set(this.#source, this.#ids);
    this.#bytes += costOf(source);
  }

  delete(source: string, id: string): void {
    const ids = this.#of(source);
    ids?.delete(id);
    if (ids === undefined || ids.size > 0) return;
    this.#bySource.delete(source);
    this.#ids = undefined;
    this.#bytes -= costOf(source);
  }

  #of(source: string): SourceIds | undefined {
    if (this.#ids !== undefined && this.#source === source) return this.#ids;
    const ids = this.#bySource.get(source);
    if (ids === undefined) return undefined;
    this.#source = source;
    return (this.#ids = ids);
  }
}

function costOf(source: string): number {
  return SOURCE_OVERHEAD_BYTES + 2 * source.length;
}
