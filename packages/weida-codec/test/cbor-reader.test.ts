import { afterEach, describe, expect, it, vi } from 'vitest';

import { decodeFrame, decodeHeader } from '../src/index.js';
import { CborReader } from '../src/cbor-reader.js';
import { errorOf, header, hex, refusal, stream, toHex } from './support.js';

afterEach(() => void vi.restoreAllMocks());

/** DATA `{64: value}`. */
const skipped = (value: string): string => `a11840${value}`;
const nested = (open: string, depth: number, inside = '00'): string => open.repeat(depth) + inside;

describe('the header map', () => {
  it('is of definite length [W-149]', () => {
    expect(refusal('DATA', 'bf00622f74ff')).toBe('indefinite-length W-149');
  });

  it.each([['00'], ['80'], ['60'], ['f6'], ['40'], ['20'], ['c0a0'], ['9fff'], ['']])('is a map and nothing else: %s [W-121]', (octets) => {
    expect(refusal('DATA', octets)).toMatch(/^(not-a-map|malformed) W-121$/);
  });

  it.each([
    ['a1'],
    ['a100'],
    ['a10062'],
    ['a100622f'],
    ['a118'],
    ['a11840'],
    ['a101190'],
    ['a1011b00000000000000'],
    ['b8'],
    ['a1184018'],
    ['a11840fa000000'],
    ['a11840fb00000000000000'],
    ['a1184042ff'],
    ['a118408200'],
    ['a20100'],
    ['a1fe'],
    ['a11c'],
    ['a1011c'],
    ['a1005d'],
    ['a118405e'],
    ['a11840ff'],
    ['a118401f'],
    ['a118403f'],
    ['a11840fc'],
  ])('that ends early or holds an octet that begins nothing is no CBOR: %s [W-121]', (octets) => {
    expect(refusal('DATA', octets)).toBe('malformed W-121');
  });

  it.each([['a000'], ['a100622f7400'], ['a0a0'], ['a0f6']])('is followed by nothing: %s [W-172]', (octets) => {
    expect(refusal('DATA', octets)).toBe('trailing-bytes W-172');
  });

  it('that announces more entries than there are octets is refused at once [W-121]', () => {
    expect(refusal('DATA', 'bbffffffffffffffff')).toBe('malformed W-121');
    expect(refusal('DATA', skipped('bb7fffffffffffffff'))).toBe('malformed W-121');
    expect(refusal('DATA', skipped('9bffffffffffffffff'))).toBe('malformed W-121');
  });

  it('may count its entries in any width', () => {
    for (const head of ['a1', 'b801', 'b90001', 'ba00000001', 'bb0000000000000001']) expect(header('DATA', `${head}0105`)).toEqual({ kind: 'DATA', contentLen: 5 });
  });
});

