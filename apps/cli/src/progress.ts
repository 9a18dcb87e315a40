/** Shows how far a command has come, on a terminal only: one line that is written over. */
export class Progress {
  readonly #stream: { write(text: string): unknown; readonly isTTY?: boolean };
  readonly #now: () => number;
  #last = -Infinity;
  #shown = false;

  constructor(stream: { write(text: string): unknown; readonly isTTY?: boolean } = process.stderr, now: () => number = () => performance.now()) {
    this.#stream = stream;
    this.#now = now;
  }

  /** Shows a text, unless another one was shown just before. */
  show(text: () => string): void {
    if (this.#stream.isTTY !== true || this.#now() - this.#last < REFRESH_MS) return;
    this.#last = this.#now();
    this.#shown = true;
    this.#stream.write(`\r\u001b[K${text()}`);
  }

  /** Takes the line away, so that something else can be written there. */
  clear(): void {
    if (this.#shown) this.#stream.write('\r\u001b[K');
    this.#shown = false;
    this.#last = -Infinity;
  }
}

const REFRESH_MS = 200;

/** A number with its thousands apart. */
export function counted(value: number, noun: string): string {
  return `${value.toLocaleString('en-US')} ${noun}${value === 1 ? '' : 's'}`;
}
