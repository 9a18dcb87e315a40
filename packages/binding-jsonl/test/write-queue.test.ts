import { describe, expect, it } from 'vitest';

import { JsonlWriteError } from '../src/errors.js';
import type { OutgoingLine } from '../src/outgoing.js';
import { WriteQueue, type WriteBatch } from '../src/write-queue.js';

const lines = (...texts: string[]): OutgoingLine[] => texts.map((text) => ({ event: {} as never, json: text.slice(0, -1), size: text.length }));
const textOf = (batch: WriteBatch): string => batch.lines.map(({ json }) => `${json}\n`).join('');
const failure = (failed: readonly number[]): JsonlWriteError => new JsonlWriteError('io', 'x', { failed });
const settled = (promise: Promise<void>): Promise<unknown> =>
  promise.then(
    () => 'written',
    (error: unknown) => (error as JsonlWriteError).failed,
  );

describe('WriteQueue', () => {
  it('joins calls and cuts them at ends of lines', async () => {
    const queue = new WriteQueue(6);
    const calls = [queue.add(lines('a\n', 'b\n')), queue.add(lines('cc\n', 'd\n')), queue.add(lines('eeeeeeeeee\n'))].map(settled);
    expect(queue.bytes).toBe(20);
    const texts: string[] = [];
    for (let batch = queue.take(); batch !== undefined; batch = queue.take()) {
      expect(batch.size).toBe(textOf(batch).length);
      texts.push(textOf(batch));
      queue.settle(batch, batch.lines.length);
    }
    expect(texts).toEqual(['a\nb\n', 'cc\nd\n', 'eeeeeeeeee\n']);
    expect(await Promise.all(calls)).toEqual(['written', 'written', 'written']);
    expect(queue.bytes).toBe(0);
  });

  it('fails what was not written of each call, and drops the rest of a call that failed', async () => {
    const queue = new WriteQueue(6);
    const calls = [queue.add(lines('a\n')), queue.add(lines('b\n', 'c\n', 'd\n')), queue.add(lines('e\n'))].map(settled);
    const first = queue.take()!;
    expect(textOf(first)).toBe('a\nb\nc\n');
    queue.settle(first, 2, failure);
    const second = queue.take()!;
    expect(textOf(second)).toBe('e\n');
    queue.settle(second, 0, failure);
    expect(await Promise.all(calls)).toEqual(['written', [1, 2], [0]]);
    expect([queue.bytes, queue.take()]).toEqual([0, undefined]);
  });
});