describe('keys', () => {
  it.each([
    ['text', '616100'],
    ['byte string', '416100'],
    ['negative', '2000'],
    ['negative of two octets', '380000'],
    ['single float', 'fa3f80000000'],
    ['false', 'f400'],
    ['null', 'f600'],
    ['array', '8000'],
    ['map', 'a000'],
  ])('that are no unsigned integer are refused: %s [W-124, W-163]', (_, entry) => {
    expect(refusal('DATA', `a1${entry}`)).toBe('key-type W-124');
  });

  it.each([
    ['tag', 'c00000', 'tag W-168'],
    ['half float', 'f9000000', 'half-float W-169'],
    ['indefinite text', '7fff00', 'indefinite-length W-165'],
    ['simple value', 'e000', 'simple-value W-170'],
  ])('that no header may hold are refused as such: %s', (_, entry, expected) => {
    expect(refusal('DATA', `a1${entry}`)).toBe(expected);
  });

  it('that stand twice are refused, known, unknown or of an extension [W-123, W-160]', () => {
    expect(refusal('DATA', 'a200622f7400622f74')).toBe('duplicate-key W-123');
    expect(refusal('DATA', 'a2182800182800')).toBe('duplicate-key W-123');
    expect(refusal('DATA', 'a2184000184000')).toBe('duplicate-key W-123');
    expect(refusal('DATA', 'a2184000190040f6')).toBe('duplicate-key W-123');
    expect(refusal('DATA', 'a21bffffffffffffffff001bffffffffffffffff00')).toBe('duplicate-key W-123');
  });

  it('ascend, to the last of 64 bits [W-161]', () => {
    expect(refusal('DATA', 'a2010000622f74')).toBe('key-order W-161');
    expect(refusal('DATA', 'a2184100184000')).toBe('key-order W-161');
    expect(refusal('DATA', 'a21bffffffffffffffff001bfffffffffffffffe00')).toBe('key-order W-161');
    expect(refusal('DATA', 'a21b0020000000000001001b002000000000000000')).toBe('key-order W-161');
    expect(header('DATA', 'a21b0020000000000000001b002000000000000100')).toEqual({ kind: 'DATA' });
  });

  it('of long ago are found by their order alone, without a memory of them [W-162]', () => {
    const keys = Array.from({ length: 4000 }, (_, i) => `19${(i + 256).toString(16).padStart(4, '0')}00`);
    const octets = hex(`b90fa1${keys.join('')}19010000`);
    expect(errorOf(() => decodeHeader('DATA', octets)).code).toBe('key-order');
  });

  it('that are unknown are skipped, below 64 and above [W-155, W-156, W-179]', () => {
    expect(header('DATA', 'a200622f740d05')).toEqual({ kind: 'DATA', endpoint: '/t' });
    expect(header('DATA', 'a3183f6161184001197fffa0')).toEqual({ kind: 'DATA' });
    expect(header('DATA', 'a200622f741bffffffffffffffff00')).toEqual({ kind: 'DATA', endpoint: '/t' });
  });

  it('may be written in any width (OPEN-2)', () => {
    for (const key of ['01', '1801', '190001', '1a00000001', '1b0000000000000001']) expect(header('DATA', `a1${key}07`)).toEqual({ kind: 'DATA', contentLen: 7 });
  });
});

describe('what is skipped', () => {
  it.each([
    ['integers', '1bffffffffffffffff'],
    ['negative integers', '3bffffffffffffffff'],
    ['a byte string above every cap', `590401${'00'.repeat(1025)}`],
    ['a text above every cap', `790401${'61'.repeat(1025)}`],
    ['an array of more than 64', `9846${'00'.repeat(70)}`],
    ['an empty map', 'a0'],
    ['a map with keys of its own kind', 'a26161002001'],
    ['false', 'f4'],
    ['true', 'f5'],
    ['null', 'f6'],
    ['undefined', 'f7'],
  ])('may be %s [W-155]', (_, value) => {
    expect(header('DATA', skipped(value))).toEqual({ kind: 'DATA' });
  });

  it('may be a float of 32 or of 64 bits [W-171]', () => {
    expect(header('DATA', skipped('fa7fc00000'))).toEqual({ kind: 'DATA' });
    expect(header('DATA', skipped('fb7ff8000000000000'))).toEqual({ kind: 'DATA' });
  });

  it('ends where it ends: the key behind it is read', () => {
    for (const value of ['00', '3903e8', '4201ff', '6161', '820102', 'a1820102a0', 'f4', 'fa00000000', 'fb0000000000000000', '83808081a0']) {
      expect(header('DATA', `a20d${value}184005`)).toEqual({ kind: 'DATA' });
      expect(refusal('DATA', `a20d${value}0005`)).toBe('key-order W-161');
    }
  });

  it('nests eight containers that hold something, arrays or maps [W-159]', () => {
    expect(header('DATA', skipped(nested('81', 8)))).toEqual({ kind: 'DATA' });
    expect(header('DATA', skipped(nested('a100', 8)))).toEqual({ kind: 'DATA' });
    expect(header('DATA', skipped(nested('81', 8, '80')))).toEqual({ kind: 'DATA' });
    expect(header('DATA', skipped(`82${nested('81', 7)}${nested('a100', 7)}`))).toEqual({ kind: 'DATA' });
  });

  it('nests no ninth [W-158]', () => {
    expect(refusal('DATA', skipped(nested('81', 9)))).toBe('too-deep W-158');
    expect(refusal('DATA', skipped(nested('a100', 9)))).toBe('too-deep W-158');
    expect(refusal('DATA', skipped(`82${nested('81', 7)}${nested('a100', 8)}`))).toBe('too-deep W-158');
    expect(refusal('DATA', skipped(`a1${nested('81', 8)}00`))).toBe('too-deep W-158');
  });

  it('is walked in a loop: a nested value is no call of its own [W-157]', () => {
    const skip = vi.spyOn(CborReader.prototype, 'skip');
    header('DATA', 'a2184082810081a1000018418100');
    expect(skip).toHaveBeenCalledTimes(2);
    skip.mockClear();
    expect(refusal('DATA', skipped(nested('81', 9000)))).toBe('too-deep W-158');
    expect(skip).toHaveBeenCalledTimes(1);
  });
});

