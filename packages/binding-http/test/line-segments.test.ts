import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { joinChunks, lineSegments } from '../src/line-segments.js';

const chunksOf = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '\n', 'é', '漢'), maxLength: 8 }).map((text) => Buffer.from(text)));

describe('lineSegments', () => {
  it('keeps every byte, and ends every piece but the last behind an LF', () => {
    fc.assert(
      fc.property(chunksOf, (chunks) => {
        const segments = lineSegments(chunks);
        expect(Buffer.concat(segments)).toEqual(Buffer.concat(chunks));
        for (const segment of segments) expect(segment.length).toBeGreaterThan(0);
        for (const segment of segments.slice(0, -1)) expect(segment.at(-1)).toBe(0x0a);
      }),
    );
  });

  it('copies no more than the lines that lie in several chunks', () => {
    const chunks = [Buffer.from('aaa\nbbb\ncc'), Buffer.from('c\nddd\n'), Buffer.from('eee')];
    const segments = lineSegments(chunks);
    expect(segments.map(String)).toEqual(['aaa\nbbb\n', 'ccc\n', 'ddd\n', 'eee']);
    expect([0, 2, 3].map((at) => chunks.some(({ buffer }) => buffer === segments[at]!.buffer))).toEqual([true, true, true]);
  });

  it('takes time in step with the bytes when a line comes byte by byte', () => {
    const bytes = Array.from({ length: 100_000 }, () => Buffer.from('x'));
    expect(lineSegments(bytes).map(({ length }) => length)).toEqual([100_000]);
  });
});

describe('joinChunks', () => {
  it('gives a body of one chunk as it is', () => {
    const only = new Uint8Array([1, 2]);
    expect(joinChunks([only]).buffer).toBe(only.buffer);
    expect(joinChunks([])).toHaveLength(0);
    expect([...joinChunks([only, only])]).toEqual([1, 2, 1, 2]);
  });
});
