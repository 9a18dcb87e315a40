import { buildEvent, buildWire } from '@aepkit/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { JsonlReader, type JsonlItem, type JsonlReaderOptions } from '../src/reader.js';
import { ids } from './support.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const json = (overrides: Record<string, unknown> = {}): string => buildWire(overrides).json;

/** Items of a text, its tail included. */
function read(input: Uint8Array, options: JsonlReaderOptions = {}, pieces: readonly Uint8Array[] = [input]): JsonlItem[] {
  const reader = new JsonlReader(options);
  const items = pieces.flatMap((piece) => reader.push(piece));
  const tail = reader.tail();
  return tail === undefined ? items : [...items, tail];
}

/** An item in one word per fact. */
function short(item: JsonlItem): string {
  const detail = item.type === 'event' ? item.event.event.id : 'code' in item ? item.code : 'version' in item ? item.version : '';
  return `${item.type}${detail === '' ? '' : ` ${detail}`} ${String(item.line)}:${String(item.start)}-${String(item.end)}`;
}

const E1 = json({ id: 'one', data: { text: 'zwölf 漢字 👍' } });
const E2 = json({ id: 'two', data: { text: 'a\u2028b\u2029c\u0085d' } });
const n1 = bytes(E1).length;
const n2 = bytes(E2).length;

const CASES: [name: string, input: string | Uint8Array, expected: string[], options?: JsonlReaderOptions][] = [
  ['no bytes', '', []],
  ['one line', `${E1}\n`, [`event one 1:0-${n1 + 1}`]],
  ['two lines', `${E1}\n${E2}\n`, [`event one 1:0-${n1 + 1}`, `event two 2:${n1 + 1}-${n1 + n2 + 2}`]],
  ['a line without its end', `${E1}\n${E2}`, [`event one 1:0-${n1 + 1}`, `tail 2:${n1 + 1}-${n1 + 1 + n2}`]],
  ['blank lines', `\n \t\n${E1}\n\n`, ['blank 1:0-1', 'blank 2:1-4', `event one 3:4-${n1 + 5}`, `blank 4:${n1 + 5}-${n1 + 6}`]],
  ['CR LF, noted once', `${E1}\r\n\r\n${E2}\r\n`, [`note crlf 1:0-${n1 + 2}`, `event one 1:0-${n1 + 2}`, `blank 2:${n1 + 2}-${n1 + 4}`, `event two 3:${n1 + 4}-${n1 + n2 + 6}`]],
  ['a byte-order mark in front', `\ufeff${E1}\n${E2}\n`, [`note byte-order-mark 1:0-${n1 + 4}`, `event one 1:0-${n1 + 4}`, `event two 2:${n1 + 4}-${n1 + n2 + 5}`]],
  ['a byte-order mark between', `${E1}\n\ufeff${E2}\n`, [`event one 1:0-${n1 + 1}`, `bad byte-order-mark 2:${n1 + 1}-${n1 + n2 + 5}`]],
  ['a byte-order mark, twice', `\ufeff\ufeff${E1}\n`, [`note byte-order-mark 1:0-${n1 + 7}`, `bad byte-order-mark 1:0-${n1 + 7}`]],
  ['a byte-order mark and nothing', '\ufeff\n', ['note byte-order-mark 1:0-4', 'blank 1:0-4']],
  ['what is no JSON', `{"aep"\n${E1}\n`, ['bad invalid-json 1:0-7', `event one 2:7-${n1 + 8}`]],
  ['JSON that is no Event', `[]\n{}\n7\n${E1}\n`, ['bad not-an-object 1:0-3', 'bad missing-attribute 2:3-6', 'bad not-an-object 3:6-8', `event one 4:8-${n1 + 9}`]],
  ['two Events glued together', `${E1}${E1}\n`, [`bad invalid-json 1:0-${2 * n1 + 1}`]],
  ['a bare CR', `${E1}\r${E1}\n`, [`bad invalid-json 1:0-${2 * n1 + 2}`]],
  ['bytes that are not UTF-8', Buffer.concat([bytes(`${E1}\n{"a":"`), Uint8Array.of(0xff), bytes(`"}\n${E2}\n`)]), [`event one 1:0-${n1 + 1}`, `bad invalid-utf8 2:${n1 + 1}-${n1 + 11}`, `event two 3:${n1 + 11}-${n1 + 12 + n2}`]],
  ['bytes of zero', Buffer.concat([Buffer.alloc(4), bytes(`\n${E1}\n`)]), ['bad invalid-json 1:0-5', `event one 2:5-${n1 + 6}`]],
  ['a member named twice', `{"aep":"0.1","aep":"9.0"}\n`, ['bad duplicate-member 1:0-26']],
  ['a frame of another binding', `{"frame":"ping"}\n`, ['bad missing-attribute 1:0-17']],
  ['other versions, each once', `{"aep":"9.0"}\n{"aep":"0.2"}\n{"aep":"9.0","a":1}\n${E1}\n`, ['skipped-version 9.0 1:0-14', 'skipped-version 0.2 2:14-28', `event one 4:48-${n1 + 49}`]],
  ['a version that is no version', `{"aep":"later"}\n{"aep":1}\n`, ['skipped-version later 1:0-16', 'bad invalid-attribute 2:16-26']],
  ['a line above the limit', `${E1}\n${'x'.repeat(n1 + n2 + 1)}\n${E2}\n`, [`event one 1:0-${n1 + 1}`, `bad line-too-long 2:${n1 + 1}-${2 * n1 + n2 + 3}`, `event two 3:${2 * n1 + n2 + 3}-${2 * n1 + 2 * n2 + 4}`], { maxLineBytes: n1 + n2 }],
  ['an endless line above the limit', `${E1}\n${'x'.repeat(1_000)}`, [`event one 1:0-${n1 + 1}`, `tail 2:${n1 + 1}-${n1 + 1_001}`], { maxLineBytes: 300 }],
  ['a start elsewhere', `\ufeff\n${E1}\n`, ['bad byte-order-mark 7:100-104', `event one 8:104-${n1 + 105}`], { offset: 100, line: 7 }],
];

