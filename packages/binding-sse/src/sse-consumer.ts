import type { SseConsumerOptions } from './consumer-options.js';
import type { SavedPosition } from './position-store.js';
import type { SseItem } from './sse-item.js';

/** Counters of a {@link SseConsumer}. */
export interface SseConsumerStats {
  /** Events given out, replacements included. */
  readonly events: number;
  /** Events that came again and were dropped. */
  readonly duplicates: number;
  /** Events that were given out again because they came with more in them. */
  readonly replaced: number;
  /** Messages that were no Event. */
  readonly invalid: number;
  /** Streams opened. */
  readonly opened: number;
}

/** Reads an event stream, comes back after each break, and resumes or says what it cannot. */
export class SseConsumer implements AsyncIterable<SseItem> {
  constructor(_options: SseConsumerOptions) {}

  /** Runs until the end; an item counts as processed when the handler's promise is fulfilled. */
  async run(handler: (item: SseItem) => void | Promise<void>): Promise<void> {
    for await (const item of this) await handler(item);
  }

  /** Ends the run. */
  close(): void {}

  /** How far each session has been processed. */
  positions(): SavedPosition[] {
    return [];
  }

  stats(): SseConsumerStats {
    return { events: 0, duplicates: 0, replaced: 0, invalid: 0, opened: 0 };
  }

  // eslint-disable-next-line @typescript-eslint/require-await
  async *[Symbol.asyncIterator](): AsyncGenerator<SseItem, void, undefined> {
    const items: SseItem[] = [];
    yield* items;
  }
}
