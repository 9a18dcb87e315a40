import type { SocketItem } from './socket-item.js';

/** What an item costs besides its text, in bytes. */
const ITEM_COST = 512;

/**
 * Items that wait for their reader, in order. Each counts by the text that a peer chose; what tells of a connection is always taken, since
 * at most a few come per connection.
 */
export class ItemQueue {
  readonly #changed: () => void;
  #items: (SocketItem | undefined)[] = [];
  #head = 0;
  #bytes = 0;
  #waiting: (() => void) | undefined;
  #ended = false;

  /** `changed`: bytes have left. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  get bytes(): number {
    return this.#bytes;
  }

  push(item: SocketItem): void {
    if (this.#ended) return;
    this.#items.push(item);
    this.#bytes += costOf(item);
    this.#wake();
  }

  /** Nothing comes any more; what is there is given out unless it is dropped. */
  end(drop: boolean): void {
    this.#ended = true;
    if (drop) {
      this.#items = [];
      this.#head = 0;
      this.#bytes = 0;
    }
    this.#wake();
  }

  /** The next item; `undefined` behind the last. */
  async take(): Promise<SocketItem | undefined> {
    while (this.#head === this.#items.length) {
      if (this.#ended) return undefined;
      await new Promise<void>((resolve) => {
        this.#waiting = resolve;
      });
    }
    const item = this.#items[this.#head];
    this.#items[this.#head] = undefined;
    this.#head += 1;
    // In large steps: to shift each time costs the length of the queue.
    if (this.#head > 1024 && this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    } else if (this.#head === this.#items.length) {
      this.#items = [];
      this.#head = 0;
    }
    if (item !== undefined) this.#bytes -= costOf(item);
    this.#changed();
    return item;
  }

  #wake(): void {
    this.#waiting?.();
    this.#waiting = undefined;
  }
}

function costOf(item: SocketItem): number {
  // Characters of a string take a byte or two in memory, and the parsed Event about as much again.
  return ITEM_COST + textLength(item);
}

function textLength(item: SocketItem): number {
  switch (item.type) {
    case 'event':
      return item.event.json.length;
    case 'gap':
      return item.session?.length ?? 0;
    case 'exhausted':
      return item.session.length;
    case 'invalid':
      return item.detail.length;
    default:
      return 0;
  }
}
