import type { JsonlItem } from './jsonl-item.js';
import { JsonlReader } from './jsonl-reader.js';
import type { JsonlReaderOptions } from './reader-options.js';

/** Where bytes come from: a Node stream, a web stream, or anything that can be iterated. */
export type ByteSource = AsyncIterable<Uint8Array> | Iterable<Uint8Array> | ReadableStream<Uint8Array>;

/** Bytes that are read at once, so that a huge chunk does not become a huge list of items. */
const STEP_BYTES = 65_536;

/**
 * Reads a whole source of JSONL, see {@link JsonlReader}. The last item is a `tail` where the last line has no line feed.
 *
 * Errors of the source pass through. RangeError for options that cannot be used.
 *
 * @example
 * ```ts
 * for await (const item of readJsonl(createReadStream(path))) {
 *   if (item.type === 'event') show(item.event.json);
 * }
 * ```
 */
export async function* readJsonl(source: ByteSource, options: JsonlReaderOptions = {}): AsyncGenerator<JsonlItem, void, void> {
  const reader = new JsonlReader(options);
  for await (const chunk of iterate(source)) {
    for (let at = 0; at < chunk.length; at += STEP_BYTES) {
      for (const item of reader.push(chunk.subarray(at, at + STEP_BYTES))) yield item;
    }
  }
  const tail = reader.tail();
  if (tail !== undefined) yield tail;
}

/** Some browsers cannot iterate a web stream yet. */
function iterate(source: ByteSource): AsyncIterable<Uint8Array> | Iterable<Uint8Array> {
  return Symbol.asyncIterator in source || Symbol.iterator in source ? source : drain(source);
}

async function* drain(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void, void> {
  const reader: ReadableStreamDefaultReader<Uint8Array> = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel();
  }
}
