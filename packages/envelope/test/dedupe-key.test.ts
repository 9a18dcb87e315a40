import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { dedupeKey, type AepEvent } from '../src/index.js';
import { full, runs } from './support.js';

const part = fc.string({ unit: fc.constantFrom('a', '1', ':', '\n', '\u0000', ' ', '"'), maxLength: 5 });

describe('dedupeKey', () => {
  it('is the pair (source, id) and nothing else [E-083]', () => {
    const copy: AepEvent = { ...full, data: { other: 1 }, seq: 99, capture: 'none', acmehop: 2 };
    expect(dedupeKey(copy)).toBe(dedupeKey(full));
    expect(dedupeKey({ source: full.source, id: full.id })).toBe(dedupeKey(full));
    for (const other of [{ source: 'aep://other' }, { id: 'e2' }]) expect(dedupeKey({ ...copy, ...other })).not.toBe(dedupeKey(full));
  });

  it('tells Events of one id and two sources apart [E-084]', () => {
    expect(dedupeKey({ ...full, source: 'aep://other' })).not.toBe(dedupeKey(full));
  });

  it('tells Events of equal content and two ids apart [E-087]', () => {
    expect(dedupeKey({ ...full, id: 'e2' })).not.toBe(dedupeKey(full));
  });

  it('is injective, whatever the parts hold', () => {
    expect(dedupeKey({ source: 'a', id: 'bc' })).not.toBe(dedupeKey({ source: 'ab', id: 'c' }));
    expect(dedupeKey({ source: '1:1', id: '' })).not.toBe(dedupeKey({ source: '1', id: ':1' }));
    fc.assert(
      fc.property(part, part, part, part, (source, id, otherSource, otherId) => {
        const equal = source === otherSource && id === otherId;
        expect(dedupeKey({ source, id }) === dedupeKey({ source: otherSource, id: otherId })).toBe(equal);
      }),
      runs(2000),
    );
  });
});
