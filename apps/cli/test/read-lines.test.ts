import { buildWire } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { type Line, readLines } from '../src/read-lines.js';

async function read(chunks: readonly Uint8Array[], maxLineBytes?: number): Promise<Line[]> {
  async function* input(): AsyncGenerator<Uint8Array> {
    for (const chunk of chunks) yield chunk;
  }
  const lines: Line[] = [];
  for await (const line of readLines(input(), 'test', maxLineBytes === undefined ? {} : { maxLineBytes })) lines.push(line);
  return lines;
}

const a = buildWire({ subject: 'line\u2028separator\u0085 and 👩‍💻' }).json;
const b = buildWire().json;
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const outline = (lines: readonly Line[]): unknown[] =>
  lines.map((line) => [line.type, line.number, line.type === 'event' ? line.event.json : line.type === 'bad' ? line.code : undefined]);

describe('readLines', () => {
  it('gives the same at every split point and byte by byte', async () => {
    const text = bytes(`${a}\r\n\n${b}\nnot json\n${a}`);
    const whole = outline(await read([text]));
    expect(whole).toEqual([
      ['event', 1, a],
      ['blank', 2, undefined],
      ['event', 3, b],
      ['bad', 4, 'invalid-json'],
      ['event', 5, a],
    ]);
    for (let at = 0; at <= text.length; at += 1) expect(outline(await read([text.subarray(0, at), text.subarray(at)]))).toEqual(whole);
    expect(outline(await read(Array.from(text, (byte) => Uint8Array.of(byte))))).toEqual(whole);
  });

  it('tells a byte-order mark and still reads the Event behind it', async () => {
    expect(outline(await read([Uint8Array.of(0xef, 0xbb, 0xbf), bytes(`${a}\n`)]))).toEqual([
      ['mark', 1, undefined],
      ['event', 1, a],
    ]);
    expect(outline(await read([bytes(`${a}\n`), Uint8Array.of(0xef, 0xbb, 0xbf), bytes(`${b}\n`)]))[1]).toEqual(['bad', 2, 'byte-order-mark']);
  });

  it('bounds one line and goes on behind it, whatever the size of a chunk', async () => {
    const limit = bytes(a).length;
    const long = 'x'.repeat(limit + 1);
    for (const chunks of [[bytes(`${long}\n${a}\n`)], [bytes(long), bytes('x'), bytes('\n'), bytes(`${a}\n`)]]) {
      expect(outline(await read(chunks, limit))).toEqual([
        ['bad', 1, 'too-large'],
        ['event', 2, a],
      ]);
    }
  });

  it('says which byte sequence is no UTF-8 by line', async () => {
    expect(outline(await read([bytes(`${a}\n`), Uint8Array.of(0x22, 0xff, 0x22, 0x0a)]))[1]).toEqual(['bad', 2, 'invalid-utf8']);
  });
});
