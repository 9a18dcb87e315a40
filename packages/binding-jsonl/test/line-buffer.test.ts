import { describe, expect, it } from 'vitest';

import { LineBuffer } from '../src/line-buffer.js';

describe('LineBuffer', () => {
  it('joins pieces and copies them', () => {
    const buffer = new LineBuffer(Infinity);
    const piece = Uint8Array.of(1, 2);
    buffer.append(piece);
    piece.fill(9);
    buffer.append(Uint8Array.of(3));
    expect([...buffer.bytes()]).toEqual([1, 2, 3]);
    buffer.clear();
    expect([buffer.length, buffer.bytes().length]).toEqual([0, 0]);
  });

  it('holds a line of the limit and not a byte more', () => {
    const buffer = new LineBuffer(10);
    buffer.append(new Uint8Array(10));
    expect([buffer.isTooLong, buffer.bytes().length]).toEqual([false, 10]);
    buffer.append(new Uint8Array(1));
    expect([buffer.isTooLong, buffer.length, buffer.bytes().buffer.byteLength]).toEqual([true, 11, 0]);
    buffer.clear();
    expect([buffer.isTooLong, buffer.length]).toEqual([false, 0]);
  });

  it('never has more room than the limit, and gives large room back', () => {
    const buffer = new LineBuffer(100_000);
    for (let at = 0; at < 100_000; at += 1) buffer.append(Uint8Array.of(at));
    expect(buffer.bytes().buffer.byteLength).toBeLessThanOrEqual(100_000);
    buffer.clear();
    expect(buffer.bytes().buffer.byteLength).toBe(0);
  });
});
