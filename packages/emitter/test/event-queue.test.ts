import { buildWire } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { ENTRY_OVERHEAD_BYTES, EventQueue, keepOf } from '../src/event-queue.js';

const wire = (severity?: string, type = 'progress.status') => buildWire({ type, seq: 0, ...(severity === undefined ? {} : { severity }) });
const names = (queue: EventQueue): string[] => queue.take(1e9, Infinity).map(({ wire: { event } }) => event.severity ?? 'info');

describe('what is kept', () => {
  it.each([
    ['debug', 'progress.status', 0],
    ['info', 'progress.status', 1],
    [undefined, 'progress.status', 1],
    ['notice', 'progress.status', 2],
    ['warning', 'progress.status', 2],
    ['error', 'progress.status', 2],
    ['critical', 'progress.status', 2],
    [undefined, 'control.accepted', 2],
    ['debug', 'control.rejected', 2],
  ] as const)('%s %s: %i', (severity, type, keep) => {
    expect(keepOf({ json: '', event: { ...wire(severity).event, type } })).toBe(keep);
  });
});

describe('a queue', () => {
  it('drops debug before info, info before nothing else, the oldest first [B-183]', () => {
    const queue = new EventQueue({ maxQueuedEvents: 4, maxQueuedBytes: Infinity });
    for (const severity of ['info', 'debug', 'notice', 'debug']) expect(queue.offer(wire(severity), 10)).toEqual([]);
    expect(queue.offer(wire('error'), 10)!.map(({ order }) => order)).toEqual([2]);
    expect(queue.offer(wire('info'), 10)!.map(({ order }) => order)).toEqual([4]);
    // No debug left: a debug Event takes nobody's place.
    expect(queue.offer(wire('debug'), 10)).toBeUndefined();
    expect(queue.offer(wire('warning'), 10)!.map(({ order }) => order)).toEqual([1]);
    expect(queue.offer(wire('notice'), 10)!.map(({ order }) => order)).toEqual([6]);
    for (const severity of ['debug', 'info', 'notice', 'critical']) expect(queue.offer(wire(severity), 10)).toBeUndefined();
    expect(names(queue)).toEqual(['notice', 'error', 'warning', 'notice']);
  });

  it('is bounded by bytes as well, and drops nothing for what finds no room in the end [B-182]', () => {
    const one = 100 + ENTRY_OVERHEAD_BYTES;
    const queue = new EventQueue({ maxQueuedEvents: Infinity, maxQueuedBytes: 3 * one });
    for (const severity of ['info', 'notice', 'debug']) queue.offer(wire(severity), 100);
    expect(queue.bytes).toBe(3 * one);
    expect(queue.offer(wire('notice'), 100 + 2 * one)).toBeUndefined();
    expect(queue.count).toBe(3);
    expect(queue.offer(wire('notice'), 100 + one)!).toHaveLength(2);
    expect([queue.count, queue.bytes]).toEqual([2, 3 * one]);
  });

  it('counts what is in flight, and does not drop it', () => {
    const queue = new EventQueue({ maxQueuedEvents: 2, maxQueuedBytes: Infinity });
    queue.offer(wire('info'), 1);
    expect(queue.take(1, 1)).toHaveLength(1);
    queue.offer(wire('info'), 1);
    expect(queue.offer(wire('notice'), 1)!.map(({ order }) => order)).toEqual([2]);
    expect(queue.offer(wire('notice'), 1)).toBeUndefined();
    expect(queue.oldest).toBe(1);
    queue.settle(() => true);
    expect([queue.count, queue.oldest]).toEqual([1, 3]);
  });

  it('gives batches by count and bytes, and a large Event alone', () => {
    const queue = new EventQueue({ maxQueuedEvents: Infinity, maxQueuedBytes: Infinity });
    for (const size of [10, 10, 10, 100, 1]) queue.offer(wire(), size);
    const sizes: number[] = [];
    while (queue.count > 0) {
      sizes.push(queue.take(2, 25).length);
      queue.settle(() => true);
    }
    expect(sizes).toEqual([2, 1, 1, 1]);
    expect(queue.bytes).toBe(0);
  });

  it('keeps order and sums whatever is dropped and taken', () => {
    const queue = new EventQueue({ maxQueuedEvents: 50, maxQueuedBytes: 40_000 });
    const severities = ['debug', 'info', 'notice'];
    let last = 0;
    for (let round = 0; round < 5000; round += 1) {
      queue.offer(wire(severities[(round * 7) % 3]), (round * 131) % 700);
      if (round % 97 === 0) {
        for (const { order } of queue.take(30, 5000)) {
          expect(order).toBeGreaterThan(last);
          last = order;
        }
        queue.settle((place) => place % 3 !== 1);
        const rest = queue.flying.length;
        expect(queue.settle(() => true)).toHaveLength(rest);
      }
      expect(queue.count).toBeLessThanOrEqual(50);
      expect(queue.bytes).toBeLessThanOrEqual(40_000);
    }
    queue.clear();
    expect([queue.count, queue.bytes, queue.waiting, queue.waitingBytes, queue.oldest]).toEqual([0, 0, 0, 0, undefined]);
  });
});
