import { buildEvent, buildWire } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import type { BodyShape } from '../src/content-type.js';
import { lineOf, readEvents, type EventBounds } from '../src/read-events.js';
import type { Refusal } from '../src/refusal.js';

const BOUNDS: EventBounds = { maxEventBytes: 1_048_576, maxLines: 10_000, yieldTurn: () => Promise.resolve() };

async function read(body: string | Uint8Array | readonly Uint8Array[], shape: BodyShape, bounds: Partial<EventBounds> = {}): Promise<string[] | Refusal> {
  const chunks = typeof body === 'string' ? [Buffer.from(body)] : body instanceof Uint8Array ? [body] : body;
  const events = await readEvents(chunks, shape, { ...BOUNDS, ...bounds });
  return Array.isArray(events) ? events.map(({ json }) => json) : events;
}

const a = buildWire().json;
const b = buildWire({ data: { text: 'zwölf 漢字 👍 \u2028\u2029\u0085' } }).json;
const c = buildWire().json;

describe('readEvents of one Event', () => {
  it('keeps its text [B-018, B-004]', async () => {
    expect(await read(a, 'single')).toEqual([a]);
    expect(await read(b, 'single')).toEqual([b]);
  });

  it('takes it over several lines, and hands it on as one', async () => {
    expect(await read(a.replaceAll(',', ',\r\n'), 'single')).toEqual([a]);
  });

  it.each([
    ['nothing', ''],
    ['white space', ' \n'],
    ['an array', `[${a}]`],
    ['two Events', `${a}\n${a}`],
    ['half an Event', a.slice(0, -1)],
    ['a byte-order mark', `\ufeff${a}`],
    ['a frame', '{"type":"ping","t":1}'],
    ['no id', a.replace(/"id":"[^"]*",/, '')],
    ['another version', a.replace('"aep":"0.1"', '"aep":"0.2"')],
  ])('refuses %s with 400 [B-024]', async (_name, body) => {
    expect(await read(body, 'single')).toMatchObject({ status: 400, error: 'invalid-event', index: 0, line: 1 });
  });

  it('refuses bytes that are not UTF-8 instead of replacing them', async () => {
    const bytes = Buffer.from(b.replace('zw', 'z\u0001').replace('\u0001', ''), 'latin1');
    expect(await read(bytes, 'single')).toMatchObject({ status: 400, code: 'invalid-utf8', index: 0 });
  });

  it('takes as many bytes as allowed, and one more is 413', async () => {
    const size = Buffer.byteLength(b);
    expect(await read(b, 'single', { maxEventBytes: size + 1 })).toEqual([b]);
    expect(await read(b, 'single', { maxEventBytes: size })).toEqual([b]);
    expect(await read(b, 'single', { maxEventBytes: size - 1 })).toMatchObject({ status: 413, error: 'too-large', index: 0, line: 1 });
  });

  it('takes more than the default of the envelope where that is allowed', async () => {
    const large = JSON.stringify(buildEvent({ data: { text: 'x'.repeat(1_048_576) } }));
    expect(await read(large, 'single', { maxEventBytes: 2_000_000 })).toEqual([large]);
    expect(await read(`${large}\n`, 'batch', { maxEventBytes: 2_000_000 })).toEqual([large]);
  });
});

describe('readEvents of a batch', () => {
  it.each([
    ['with a final newline', `${a}\n${b}\n${c}\n`],
    ['without one', `${a}\n${b}\n${c}`],
    ['with CRLF', `${a}\r\n${b}\r\n${c}\r\n`],
    ['with blank lines', `\n${a}\n\n \t\r\n${b}\r\n\r\n${c}\n\n\n`],
    ['with white space around', ` ${a} \n\t${b}\n${c}  `],
  ])('keeps order and text %s [B-019, B-020]', async (_name, body) => {
    expect(await read(body, 'batch')).toEqual([a, b, c]);
  });

  it('ends lines at LF alone: U+2028, U+2029 and U+0085 are content', async () => {
    expect(await read(`${b}\n`, 'batch')).toEqual([b]);
  });

  it.each([[''], ['\n'], [' \r\n\t\n\n']])('refuses a batch without an Event: %j', async (body) => {
    expect(await read(body, 'batch')).toMatchObject({ status: 400, error: 'invalid-event', code: 'empty-batch' });
  });

  it('names the first bad line, its Event from 0 and its line from 1 [B-026]', async () => {
    expect(await read(`\n${a}\n\n{"aep":"0.1"}\n[]\n`, 'batch')).toMatchObject({
      status: 400,
      error: 'invalid-event',
      code: 'missing-attribute',
      index: 1,
      line: 4,
    });
  });

  it('names the first bad line where a later one is not UTF-8, and the other way round', async () => {
    const bad = Buffer.from([0x22, 0xff, 0x22]);
    const first = Buffer.concat([Buffer.from(`${a}\n[]\n`), bad, Buffer.from('\n')]);
    expect(await read(first, 'batch')).toMatchObject({ status: 400, code: 'not-an-object', index: 1, line: 2 });
    const second = Buffer.concat([Buffer.from(`${b}\n\n`), bad, Buffer.from('\n[]\n')]);
    expect(await read(second, 'batch')).toMatchObject({ status: 400, code: 'invalid-utf8', index: 1, line: 3 });
  });

  it('refuses a character that is cut by a newline, although its two halves are UTF-8 when joined', async () => {
    expect(await read(Buffer.concat([Buffer.from([0xc3, 0x0a, 0xa9])]), 'batch')).toMatchObject({ status: 400, code: 'invalid-utf8' });
  });

  it('checks size ahead of content: a long line behind a bad one is 413', async () => {
    const long = buildWire({ data: { text: 'x'.repeat(2_000) } }).json;
    const bounds = { maxEventBytes: 1_000 };
    expect(await read(`[]\n${long}\n`, 'batch', bounds)).toMatchObject({ status: 413, index: 1, line: 2 });
    expect(await read(Buffer.concat([Buffer.from([0xff, 0x0a]), Buffer.from(long)]), 'batch', bounds)).toMatchObject({ status: 413, index: 1, line: 2 });
    expect(await read('[]\n1\n2\n3', 'batch', { maxLines: 3 })).toMatchObject({ status: 413, code: 'too-many-lines' });
  });

  it('counts a line in bytes, not in characters', async () => {
    const size = Buffer.byteLength(b);
    expect(b.length).toBeLessThan(size);
    expect(await read(`${a}\n${b}\n`, 'batch', { maxEventBytes: size })).toEqual([a, b]);
    expect(await read(`${a}\n${b}\n`, 'batch', { maxEventBytes: size - 1 })).toMatchObject({ status: 413, index: 1, line: 2 });
  });

  it('measures blank lines as well', async () => {
    expect(await read(`${a}\n${' '.repeat(1_001)}\n`, 'batch', { maxEventBytes: 1_000 })).toMatchObject({ status: 413, index: 1, line: 2 });
    expect(await read(`${a}\n${' '.repeat(1_000)}\n`, 'batch', { maxEventBytes: 1_000 })).toEqual([a]);
  });

  it('counts Events, and tolerates as many blank lines', async () => {
    const bounds = { maxLines: 2 };
    expect(await read(`${a}\n${b}`, 'batch', { maxLines: 3 })).toEqual([a, b]);
    expect(await read(`\n${a}\n\n${b}\n`, 'batch', bounds)).toEqual([a, b]);
    expect(await read(`${a}\n${b}\n${c}`, 'batch', bounds)).toMatchObject({ status: 413, error: 'too-large', code: 'too-many-lines' });
    expect(await read(`\n\n\n${a}\n`, 'batch', bounds)).toMatchObject({ status: 413, code: 'too-many-lines' });
  });

  it('lets the event loop turn inside a large batch and reads on where it was', async () => {
    const events = Array.from({ length: 3_000 }, () => buildWire({ data: { text: 'x'.repeat(400) } }).json);
    let turns = 0;
    const yieldTurn = (): Promise<void> => ((turns += 1), Promise.resolve());
    expect(await read(events.join('\n'), 'batch', { yieldTurn })).toEqual(events);
    expect(turns).toBe(3);
    expect(await read([...events, '[]', a].join('\n'), 'batch', { yieldTurn })).toMatchObject({ status: 400, index: 3_000, line: 3_001 });
  });

  it('answers a small batch without waiting for a turn', () => {
    expect(Array.isArray(readEvents([Buffer.from(`${a}\n`)], 'batch', BOUNDS))).toBe(true);
  });
});

describe('lineOf', () => {
  it('finds the line of an Event behind blank lines', () => {
    const body = [Buffer.from(`\n${a}\n\r\n`), Buffer.from(`${b}\n${c}`)];
    expect([0, 1, 2].map((index) => lineOf(body, 'batch', index))).toEqual([2, 4, 5]);
    expect(lineOf(body, 'single', 0)).toBe(1);
  });
});

describe('readEvents of a body in chunks', () => {
  const good = Buffer.from(`\n${a}\n\r\n${b}\n${c}`);
  const bad = Buffer.from(`${a}\n${b}\n\n{"aep":"0.1"}\n${c}\n`);

  it('reads the same at every split point and byte by byte', async () => {
    for (const body of [good, bad]) {
      const whole = await read(body, 'batch');
      for (let at = 0; at <= body.length; at += 1) expect(await read([body.subarray(0, at), body.subarray(at)], 'batch')).toEqual(whole);
      expect(await read(Array.from(body, (byte) => Buffer.from([byte])), 'batch')).toEqual(whole);
    }
    expect(await read(good, 'batch')).toEqual([a, b, c]);
  });

  it('refuses a character that is cut off for good, wherever its bytes came apart', async () => {
    const body = Buffer.concat([Buffer.from(`${a}\n`), Buffer.from(b).subarray(0, Buffer.from(b).indexOf('漢') + 1), Buffer.from(`\n${c}`)]);
    const whole = await read(body, 'batch');
    expect(whole).toMatchObject({ status: 400, code: 'invalid-utf8', line: 2 });
    for (let at = 0; at <= body.length; at += 7) expect(await read([body.subarray(0, at), body.subarray(at)], 'batch')).toEqual(whole);
  });
});
