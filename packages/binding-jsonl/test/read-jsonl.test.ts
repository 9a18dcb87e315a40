import { Readable } from 'node:stream';

import { buildSession } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { readJsonl, type ByteSource, type JsonlItem } from '../src/reader.js';
import { ids } from './support.js';

const events = buildSession(3);
const text = Buffer.from(events.map(({ json }) => `${json}\n`).join('') + '{"aep"');

async function all(source: ByteSource): Promise<JsonlItem[]> {
  const items: JsonlItem[] = [];
  for await (const item of readJsonl(source)) items.push(item);
  return items;
}

describe('readJsonl', () => {
  it.each<[string, () => ByteSource]>([
    ['a list of chunks', () => [text.subarray(0, 300), text.subarray(300)]],
    ['a Node stream', () => Readable.from([text.subarray(0, 7), text.subarray(7)])],
    ['a web stream', () => new Blob([text]).stream()],
    // Some browsers have no iterator on it.
    ['a web stream that cannot be iterated', () => ({ getReader: () => new Blob([text]).stream().getReader() }) as unknown as ByteSource],
  ])('reads %s', async (_name, source) => {
    const items = await all(source());
    expect(ids(items)).toEqual(events.map(({ event }) => event.id));
    expect(items.at(-1)).toEqual({ type: 'tail', line: 4, start: text.length - 6, end: text.length });
  });

  it('passes an error of the source on, behind what came before it', async () => {
    const seen: JsonlItem[] = [];
    const source = (function* (): Generator<Uint8Array> {
      yield text;
      throw new Error('gone');
    })();
    await expect(async () => {
      for await (const item of readJsonl(source)) seen.push(item);
    }).rejects.toThrow('gone');
    expect(seen).toHaveLength(3);
  });

  it('lets go of the source when the caller has enough', async () => {
    const cancelled: unknown[] = [];
    const stream = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(text)),
      cancel: (reason) => void cancelled.push(reason),
    });
    for await (const item of readJsonl({ getReader: () => stream.getReader() } as unknown as ByteSource)) if (item.type === 'event') break;
    expect(cancelled).toHaveLength(1);
    const node = Readable.from([text, text]);
    for await (const item of readJsonl(node)) if (item.type === 'event') break;
    expect(node.destroyed).toBe(true);
  });

  it('starts where it is told', async () => {
    const start = Buffer.byteLength(events[0]!.json) + 1;
    const items: JsonlItem[] = [];
    for await (const item of readJsonl([text.subarray(start)], { offset: start, line: 2 })) items.push(item);
    expect(items).toEqual((await all([text])).slice(1));
  });
});
