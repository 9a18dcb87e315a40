import { detached } from './held-text.js';

/** Types kept as one text each. There are a few dozen; whoever makes up more has his Events parsed when they are replayed. */
const MAX_TYPES = 1000;
const MAX_TYPE_CHARS = 256;

/** The types of held Events, each text once. */
export class TypeNames {
  readonly #names = new Map<string, string>();
  #latest = '';

  /** The one text for a type, or `undefined` where there are too many. */
  of(type: string): string | undefined {
    if (type === this.#latest) return this.#latest;
    const known = this.#names.get(type);
    if (known !== undefined) return (this.#latest = known);
    if (this.#names.size >= MAX_TYPES || type.length > MAX_TYPE_CHARS) return undefined;
    const name = detached(type);
    this.#names.set(name, name);
    return (this.#latest = name);
  }
}
