import fc from 'fast-check';
import { expect, it } from 'vitest';
import { shareOf } from '../src/chunk.js';
import { Lane, mergeLanes, type PlacedRow } from '../src/lane.js';
import { compareSpots, type Spot } from '../src/place.js';

const OWNER = { sequenced: true };
const START: Spot = { epoch: -1, seq: -1, pos: -1 };

function laneOf(rows: readonly PlacedRow[], ahead: { rows: number; chars: number }, reads?: (limit: number) => void): Lane {
  const sorted = [...rows].sort(compareSpots);
  return new Lane(
    (behind, limit) => {
      reads?.(limit);
      return sorted
        .filter((row) => compareSpots(row, behind) > 0)
        .slice(0, limit)
        .map(({ epoch, seq, pos, json, type }) => [epoch, seq, pos, json, type]);
    },
    START,
    ahead,
    OWNER,
  );
}

it('merges lanes into one order, whatever they read ahead', () => {
  const row = fc.record({ epoch: fc.nat(2), seq: fc.nat(5) });
  fc.assert(
    fc.property(fc.array(fc.array(row, { maxLength: 12 }), { maxLength: 5 }), fc.integer({ min: 1, max: 4 }), (lanes, rows) => {
      let pos = 0;
      const placed = lanes.map((lane) => lane.map((each): PlacedRow => ({ ...each, pos: (pos += 1), json: '{}', type: 'run.started', owner: OWNER })));
      const merged = [...mergeLanes(placed.map((lane) => laneOf(lane, { rows, chars: 1000 })), compareSpots)];
      expect(merged).toEqual(placed.flat().sort(compareSpots));
    }),
  );
});

it('reads ahead a bounded number of characters, and one row where it is longer', () => {
  const rows = [1, 2, 3, 4].map((seq): PlacedRow => ({ epoch: 0, seq, pos: seq, json: 'x'.repeat(50), type: 'run.started', owner: OWNER }));
  let reads = 0;
  const lane = laneOf(rows, { rows: 100, chars: 10 }, () => (reads += 1));
  for (const row of rows) {
    expect(lane.head).toEqual(row);
    lane.advance();
  }
  expect(lane.head).toBeUndefined();
  expect(reads).toBe(5);
});

it('gives every lane a share of what is read ahead, and at least one row', () => {
  expect(shareOf(1)).toEqual({ rows: 256, chars: 262_144 });
  expect(shareOf(4)).toEqual({ rows: 64, chars: 65_536 });
  expect(shareOf(10_000)).toEqual({ rows: 1, chars: 26 });
});
