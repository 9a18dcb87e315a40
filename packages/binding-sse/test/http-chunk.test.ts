import { describe, expect, it } from 'vitest';

import { httpChunk, LAST_CHUNK } from '../src/http-chunk.js';

const text = (parts: readonly Uint8Array[]): string => Buffer.concat(parts).toString();
const bytes = (length: number): Uint8Array => new TextEncoder().encode('x'.repeat(length));

describe('httpChunk', () => {
  it.each([
    [1, '1'],
    [15, 'f'],
    [16, '10'],
    [255, 'ff'],
    [256, '100'],
    [65_536, '10000'],
  ])('frames %i bytes with their size in hexadecimal', (length, size) => {
    expect(text(httpChunk(bytes(length)))).toBe(`${size}\r\n${'x'.repeat(length)}\r\n`);
  });

  it('frames the same bytes once', () => {
    const shared = bytes(3);
    expect(httpChunk(shared)).toHaveLength(1);
    expect(httpChunk(shared)).toBe(httpChunk(shared));
    expect(httpChunk(bytes(3))).not.toBe(httpChunk(shared));
  });

  it('copies many bytes only when a second stream gets them', () => {
    const large = bytes(65_536);
    const first = httpChunk(large);
    expect(first[1]).toBe(large);
    const shared = httpChunk(large);
    expect([shared.length, text(shared)]).toEqual([1, text(first)]);
    expect(httpChunk(large)).toBe(shared);
  });

  it('ends a body with a chunk of no bytes', () => {
    expect(text([LAST_CHUNK])).toBe('0\r\n\r\n');
  });
});
