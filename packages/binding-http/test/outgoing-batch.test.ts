import { EnvelopeError } from '@aepkit/envelope';
import { buildEvent, buildWire } from '@aepkit/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { encodeEvent, halve, renderBatch, splitBatches } from '../src/outgoing-batch.js';

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const linesOf = (...sizes: readonly number[]): Uint8Array[] => sizes.map((size) => new Uint8Array(size).fill(0x61));
const shape = (lines: readonly Uint8Array[], maxEvents: number, maxBytes: number): [number, number[]][] =>
  splitBatches(lines, maxEvents, maxBytes).map(({ offset, lines: own }) => [offset, own.map(({ length }) => length)]);

describe('encodeEvent', () => {
  it('takes the text of a WireEvent as it is', () => {
    const wire = { ...buildWire(), json: '{"as":"received", "n": 1.0}' };
    expect(text(encodeEvent(wire))).toBe('{"as":"received", "n": 1.0}');
  });

  it('serialises an Event built in code, and refuses one that does not hold', () => {
    const event = buildEvent({ json: 'x', event: 'y' });
    expect(JSON.parse(text(encodeEvent(event)))).toEqual(event);
    expect(() => encodeEvent(buildEvent({ id: undefined }))).toThrow(EnvelopeError);
  });
});

describe('splitBatches', () => {
  it('splits by count', () => {
    expect(shape(linesOf(1, 1, 1, 1, 1), 2, 1_000)).toEqual([
      [0, [1, 1]],
      [2, [1, 1]],
      [4, [1]],
    ]);
  });

  it('splits by bytes, newlines counted', () => {
    expect(shape(linesOf(4, 4, 4), 10, 10)).toEqual([
      [0, [4, 4]],
      [2, [4]],
    ]);
    expect(shape(linesOf(4, 4, 4), 10, 9)).toEqual([
      [0, [4]],
      [1, [4]],
      [2, [4]],
    ]);
  });

  it('sends a line that is too large for a batch alone', () => {
    expect(shape(linesOf(1, 99, 1), 10, 10)).toEqual([
      [0, [1]],
      [1, [99]],
      [2, [1]],
    ]);
  });

  it('makes nothing of nothing', () => {
    expect(splitBatches([], 10, 10)).toEqual([]);
  });

  it('loses nothing, keeps the order and keeps the bounds', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 50 })), fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 120 }), (sizes, maxEvents, maxBytes) => {
        const lines = linesOf(...sizes);
        const batches = splitBatches(lines, maxEvents, maxBytes);
        expect(batches.flatMap((batch) => batch.lines)).toEqual(lines);
        let offset = 0;
        for (const batch of batches) {
          expect(batch.offset).toBe(offset);
          offset += batch.lines.length;
          expect(batch.lines.length).toBeLessThanOrEqual(maxEvents);
          if (batch.lines.length > 1) expect(renderBatch(batch).body.length).toBeLessThanOrEqual(maxBytes);
        }
      }),
    );
  });
});

describe('halve', () => {
  it('keeps order and places', () => {
    const [batch] = splitBatches(linesOf(1, 2, 3), 10, 1_000);
    expect(halve(batch!).map(({ offset, lines }) => [offset, lines.map(({ length }) => length)])).toEqual([
      [0, [1, 2]],
      [2, [3]],
    ]);
  });
});

describe('renderBatch', () => {
  it('sends one Event as JSON and several as lines', () => {
    const [one, two] = [buildWire(), buildWire()];
    const single = renderBatch({ lines: [encodeEvent(one)], offset: 0 });
    expect([single.contentType, text(single.body)]).toEqual(['application/json', one.json]);
    const batch = renderBatch({ lines: [encodeEvent(one), encodeEvent(two)], offset: 0 });
    expect([batch.contentType, text(batch.body)]).toEqual(['application/x-ndjson', `${one.json}\n${two.json}\n`]);
  });
});