describe('never in a header, at the top, in a known field, or deep in a skipped value', () => {
  const places = (value: string): string[] => [`a100${value}`, `a101${value}`, `a10a${value}`, skipped(value), skipped(`81${value}`), skipped(`a100${value}`), skipped(`a1${value}00`)];

  it('a byte string of indefinite length [W-164]', () => {
    for (const place of [...places('5f4101ff'), 'a1075f4101ff']) expect(refusal('DATA', place)).toBe('indefinite-length W-164');
  });

  it('a text string of indefinite length [W-165]', () => {
    for (const place of places('7f6161ff')) expect(refusal('DATA', place)).toBe('indefinite-length W-165');
  });

  it('an array of indefinite length [W-166]', () => {
    for (const place of places('9f00ff')) expect(refusal('DATA', place)).toBe('indefinite-length W-166');
  });

  it('a map of indefinite length [W-167]', () => {
    for (const place of places('bf0000ff')) expect(refusal('DATA', place)).toBe('indefinite-length W-167');
    expect(refusal('HELLO', 'a600810001194000021904000380048005bf0401ff')).toBe('indefinite-length W-167');
  });

  it('a tag [W-168]', () => {
    for (const tag of ['c000', 'd8184100', 'd9d9f700', 'da0000000000', 'db000000000000000000']) {
      for (const place of places(tag)) expect(refusal('DATA', place)).toBe('tag W-168');
    }
  });

  it('a float of 16 bits [W-169]', () => {
    for (const place of places('f93c00')) expect(refusal('DATA', place)).toBe('half-float W-169');
  });

  it('a simple value that is not false, true, null or undefined [W-170]', () => {
    for (const simple of ['e0', 'e1', 'f0', 'f3', 'f800', 'f814', 'f8ff']) {
      for (const place of places(simple)) expect(refusal('DATA', place)).toBe('simple-value W-170');
    }
  });
});

