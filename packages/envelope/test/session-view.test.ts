import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { type AepEvent, comparePositions, sessionView } from '../src/index.js';

const at = (second: number): string => `2026-01-01T00:00:${String(second).padStart(2, '0')}Z`;
const base = { aep: '0.1', type: 'tool.completed', source: 'aep://h/agent/a/session/s', agent: 'a', session: 's' } as const;
const own = (id: string, seq: number, more: Partial<AepEvent> = {}): AepEvent => ({ ...base, id, seq, time: at(seq), ...more });
const command = (id: string, second: number, more: Partial<AepEvent> = {}): AepEvent => ({ ...base, type: 'control.cancel', source: 'aep://h/agent/boss', agent: 'boss', id, time: at(second), ...more });
const ids = (events: readonly AepEvent[]): string => sessionView(events).map(({ id }) => id).join(' ');

describe('sessionView', () => {
  it('orders by epoch and seq and never by time or arrival [E-078, E-079, E-073]', () => {
    expect(ids([own('c', 0, { epoch: 1, time: at(0) }), own('b', 9), own('a', 2, { time: at(59) })])).toBe('a b c');
  });

  it('drops what was seen, first come first kept, and keeps equal ids of other sources [E-077]', () => {
    const first = own('a', 1);
    expect(sessionView([first, { ...first, seq: 5 }, { ...first, source: 'aep://h/agent/b' }])).toHaveLength(2);
    expect(sessionView([first, { ...first, seq: 5 }])).toEqual([first]);
  });

  it('keeps two Events on one position, in order of arrival', () => {
    expect(ids([own('b', 1), own('a', 1), own('c', 0)])).toBe('c b a');
  });

  it('places an Event without a position by its time, behind its cause and ahead of its effects [E-042]', () => {
    expect(ids([own('a', 1), own('b', 3), command('x', 2)])).toBe('a x b');
    expect(ids([own('a', 1), own('b', 3), own('c', 5), command('x', 0, { cause: 'b' })])).toBe('a b x c');
    expect(ids([own('a', 1), own('b', 3, { cause: 'x' }), own('c', 5), command('x', 59)])).toBe('a x b c');
    expect(ids([command('y', 2), command('x', 2), own('a', 1), own('b', 3)])).toBe('a y x b');
    expect(ids([command('y', 0, { cause: 'x' }), command('x', 4), own('a', 1), own('b', 3), own('c', 5)])).toBe('a b x y c');
  });

  it('holds under every order of arrival: nothing lost, positions rise, causes come first [E-042]', () => {
    const events = fc.array(
      fc.record({ foreign: fc.boolean(), seq: fc.nat(20), epoch: fc.nat(2), second: fc.nat(59), cause: fc.option(fc.nat(15), { nil: undefined }) }),
      { maxLength: 16 },
    );
    fc.assert(
      fc.property(events, (drafts) => {
        // A cause always names an Event made before: no rings.
        const made = drafts.map(({ foreign, seq, epoch, second, cause }, n): AepEvent => {
          const more = { time: at(second), ...(cause === undefined || cause >= n ? {} : { cause: `e${cause}` }) };
          return foreign ? command(`e${n}`, second, more) : own(`e${n}`, seq, { ...more, epoch });
        });
        const view = sessionView(made);
        expect([...view].sort((a, b) => a.id.localeCompare(b.id))).toEqual([...made].sort((a, b) => a.id.localeCompare(b.id)));
        const sequenced = view.filter(({ seq }) => seq !== undefined).map(({ epoch = 0, seq = 0 }) => ({ epoch, seq }));
        for (const [n, position] of sequenced.entries()) if (n > 0) expect(comparePositions(sequenced[n - 1]!, position)).toBeLessThanOrEqual(0);
        for (const [place, event] of view.entries()) {
          if (event.seq === undefined && event.cause !== undefined) expect(view.findIndex(({ id }) => id === event.cause)).toBeLessThan(place);
        }
      }),
    );
  });

  it('comes to an end where causes form a ring', () => {
    expect(sessionView([command('x', 1, { cause: 'y' }), command('y', 2, { cause: 'x' }), command('z', 3, { cause: 'z' })])).toHaveLength(3);
  });
});
