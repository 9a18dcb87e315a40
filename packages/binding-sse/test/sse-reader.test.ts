import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { sseReader, type SseStep } from '../src/sse-reader.js';

const utf8 = new TextEncoder();

function read(chunks: readonly Uint8Array[], max = 1_000_000): SseStep[] {
  const steps: SseStep[] = [];
  const reader = sseReader(max, (step) => steps.push(step));
  for (const chunk of chunks) reader.feed(chunk);
  return steps;
}

/** Whole, at every split point, and byte by byte: always the same. */
function everyWay(bytes: Uint8Array, max?: number): SseStep[] {
  const whole = read([bytes], max);
  for (let at = 0; at <= bytes.length; at += 1) expect(read([bytes.subarray(0, at), bytes.subarray(at)], max), `split at ${at}`).toEqual(whole);
  expect(read(Array.from(bytes, (byte) => Uint8Array.of(byte)), max), 'byte by byte').toEqual(whole);
  return whole;
}

const text = (data: string): SseStep => ({ type: 'message', data });
const join = (...parts: (string | number[])[]): Uint8Array =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? utf8.encode(part) : Uint8Array.from(part))));

describe('sseReader', () => {
  it.each<[string, string, SseStep[]]>([
    ['messages', 'event: a\ndata: 1\nid: s:0:1\n\ndata:2\n\n', [text('1'), text('2')]],
    ['CRLF', 'data: 1\r\n\r\ndata: 2\r\n\r\n', [text('1'), text('2')]],
    ['CR', 'data: 1\r\rdata: 2\r\r', [text('1'), text('2')]],
    ['mixed line ends', 'data: 1\r\n\ndata: 2\r\r\ndata: 3\n\r\n', [text('1'), text('2'), text('3')]],
    ['comments', ': ping\n\n:x\n: replay-exhausted a b 0:1\n\n', [{ type: 'comment', text: 'ping' }, { type: 'comment', text: 'x' }, { type: 'comment', text: 'replay-exhausted a b 0:1' }]],
    ['several data lines', 'data: {\ndata: }\n\n', [text('{\n}')]],
    ['retry', 'retry: 1500\nretry: x\n\n', [{ type: 'retry', ms: 1500 }]],
    ['unknown fields', 'nonsense\nfoo: bar\ndata: 1\n\n', [text('1')]],
    ['separators of Unicode inside data', 'data: a\u2028b\u2029c\u0085d\u000be\n\n', [text('a\u2028b\u2029c\u0085d\u000be')]],
    ['characters of two, three and four bytes', 'data: é日🙂\n\n', [text('é日🙂')]],
    ['a byte-order mark in front, and one in the data', '\ufeffdata: \ufeff1\n\n', [text('\ufeff1')]],
    ['only one blank behind the colon removed', 'data:  1\n\n', [text(' 1')]],
    ['an unfinished message', 'data: 1\n\ndata: 2\n', [text('1')]],
    ['an id with NUL, which loses neither the message nor the id before it', 'id: 123\nid: bad\0id\ndata: hello\n\ndata: next\n\n', [text('hello'), text('next')]],
  ])('reads %s, cut anywhere', (_, stream, steps) => {
    expect(everyWay(utf8.encode(stream))).toEqual(steps);
  });

  it('reports a message with bytes that are no UTF-8 instead of replacing them', () => {
    const steps = everyWay(join('data: 1\n\ndata: a', [0xff, 0xc3], 'b\nid: s:0:2\n\ndata: 3\n\n'));
    expect(steps).toEqual([text('1'), { type: 'damaged', code: 'invalid-utf8' }, text('3')]);
  });

  it('reports it too where other lines of the message are good, and with CRLF', () => {
    const steps = everyWay(join('data: 1\r\ndata: ', [0x80], '\r\ndata: 2\r\n\r\ndata: 3\r\n\r\n'));
    expect(steps).toEqual([{ type: 'damaged', code: 'invalid-utf8' }, text('3')]);
  });

  it('does not mind them in a comment', () => {
    expect(everyWay(join(': ', [0xff], '\n\ndata: 1\n\n'))).toEqual([{ type: 'comment', text: '\ufffd' }, text('1')]);
  });

  it.each(['\n', '\r\n', '\r'])('skips a data line beyond the bound, tells of it, and reads on (line end %j)', (end) => {
    const stream = (length: number) => utf8.encode(`data: ${'x'.repeat(length - 6)}${end}id: s:0:1${end}${end}data: 2${end}${end}`);
    expect(everyWay(stream(29), 30)).toEqual([text('x'.repeat(23)), text('2')]);
    expect(everyWay(stream(30), 30)).toEqual([text('x'.repeat(24)), text('2')]);
    expect(everyWay(stream(31), 30)).toEqual([{ type: 'damaged', code: 'too-large' }, text('2')]);
    expect(everyWay(stream(200), 30)).toEqual([{ type: 'damaged', code: 'too-large' }, text('2')]);
  });

  it('skips another line beyond the bound without a word', () => {
    const steps = everyWay(utf8.encode(`: ${'x'.repeat(50)}\nevent: ${'y'.repeat(50)}\ndata: 1\n\n`), 30);
    expect(steps.filter(({ type }) => type !== 'comment')).toEqual([text('1')]);
  });

  it('holds no more than the bound of a line that never ends', () => {
    const steps: SseStep[] = [];
    const reader = sseReader(100, (step) => steps.push(step));
    const chunk = utf8.encode('data: x'.repeat(1000));
    for (let index = 0; index < 1000; index += 1) reader.feed(chunk);
    reader.feed(utf8.encode('\n\ndata: 1\n\n'));
    expect(steps).toEqual([{ type: 'damaged', code: 'too-large' }, text('1')]);
  });

  it('gives up on a message of more lines than the bound holds', () => {
    const reader = sseReader(100, () => undefined);
    expect(() => {
      for (let index = 0; index < 100; index += 1) reader.feed(utf8.encode('data: 0123456789\n'));
    }).toThrow(RangeError);
  });

  it('gives the same for any stream, however it is cut', () => {
    const piece = fc.constantFrom('data: ', 'data:é🙂', 'id: x\0', ': c', 'event', 'retry: 1', '\n', '\r', '\r\n', '\n\n', '\u2028', '\ufeff', ' ');
    const raw = fc.oneof(piece.map((value) => utf8.encode(value)), fc.uint8Array({ maxLength: 3 }));
    fc.assert(
      fc.property(fc.array(raw, { maxLength: 12 }), (parts) => {
        everyWay(Buffer.concat(parts));
      }),
      { numRuns: 150 },
    );
  });
});
