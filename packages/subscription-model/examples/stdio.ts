import type { Readable, Writable } from 'node:stream';

import { LineReader } from '@aepkit/binding-jsonl/reader';
import type { Incoming, TextDuplex } from '@aepkit/subscription-model';

/**
 * A pair of pipes as a transport: one message in each line (C6). A pipe has no cursors: connect it with `replay: false`.
 */
export function stdioDuplex(input: Readable, output: Writable): TextDuplex {
  let closed = false;
  const close = (): void => {
    closed = true;
    if (!output.writableEnded) output.end();
    input.destroy();
  };
  // Without listeners a peer that is gone would end this process.
  output.on('error', close).on('close', close);
  input.on('error', close);

  return {
    send: (text) => closed || output.write(`${text}\n`),
    drained: () =>
      new Promise((resolve) => {
        const settle = (): void => {
          output.off('drain', settle).off('close', settle);
          resolve();
        };
        if (closed || output.destroyed || !output.writableNeedDrain) resolve();
        else output.on('drain', settle).on('close', settle);
      }),
    incoming: lines(input),
    close,
  };
}

async function* lines(input: Readable): AsyncGenerator<Incoming, void, void> {
  const reader = new LineReader();
  try {
    for await (const chunk of input as AsyncIterable<Uint8Array>) {
      for (const item of reader.push(chunk)) yield item.type === 'line' ? item.text : { bad: item.code };
    }
  } catch {
    // A pipe that breaks ends like one that is closed.
  }
}
