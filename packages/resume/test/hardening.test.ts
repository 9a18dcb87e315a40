import { buildWire, type EventOverrides } from '@aepkit/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { FifoMap } from '../src/fifo-map.js';
import { Memory, ProcessedPositions } from '../src/index.js';

const names = ['__proto__', 'constructor', 'toString', '0', 'a:b', ' ', 'é'];
const wire = (overrides: EventOverrides) => buildWire(overrides);

describe('bounds', () => {
  it.each([0, -1, 0.5, NaN])('refuses %d as one', (bound) => {
    expect(() => new Memory({ maxSeen: bound })).toThrow(RangeError);
    expect(() => new Memory({ maxSessions: bound })).toThrow(RangeError);
  });

  it('hold though a peer opens one session after the other and nobody saves', () => {
    const memory = new Memory({ maxSeen: 10, maxSessions: 10 });
    memory.connected('all', []);
    for (let i = 0; i < 1_000; i += 1) memory.taken(wire({ id: `e${i}`, session: `s${i}`, seq: 0 }));
    expect(memory.positions()).toHaveLength(10);
    expect(memory.resumePositions()).toHaveLength(10);
    expect(memory.takeChanged()).toHaveLength(10);
  });

  it('keep what moves all the time among what is known', () => {
    const memory = new Memory({ maxSessions: 2 });
    memory.connected('all', []);
    for (let i = 0; i < 100; i += 1) {
      memory.taken(wire({ id: `busy${i}`, session: 'busy', seq: i }));
      memory.taken(wire({ id: `other${i}`, session: `other${i}`, seq: 0 }));
    }
    expect(memory.positions().map(({ session, seq }) => [session, seq])).toEqual([['busy', 99], ['other99', 0]]);
  });

  it('cost no more when they are reached: the oldest is found without a walk', () => {
    const map = new FifoMap<number>(1_000, () => undefined);
    for (let i = 0; i < 200_000; i += 1) map.set(`k${i}`, i);
    expect([map.size, map.get('k198999'), map.get('k199000'), map.values()[0]]).toEqual([1_000, undefined, 199_000, 199_000]);
  });
});

describe('names that a peer chose', () => {
  it('are no members of anything', () => {
    const memory = new Memory();
    const positions = new ProcessedPositions();
    memory.connected('all', []);
    const events = names.map((name) => wire({ id: `id-${name}`, session: name, seq: 1 }));
    for (const event of events) {
      expect(memory.judge(event).verdict).toBe('new');
      memory.taken(event);
      positions.processed(event);
    }
    for (const event of events) expect(memory.judge(event).verdict).toBe('redelivered');
    expect(memory.positions().map(({ session }) => session)).toEqual(names);
    expect(positions.list().map(({ session }) => session)).toEqual(names);
  });

  it('do not run into each other', () => {
    const memory = new Memory();
    memory.connected('live', []);
    memory.taken(wire({ source: 'a:b', id: 'c', session: 's', seq: 1 }));
    expect(memory.judge(wire({ source: 'a:', id: 'bc', session: 's', seq: 1 })).verdict).toBe('new');
  });
});

describe('whatever comes, in any order', () => {
  it('never throws, and gives no Event twice while its id is known', () => {
    const step = fc.record({ seq: fc.nat({ max: 8 }), epoch: fc.nat({ max: 2 }), session: fc.constantFrom('a', 'b'), how: fc.constantFrom('ordered', 'shared', 'all', 'live', 'positions') });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const memory = new Memory();
        memory.connected('live', []);
        const given = new Set<string>();
        for (const { seq, epoch, session, how } of steps) {
          if (how === 'all' || how === 'live') memory.connected(how, []);
          else if (how === 'positions') memory.connected('positions', memory.resumePositions());
          else {
            const id = `${session}-${epoch}-${seq}`;
            const event = wire({ id, session, epoch, seq });
            const { verdict } = memory.judge(event, how === 'ordered');
            if (verdict === 'new') {
              expect(given.has(id)).toBe(false);
              given.add(id);
              if (how === 'ordered') memory.taken(event);
              else memory.noted(event);
            } else if (how === 'ordered') memory.confirmed(event);
          }
        }
      }),
      { numRuns: 200 },
    );
  });
});
