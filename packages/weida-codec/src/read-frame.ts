import { FrameReader, type FrameEvent, type FrameReaderOptions } from './frame-reader.js';

/**
 * {@link FrameReader} over a source of chunks: the events of one stream, until it ends. Leaving the loop leaves the source.
 *
 * @throws {@link WeidaError} as {@link FrameReader.push} and {@link FrameReader.end} do.
 */
export async function* readFrame(source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, options?: FrameReaderOptions): AsyncGenerator<FrameEvent, void, undefined> {
  const reader = new FrameReader(options);
  for await (const chunk of source) {
    yield* reader.push(chunk);
    if (reader.finished) return;
  }
  reader.end();
}