describe('JsonlReader', () => {
  it.each<(typeof CASES)[number]>(CASES)('reads %s, whole, at every split point and byte by byte', (_name, input, expected, options) => {
    const whole = typeof input === 'string' ? bytes(input) : input;
    const items = read(whole, options);
    expect(items.map(short)).toEqual(expected);
    for (let cut = 1; cut < whole.length; cut += 1) {
      expect(read(whole, options, [whole.subarray(0, cut), whole.subarray(cut)])).toEqual(items);
    }
    expect(read(whole, options, Array.from(whole, (byte) => Uint8Array.of(byte)))).toEqual(items);
  });

  it('ends lines at LF alone, so that U+2028, U+2029 and U+0085 stay inside an Event [B-222]', () => {
    const text = '\u2028{\u2029\u0085}\v\f\u001c';
    const event = buildEvent({ data: { text } });
    const raw = JSON.stringify(event);
    const items = read(bytes(`${raw}\n${E1}\n`));
    expect(ids(items)).toEqual([event.id, 'one']);
    expect(items[0]).toMatchObject({ event: { json: raw, event: { data: { text } } } });
    expect(raw).toContain('\u2028');
  });

  it('gives the text of an Event as it stands in the file [B-004]', () => {
    const odd = String.raw`{ "aep":"0.1","\u0069d":"o","type":"tool.requested","time":"2026-01-01T00:00:00Z","source":"a:b","agent":"a","session":"s","seq":1,"data":{"n":12345678901234567890.10,"s":"\u00e9\/"} }`;
    const [item] = read(bytes(`${odd}\r\n`)).filter(({ type }) => type === 'event');
    expect(item).toMatchObject({ event: { json: odd } });
  });

  it('skips lines of another version and goes on, and names each version once [B-016, B-017]', () => {
    const reader = new JsonlReader();
    const other = (version: string): string => `${JSON.stringify({ ...buildEvent(), aep: version })}\n`;
    const text = `${other('1.0')}${E1}\n${other('1.0')}${other('0.2')}${other('1.0')}${E2}\n${other('0.2')}`;
    const items = text.split(/(?<=\n)/).flatMap((line) => reader.push(bytes(line)));
    expect(items.map((item) => (item.type === 'skipped-version' ? item.version : item.type))).toEqual(['1.0', 'event', '0.2', 'event']);
    expect(reader.stats()).toEqual({ lines: 7, events: 2, bad: 0, blank: 0, skipped: 5 });
  });

  it('skips a version whose text is none of ours to judge: deeper, or with half of a surrogate pair [B-016]', () => {
    const deep = `{"aep":"2.0","data":${'['.repeat(100)}${']'.repeat(100)}}`;
    const lone = String.raw`{"aep":"2.0","data":"\ud800"}`;
    expect(read(bytes(`${deep}\n${lone}\n${E1}\n`)).map(({ type }) => type)).toEqual(['skipped-version', 'event']);
    expect(read(bytes(`${deep.replace('2.0', '0.1')}\n`))).toMatchObject([{ type: 'bad', code: 'too-deep' }]);
  });

  it('reports a limited number of versions, and cuts their names', () => {
    const text = Array.from({ length: 5 }, (_, at) => `{"aep":"${String(at + 1)}.0${'9'.repeat(100)}"}\n`).join('');
    const reader = new JsonlReader({ maxVersions: 3 });
    const items = reader.push(bytes(text + text));
    expect(items.map((item) => (item.type === 'skipped-version' ? item.version.length : item.type))).toEqual([65, 65, 65]);
    expect(reader.stats().skipped).toBe(10);
    expect(new JsonlReader({ maxVersions: 0 }).push(bytes(text))).toEqual([]);
    expect(new JsonlReader({ maxVersions: Infinity }).push(bytes(text))).toHaveLength(5);
  });

  it('measures a line, not a chunk, in bytes and without its line feed', () => {
    expect(read(bytes('a\nb\n'), { maxLineBytes: 2 })).toMatchObject([{ code: 'invalid-json' }, { code: 'invalid-json' }]);
    for (const wide of ['x', '漢']) {
      const line = json({ id: 'w', data: { text: wide } });
      const size = bytes(line).length;
      for (const [limit, type] of [[size - 1, 'bad'], [size, 'event'], [size + 1, 'event'], [Infinity, 'event']] as const) {
        expect([limit, read(bytes(`${line}\n`), { maxLineBytes: limit }).map((item) => item.type)]).toEqual([limit, [type]]);
      }
    }
  });

  it('reads Events above the default of the envelope where the limit allows it', () => {
    const large = `${E1.slice(0, -1)},"run":"${'r'.repeat(1_100_000)}"}\n`;
    expect(read(bytes(large))).toMatchObject([{ code: 'line-too-long' }]);
    expect(ids(read(bytes(large), { maxLineBytes: 2_000_000 }))).toEqual(['one']);
  });

  it('knows where to resume, and a reader that starts there reads the rest [B-170]', () => {
    const text = bytes(`${E1}\n{}\n\n${E2}\n${E1}`);
    const whole = read(text);
    for (let cut = 0; cut <= text.length; cut += 1) {
      const first = new JsonlReader();
      const before = first.push(text.subarray(0, cut));
      const rest = read(text.subarray(first.offset), { offset: first.offset, line: first.line });
      expect([...before, ...rest]).toEqual(whole);
    }
  });

  it('keeps nothing of a chunk, whose memory may be used again', () => {
    const chunk = Buffer.from(`${E1}\n${E2.slice(0, 40)}`);
    const reader = new JsonlReader();
    const items = reader.push(chunk);
    chunk.fill(0x20);
    items.push(...reader.push(bytes(`${E2.slice(40)}\n`)));
    expect(items.map((item) => (item.type === 'event' ? item.event.json : item.type))).toEqual([E1, E2]);
  });

  it('takes bytes only', () => {
    expect(() => new JsonlReader().push('{}\n' as never)).toThrow(TypeError);
  });

  it('agrees with a split of the whole, on random bytes in random pieces', () => {
    const piece = fc.oneof(
      fc.constantFrom(bytes(E1), bytes(E2), bytes('\n'), bytes('\r\n'), bytes('\ufeff'), bytes('{"aep":"7.0"}'), bytes('{'), bytes('\u2028'), bytes(' ')),
      fc.uint8Array({ maxLength: 6 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), fc.array(fc.nat(40), { minLength: 1, maxLength: 8 }), (parts, cuts) => {
        const input = Buffer.concat(parts);
        const pieces: Uint8Array[] = [];
        for (let at = 0, turn = 0; at < input.length; turn += 1) {
          const size = cuts[turn % cuts.length]! + 1;
          pieces.push(input.subarray(at, at + size));
          at += size;
        }
        const items = read(input, { maxLineBytes: 400 }, pieces);
        expect(items).toEqual(read(input, { maxLineBytes: 400 }));
        // Without an idea of UTF-8: one byte, one character.
        const lines = input.toString('latin1').split('\n');
        const last = lines.pop()!;
        let offset = 0;
        const places = lines.map((line, index) => {
          const start = offset;
          offset += line.length + 1;
          return { line: index + 1, start, end: offset };
        });
        const isVersion = (line: string): boolean => /^(?:\xef\xbb\xbf)? *\{"aep":"7\.0"\} *\r?$/.test(line);
        const expected = places.filter((_, index) => !isVersion(lines[index]!) || lines.findIndex(isVersion) === index);
        const found = items.filter(({ type }) => type !== 'note' && type !== 'tail');
        // A version behind a byte-order mark counts on line 1 only.
        const placesOf = (list: readonly { line: number; start: number; end: number }[]): unknown[] => list.map(({ line, start, end }) => ({ line, start, end }));
        if (!lines.some((line) => /^\xef\xbb\xbf.*7\.0/.test(line))) expect(placesOf(found)).toEqual(placesOf(expected));
        expect(items.filter(({ type }) => type === 'tail')).toEqual(last === '' ? [] : [{ type: 'tail', line: lines.length + 1, start: offset, end: offset + last.length }]);
      }),
      { numRuns: 300, seed: 11 },
    );
  });
});