describe('values of known keys', () => {
  it('are of the type that their key demands, whatever else they are [W-125]', () => {
    const others = ['00', '20', '4100', '6161', '80', 'a0', 'f4', 'f6', 'f7', 'fa00000000', 'fb0000000000000000'];
    const wanted: Record<number, string[]> = { 0: ['6161'], 1: ['00'], 2: ['6161'], 3: ['6161'], 4: ['6161'], 5: ['6161'], 6: ['00'], 7: ['4100'], 8: ['00'], 9: ['00'], 10: ['80'], 11: ['00'], 12: ['00'] };
    for (const [key, right] of Object.entries(wanted)) {
      const octet = Number(key).toString(16).padStart(2, '0');
      for (const value of others.filter((other) => !right.includes(other))) expect(refusal('DATA', `a1${octet}${value}`)).toBe('wrong-type W-125');
    }
  });

  it('are never a map, outside of a HELLO [W-176, W-287]', () => {
    for (const key of ['00', '01', '05', '06', '07', '0a']) expect(refusal('DATA', `a1${key}a10401`)).toBe('wrong-type W-125');
    expect(refusal('SUBSCRIBE', 'a200a1040101a10401')).toBe('wrong-type W-125');
    expect(refusal('HELLO', 'a500a10401011940000219040003800480')).toBe('wrong-type W-125');
  });

  it('may be integers of any width, and stay exact to 64 bits (OPEN-2)', () => {
    const values: [string, number | bigint][] = [
      ['17', 23],
      ['1817', 23],
      ['190017', 23],
      ['18ff', 255],
      ['19ffff', 65_535],
      ['1affffffff', 4_294_967_295],
      ['1b0000000000000017', 23],
      ['1b0000000100000000', 4_294_967_296],
      ['1b001fffffffffffff', Number.MAX_SAFE_INTEGER],
      ['1b0020000000000000', 9_007_199_254_740_992n],
      ['1b0020000000000001', 9_007_199_254_740_993n],
      ['1b8000000080000000', 0x8000_0000_8000_0000n],
      ['1bffffffffffffffff', 18_446_744_073_709_551_615n],
    ];
    for (const [octets, value] of values) expect(header('DATA', `a101${octets}`)).toEqual({ kind: 'DATA', contentLen: value });
  });

  it('are UTF-8 where they are text, skipped ones included (OPEN-1)', () => {
    for (const text of ['62c328', '61ff', '61c2', '62c0af', '63eda080', '64f4908080', '64f5808080', '64f7bfbfbf', '65f888808080', '62c180', '63edbfbf', '64f48fbf7f', '63e28200', '62df7f', '63e08080', '64f0808080', '6180', '61f8', '63e28228']) {
      expect(refusal('DATA', `a100${text}`)).toBe('invalid-utf8 OPEN-1');
      expect(refusal('DATA', skipped(text))).toBe('invalid-utf8 OPEN-1');
    }
    expect(errorOf(() => decodeFrame(stream('DATA', 'a1006461c3a9ff'))).offset).toBe(9);
  });

  it('keep every character of text, a byte order mark and the highest plane included', () => {
    for (const text of ['', '\uFEFFa', 'é', '日本.東京', '𝄞', '\u{10FFFF}', '\u0000', 'a'.repeat(23), 'a'.repeat(24), 'a'.repeat(25), 'é'.repeat(30)]) {
      const octets = toHex(new TextEncoder().encode(text));
      const length = octets.length / 2;
      expect(header('DATA', `a100${length < 24 ? (0x60 + length).toString(16) : `78${length.toString(16)}`}${octets}`)).toEqual({ kind: 'DATA', endpoint: text });
      expect(header('DATA', skipped(`${length < 24 ? (0x60 + length).toString(16) : `78${length.toString(16)}`}${octets}`))).toEqual({ kind: 'DATA' });
    }
  });

  it('are read the same at every length, with a character beyond ASCII at every place', () => {
    for (let length = 1; length <= 30; length++) {
      for (let place = 0; place < length; place++) {
        const text = `${'a'.repeat(place)}é${'b'.repeat(length - place - 1)}`;
        const octets = new TextEncoder().encode(text);
        expect(header('DATA', `a10078${octets.length.toString(16).padStart(2, '0')}${toHex(octets)}`)).toEqual({ kind: 'DATA', endpoint: text });
        octets[place] = 0xff;
        expect(refusal('DATA', `a10078${octets.length.toString(16).padStart(2, '0')}${toHex(octets)}`)).toBe('invalid-utf8 OPEN-1');
      }
    }
  });

  it('are refused at every length, for one octet at every place', () => {
    for (let length = 1; length <= 30; length++) {
      for (let place = 0; place < length; place++) {
        const octets = new Uint8Array(length).fill(0x61);
        octets[place] = 0xc3;
        expect(refusal('DATA', `a10078${length.toString(16).padStart(2, '0')}${toHex(octets)}`)).toBe('invalid-utf8 OPEN-1');
      }
    }
  });

  it('that are lists hold 64 items and no 65th [W-173, W-175]', () => {
    const hello = (list: string): string => `a500${list}011940000219040003800480`;
    expect(header('HELLO', hello(`9840${'00'.repeat(64)}`))).toMatchObject({ versions: Array.from({ length: 64 }, () => 0) });
    expect(refusal('HELLO', hello(`9841${'00'.repeat(65)}`))).toBe('too-many-items W-173');
    expect(refusal('HELLO', `a50081000119400002190400039841${'00'.repeat(65)}0480`)).toBe('too-many-items W-173');
    expect(refusal('HELLO', `a500810001194000021904000380049841${'00'.repeat(65)}`)).toBe('too-many-items W-173');
  });

  it('that announce a long list are refused by its length, before an item is looked at [W-174]', () => {
    expect(refusal('HELLO', 'a1009bffffffffffffffff')).toBe('too-many-items W-173');
    expect(refusal('HELLO', 'a1009a00010000')).toBe('too-many-items W-173');
    expect(refusal('DATA', 'a209010a9bffffffffffffffff')).toBe('too-many-items W-236');
  });
});
