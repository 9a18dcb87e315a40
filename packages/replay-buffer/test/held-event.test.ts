import { describe, expect, it } from 'vitest';
import { HeldEvent } from '../src/held-event.js';
import { EVENT_OVERHEAD_BYTES } from '../src/index.js';
import { wire } from './events.js';

const place = { epoch: 0, seq: 3 };
const owner = { session: 's', source: 'aep://h/s' };

describe('a held Event', () => {
  it.each(['x', 'id-1', '01J9ZK3V5M0000000000000000', 'x'.repeat(64), 'y'.repeat(65), 'é…😀', 'a"b'])('knows its id %j, and counts one that is a copy', (id) => {
    const came = wire({ id, seq: 3 });
    for (const copy of [true, false]) expect(new HeldEvent(owner, place, 1, came, copy).id).toBe(id);
    const held = new HeldEvent(owner, place, 1, came, true);
    const isView = came.json.includes(id) && id.length <= 64 && !id.includes('…');
    expect(held.bytes).toBe(new HeldEvent(owner, place, 1, came, false).bytes + (isView ? 0 : 2 * id.length));
    expect(held.bytes).toBeGreaterThanOrEqual(came.json.length + EVENT_OVERHEAD_BYTES);
  });

  it('gives up its text when it is evicted', () => {
    const held = new HeldEvent(owner, place, 1, wire({ seq: 3 }), true);
    expect([held.held, held.wire().event.seq]).toEqual([true, 3]);
    held.release();
    expect(held.held).toBe(false);
    expect(() => held.wire()).toThrow(SyntaxError);
  });
});
