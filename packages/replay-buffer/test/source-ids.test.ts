import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SourceIds } from '../src/source-ids.js';

/** What it has to do, by a plain set, whatever the order in which ids come and go. */
function sameAsSet(steps: readonly (readonly ['add' | 'delete' | 'has', string])[]): void {
  const ids = new SourceIds();
  const model = new Set<string>();
  for (const [step, id] of steps) {
    expect(ids.has(id)).toBe(model.has(id));
    if (step === 'add' && !model.has(id)) {
      ids.add(id);
      model.add(id);
    } else if (step === 'delete' && model.has(id)) {
      ids.delete(id);
      model.delete(id);
    }
    expect(ids.size).toBe(model.size);
  }
  for (const id of model) expect(ids.has(id)).toBe(true);
}

const step = fc.constantFrom('add', 'add', 'delete', 'has');
const anyId = fc.oneof(fc.string({ maxLength: 3 }), fc.string({ unit: fc.constantFrom('a', 'b', '\ud83d', 'é'), maxLength: 4 }), fc.constantFrom('', 'z', 'zz'));

describe('the ids of a source', () => {
  it('are those of a plain set', () => {
    fc.assert(fc.property(fc.array(fc.tuple(step, anyId), { maxLength: 200 }), sameAsSet));
  });

  it('are those of a plain set when they rise, stray and leave in order', () => {
    const rising = fc.array(fc.tuple(fc.constantFrom('add', 'add', 'add', 'delete', 'has'), fc.nat(40)), { maxLength: 300 });
    fc.assert(
      fc.property(rising, (steps) => {
        sameAsSet(steps.map(([kind, back], at) => [kind, `01J9ZK3V5M${String(Math.max(0, at - (kind === 'add' ? back % 3 : back))).padStart(8, '0')}`]));
      }),
    );
  });

  it('rise over many chunks, and leave from either end and from the middle', () => {
    const id = (n: number): string => String(n).padStart(8, '0');
    const ids = new SourceIds();
    for (let n = 0; n < 5_000; n += 1) ids.add(id(n));
    for (let n = 0; n < 1_000; n += 1) ids.delete(id(n));
    for (let n = 4_999; n >= 4_000; n -= 1) ids.delete(id(n));
    for (let n = 2_000; n < 3_000; n += 2) ids.delete(id(n));
    expect(ids.size).toBe(2_500);
    for (let n = 0; n < 5_000; n += 1) expect(ids.has(id(n))).toBe(n >= 1_000 && n < 4_000 && !(n >= 2_000 && n < 3_000 && n % 2 === 0));
    ids.add(id(10));
    expect([ids.has(id(10)), ids.has(id(11)), ids.size]).toEqual([true, false, 2_501]);
  });
});
