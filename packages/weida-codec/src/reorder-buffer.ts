import { DEFAULT_CONNECTION_LIMITS, resolveLimit } from './limits.js';
import { plainUint, type Uint } from './uint.js';

/** A message that goes on, and whether numbers before it never came. */
export interface Released<T> {
  readonly value: T;
  readonly scope: string;
  readonly sequence: Uint;
  /** What is before it in its scope is missing: it goes on out of order. */
  readonly gap: boolean;
}

/** Options of {@link ReorderBuffer}. */
export interface ReorderBufferOptions {
  /** Messages held at a time, over all scopes; `Infinity` for no bound. Default 256. */
  readonly maxHold?: number | undefined;
  /** Scopes followed; what belongs to one more goes on at once; `Infinity` for no bound. Default 1024. */
  readonly maxScopes?: number | undefined;
}

interface Held<T> {
  readonly value: T;
  readonly scope: Scope<T>;
  readonly sequence: bigint;
}

interface Scope<T> {
  readonly name: string;
  next: bigint;
  readonly waiting: Map<bigint, Held<T>[]>;
}

/**
 * Puts messages of each scope back into the order of their numbers (weida §9.5, `ordering` 2): what comes early is held until
 * what is before it has come, or until there is no room, when the message held longest goes on with its gap reported.
 */
export class ReorderBuffer<T> {
  readonly #maxHold: number;
  readonly #maxScopes: number;
  readonly #scopes = new Map<string, Scope<T>>();
  /** In the order of arrival. */
  readonly #held = new Set<Held<T>>();

  constructor(options: ReorderBufferOptions = {}) {
    this.#maxHold = resolveLimit('maxHold', options.maxHold, DEFAULT_CONNECTION_LIMITS.maxReorderHold);
    this.#maxScopes = resolveLimit('maxScopes', options.maxScopes, DEFAULT_CONNECTION_LIMITS.maxSequenceScopes);
  }

  /** Messages that are held. */
  get size(): number {
    return this.#held.size;
  }

  /**
   * Takes a message; gives those that go on now, in order. The first number of a scope is its base (OPEN-15); a number that was
   * passed goes on at once.
   */
  push(scope: string, sequence: Uint, value: T): Released<T>[] {
    const number = BigInt(sequence);
    let at = this.#scopes.get(scope);
    if (at === undefined) {
      if (this.#scopes.size >= this.#maxScopes) return [{ value, scope, sequence: plainUint(sequence), gap: false }];
      this.#scopes.set(scope, (at = { name: scope, next: number, waiting: new Map() }));
    }
    if (number <= at.next) {
      const released: Released<T>[] = [{ value, scope, sequence: plainUint(sequence), gap: false }];
      if (number === at.next) at.next++;
      this.#drain(at, released);
      return released;
    }
    const held: Held<T> = { value, scope: at, sequence: number };
    this.#held.add(held);
    const same = at.waiting.get(number);
    if (same === undefined) at.waiting.set(number, [held]);
    else same.push(held);
    return this.#held.size > this.#maxHold ? this.#overflow() : [];
  }

  /** Lets everything go that is held, those held longest first. */
  flush(): Released<T>[] {
    const released: Released<T>[] = [];
    const left = new Map<Scope<T>, bigint[]>();
    for (const held of this.#held) {
      let numbers = left.get(held.scope);
      if (numbers === undefined) left.set(held.scope, (numbers = descending(held.scope.waiting.keys())));
      this.#releaseUpTo(held, numbers, released);
    }
    return released;
  }

  /** Lets the message go that was held longest, behind those of its scope with a lower number, and what it kept waiting. */
  #overflow(): Released<T>[] {
    const released: Released<T>[] = [];
    const [oldest] = this.#held;
    if (oldest === undefined) return released;
    const { scope, sequence } = oldest;
    this.#releaseUpTo(oldest, descending([...scope.waiting.keys()].filter((number) => number <= sequence)), released);
    return released;
  }

  /** Takes the numbers up to that of `held` off the end of `numbers`, and lets them go. */
  #releaseUpTo({ scope, sequence }: Held<T>, numbers: bigint[], released: Released<T>[]): void {
    for (let number = numbers.at(-1); number !== undefined && number <= sequence; number = numbers.at(-1)) {
      numbers.pop();
      // A number that an earlier one of this row drew along is out already.
      if (number < scope.next) continue;
      this.#release(scope, number, number > scope.next, released);
      this.#drain(scope, released);
    }
  }

  #drain(scope: Scope<T>, released: Released<T>[]): void {
    while (scope.waiting.has(scope.next)) this.#release(scope, scope.next, false, released);
  }

  #release(scope: Scope<T>, number: bigint, gap: boolean, released: Released<T>[]): void {
    for (const held of scope.waiting.get(number) ?? []) {
      this.#held.delete(held);
      released.push({ value: held.value, scope: scope.name, sequence: plainUint(number), gap });
    }
    scope.waiting.delete(number);
    scope.next = number + 1n;
  }
}

function descending(numbers: Iterable<bigint>): bigint[] {
  return [...numbers].sort((a, b) => (a > b ? -1 : 1));
}
