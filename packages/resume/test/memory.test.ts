import { buildWire, type EventOverrides } from '@aepkit/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { Memory } from '../src/index.js';

const SOURCE = 'aep://test/agent/a1/session/s1';
const at = (seq: number, overrides: EventOverrides = {}) => buildWire({ id: `e${(overrides.epoch as number | undefined) ?? 0}-${seq}`, seq, ...overrides });

/** Judges and processes like the consumer does; gives the verdicts. */
function take(memory: Memory, ...events: ReturnType<typeof at>[]): string[] {
  return events.map((event) => {
    const { verdict } = memory.judge(event);
    if (verdict === 'new' || verdict === 'replaces') memory.taken(event);
    return verdict;
  });
}

const fresh = (maxSeen = 1000, maxSessions = 1000) => {
  const memory = new Memory({ maxSeen, maxSessions });
  memory.connected('live', []);
  return memory;
};

describe('Memory', () => {
  it('drops a repeat of (source, id), and nothing that shares the id alone [B-111]', () => {
    const memory = fresh();
    const other = buildWire({ id: 'e0-1', seq: 1, source: 'aep://test/agent/a2/session/s1' });
    expect(take(memory, at(1), at(1), other, at(1))).toEqual(['new', 'redelivered', 'new', 'redelivered']);
  });

  it('lets a copy with a higher capture replace, and one with a lower or equal one not', () => {
    const memory = fresh();
    const copies = ['metadata', 'none', undefined, 'full', 'redacted', 'full'].map((capture) => at(1, { capture, data: undefined }));
    expect(take(memory, ...copies)).toEqual(['new', 'redelivered', 'redelivered', 'replaces', 'redelivered', 'redelivered']);
  });

  it('takes an Event below the highest position for late backfill, and moves no position for it [B-168, B-169]', () => {
    const memory = fresh();
    expect(take(memory, at(1), at(5), at(3))).toEqual(['new', 'new', 'new']);
    expect(memory.positions()).toEqual([{ source: SOURCE, session: 's1', epoch: 0, seq: 5 }]);
    expect(take(memory, at(0, { epoch: 1 }), at(7))).toEqual(['new', 'new']);
    expect(memory.positions()).toEqual([{ source: SOURCE, session: 's1', epoch: 1, seq: 0 }]);
  });

  describe('tells what was sent again from what a replay brings again', () => {
    const command = buildWire({ id: 'c1', type: 'control.cancel', seq: undefined });
    const before = () => {
      const memory = fresh();
      take(memory, at(1), at(2), at(3), command);
      return memory;
    };

    it('where everything held is replayed: at its second copy, or once the session is past where it was', () => {
      const memory = before();
      memory.connected('all', []);
      expect(take(memory, at(1), at(2), command)).toEqual(['duplicate', 'duplicate', 'duplicate']);
      expect(take(memory, at(1), command)).toEqual(['redelivered', 'redelivered']);
      expect(take(memory, at(3), at(4), at(3), at(2))).toEqual(['duplicate', 'new', 'redelivered', 'redelivered']);
      memory.connected('all', []);
      expect(take(memory, at(5), at(1), at(4))).toEqual(['new', 'redelivered', 'redelivered']);
    });

    it('where a replay begins behind positions: what is at or ahead of them, or of a session that was not named', () => {
      const memory = before();
      take(memory, at(1, { session: 's2', id: 'x' }));
      memory.connected('positions', [{ session: 's1', epoch: 0, seq: 2 }]);
      expect(take(memory, at(2), at(3), at(1, { session: 's2', id: 'x' }))).toEqual(['redelivered', 'duplicate', 'redelivered']);
      expect(take(memory, command, command, at(4), at(3))).toEqual(['duplicate', 'redelivered', 'new', 'redelivered']);
    });

    it('where nothing is replayed: all of it', () => {
      const memory = before();
      memory.connected('live', []);
      expect(take(memory, at(3), command)).toEqual(['redelivered', 'redelivered']);
    });
  });

  it('moves no position for a repeat', () => {
    const memory = fresh();
    take(memory, at(5), at(9));
    memory.takeChanged();
    take(memory, at(5), at(9, { capture: 'full', data: undefined }));
    expect(memory.takeChanged()).toEqual([]);
    expect(memory.resumePositions()).toEqual([{ session: 's1', epoch: 0, seq: 9 }]);
  });

  it('moves a position only when the Event has been processed [B-166]', () => {
    const memory = fresh();
    memory.judge(at(5));
    expect(memory.positions()).toEqual([]);
  });

  it('keeps two Events at one position under two ids', () => {
    expect(take(fresh(), at(1, { id: 'a' }), at(1, { id: 'b' }))).toEqual(['new', 'new']);
  });

  it('resumes a session of several sources at the lowest of their positions, the latest session first', () => {
    const memory = fresh();
    take(memory, at(5), at(9, { source: 'x:', id: 'x' }), at(2, { session: 's2', id: 'y' }), at(7, { source: 'x:', id: 'z' }));
    expect(memory.resumePositions()).toEqual([
      { session: 's1', epoch: 0, seq: 5 },
      { session: 's2', epoch: 0, seq: 2 },
    ]);
  });

  describe('while everything held is replayed', () => {
    it('drops what it has, and takes what it has not, in the middle too', () => {
      const memory = fresh();
      memory.connected('all', []);
      take(memory, at(1), at(2), at(4));
      memory.connected('all', []);
      expect(take(memory, at(1), at(2), at(3), at(4), at(5))).toEqual(['duplicate', 'duplicate', 'new', 'duplicate', 'new']);
    });

    it('knows a repeat by its position where the id is forgotten', () => {
      const memory = fresh(2);
      memory.connected('all', []);
      take(memory, at(1), at(2), at(3), at(4));
      memory.connected('all', []);
      expect(take(memory, at(1), at(2), at(3), at(4), at(5))).toEqual(['duplicate', 'duplicate', 'duplicate', 'duplicate', 'new']);
    });

    it('takes what comes below behind the replay for backfill again', () => {
      const memory = fresh(2);
      memory.connected('all', []);
      take(memory, at(1), at(3), at(4), at(5));
      memory.connected('all', []);
      expect(take(memory, at(5), at(2))).toEqual(['duplicate', 'new']);
      memory.connected('all', []);
      expect(take(memory, at(6), at(2, { id: 'another' }))).toEqual(['new', 'new']);
    });

    it('drops what an earlier run has processed, and takes the rest', () => {
      const memory = new Memory();
      memory.restore([{ source: SOURCE, session: 's1', epoch: 1, seq: 2 }]);
      memory.connected('all', []);
      const next = [at(9), at(2, { epoch: 1 }), at(3, { epoch: 1 }), at(0, { epoch: 2 }), at(1, { session: 's2', id: 'q' })];
      expect(take(memory, ...next)).toEqual(['duplicate', 'duplicate', 'new', 'new', 'new']);
    });

    it('drops what lies before a live start, and takes sessions never seen whole', () => {
      const memory = new Memory();
      memory.startBehind([]);
      memory.connected('live', []);
      take(memory, at(5), at(4), at(6));
      memory.connected('all', []);
      expect(take(memory, at(3), at(4), at(6), at(7), at(0, { session: 's2', id: 'q' }))).toEqual(['duplicate', 'duplicate', 'duplicate', 'new', 'new']);
    });

    it('drops what lies before the positions the caller named, in later replays too', () => {
      const memory = new Memory();
      memory.startBehind([{ session: 's1', epoch: 0, seq: 5 }]);
      memory.connected('all', []);
      expect(take(memory, at(5), at(6))).toEqual(['duplicate', 'new']);
      memory.connected('all', []);
      expect(take(memory, at(4), at(5), at(6), at(7))).toEqual(['duplicate', 'duplicate', 'duplicate', 'new']);
    });

    it('keeps Events without a position apart, so that others do not push their ids out', () => {
      const memory = fresh(2);
      const command = buildWire({ type: 'control.cancel', id: 'c', seq: undefined });
      memory.connected('all', []);
      take(memory, command, at(1), at(2), at(3), at(4));
      memory.connected('all', []);
      expect(take(memory, command)).toEqual(['duplicate']);
    });

    it('finds a hole where neither the last Event nor its successor was held', () => {
      const cases: [number[], boolean][] = [
        [[5, 6, 8], false],
        [[4, 8], false],
        [[6, 8], false],
        [[7], true],
        [[8, 9], true],
      ];
      for (const [held, hole] of cases) {
        const memory = fresh();
        take(memory, at(4), at(5));
        memory.connected('all', []);
        const missing = held.map((seq) => memory.judge(at(seq)).missing).filter((found) => found !== undefined);
        expect(missing, held.join()).toEqual(
          hole ? [{ source: SOURCE, session: 's1', after: { epoch: 0, seq: 5 }, earliest: { epoch: 0, seq: held[0] } }] : [],
        );
      }
    });

    it('finds a hole in front of a later epoch', () => {
      const memory = fresh();
      take(memory, at(5));
      memory.connected('all', []);
      expect(memory.judge(at(6, { epoch: 1 })).missing).toMatchObject({ after: { epoch: 0, seq: 5 }, earliest: { epoch: 1, seq: 6 } });
    });
  });

  it('looks for no hole in a replay from positions, where the endpoint tells', () => {
    const memory = fresh();
    take(memory, at(5));
    memory.connected('live', []);
    expect(memory.judge(at(8)).missing).toBeUndefined();
  });

  it('remembers as many ids and sessions as it is told to', () => {
    const memory = fresh(3, 2);
    take(memory, at(1, { session: 'a', id: '1' }), at(1, { session: 'b', id: '2' }), at(2, { session: 'a', id: '3' }), at(1, { session: 'c', id: '4' }));
    expect(memory.positions().map(({ session }) => session)).toEqual(['a', 'c']);
    expect(take(memory, at(1, { session: 'a', id: '1' }), at(1, { session: 'b', id: '2' }))).toEqual(['new', 'new']);
  });

  describe('where an Event may have come for another subscription', () => {
    it('takes the id and moves no position, until it comes in its order', () => {
      const memory = fresh();
      memory.noted(at(5));
      expect([memory.judge(at(5), false).verdict, memory.positions()]).toEqual(['redelivered', []]);
      memory.confirmed(at(5));
      expect(memory.positions()).toMatchObject([{ seq: 5 }]);
      memory.noted(at(9));
      memory.confirmed(at(7));
      expect(memory.positions()).toMatchObject([{ seq: 5 }]);
    });

    it('draws no conclusion about what came before it', () => {
      const memory = fresh();
      take(memory, at(5));
      memory.connected('all', []);
      expect(memory.judge(at(9), false)).toEqual({ verdict: 'new' });
      expect(memory.judge(at(8))).toMatchObject({ missing: { after: { seq: 5 }, earliest: { seq: 8 } } });
    });

    it('forgets no higher capture for a lower one', () => {
      const memory = fresh();
      const copy = (capture: string) => at(1, { capture, data: undefined });
      memory.taken(copy('full'));
      memory.noted(copy('none'));
      expect(memory.judge(copy('redacted')).verdict).toBe('redelivered');
    });
  });

  it('gives what has moved once', () => {
    const memory = fresh();
    take(memory, at(1), at(2));
    expect(memory.takeChanged()).toEqual([{ source: SOURCE, session: 's1', epoch: 0, seq: 2 }]);
    expect(memory.takeChanged()).toEqual([]);
  });

  describe('against a model of an endpoint that is left and come back to', () => {
    type Wire = ReturnType<typeof at>;
    interface Step {
      readonly do: 'emit' | 'backfill' | 'leave' | 'return';
      readonly session: number;
      readonly skip: number;
    }
    interface Held {
      events: Wire[];
      evicted: number;
    }
    const step: fc.Arbitrary<Step> = fc.oneof(
      { weight: 6, arbitrary: fc.record({ do: fc.constant('emit' as const), session: fc.nat({ max: 2 }), skip: fc.nat({ max: 2 }) }) },
      { weight: 2, arbitrary: fc.record({ do: fc.constant('backfill' as const), session: fc.nat({ max: 2 }), skip: fc.nat({ max: 5 }) }) },
      { weight: 2, arbitrary: fc.record({ do: fc.constant('leave' as const), session: fc.constant(0), skip: fc.constant(0) }) },
      { weight: 2, arbitrary: fc.record({ do: fc.constant('return' as const), session: fc.constant(0), skip: fc.constant(0) }) },
    );

    /** Plays steps; every Event is in `sent` with whether the buffer took it. */
    function play(steps: readonly Step[], buffer: number, maxSeen: number) {
      const memory = new Memory({ maxSeen, maxSessions: 100 });
      const held = new Map<string, Held>();
      const sent: { event: Wire; admitted: boolean }[] = [];
      const given: string[] = [];
      const gaps: { session: string; after: number; earliest: number }[] = [];
      let connected = true;
      memory.connected('all', []);
      const receive = (event: Wire): void => {
        const { verdict, missing } = memory.judge(event);
        if (missing !== undefined) gaps.push({ session: missing.session, after: missing.after.seq, earliest: missing.earliest.seq });
        if (verdict === 'duplicate') return;
        given.push(event.event.id);
        memory.taken(event);
      };
      const emit = (session: string, seq: number): void => {
        const place = held.get(session) ?? { events: [], evicted: -1 };
        held.set(session, place);
        const event = at(seq, { session, id: `${session}-${seq}`, source: `s:${session}` });
        const admitted = seq > place.evicted;
        sent.push({ event, admitted });
        if (admitted) {
          place.events = [...place.events, event].toSorted((a, b) => a.event.seq! - b.event.seq!);
          while (place.events.length > buffer) place.evicted = place.events.shift()!.event.seq!;
        }
        if (connected) receive(event);
      };
      const next = new Map<string, number>();
      const skipped = new Map<string, number[]>();
      for (const { do: what, session: index, skip } of [...steps, { do: 'leave' as const, session: 0, skip: 0 }, { do: 'return' as const, session: 0, skip: 0 }]) {
        const session = `s${index}`;
        if (what === 'leave') connected = false;
        else if (what === 'return') {
          if (connected) continue;
          connected = true;
          memory.connected('all', []);
          for (const { events } of held.values()) for (const event of events) receive(event);
        } else if (what === 'emit') {
          const seq = (next.get(session) ?? 0) + skip;
          for (let hole = seq - skip; hole < seq; hole += 1) skipped.set(session, [...(skipped.get(session) ?? []), hole]);
          next.set(session, seq + 1);
          emit(session, seq);
        } else {
          const holes = skipped.get(session) ?? [];
          const [seq] = holes.splice(skip % Math.max(1, holes.length), 1);
          if (seq !== undefined) emit(session, seq);
        }
      }
      return { sent, given, gaps };
    }

    const lost = ({ sent, given, gaps }: ReturnType<typeof play>): string[] =>
      sent
        .filter(({ event, admitted }) => admitted && !given.includes(event.event.id))
        .filter(({ event }) => !gaps.some(({ session, after, earliest }) => session === event.event.session && after < event.event.seq! && event.event.seq! < earliest))
        .map(({ event }) => event.event.id);

    it('gives every Event once, or a gap where it has been evicted', () => {
      fc.assert(
        fc.property(fc.array(step, { maxLength: 60 }), fc.integer({ min: 1, max: 8 }), (steps, buffer) => {
          const played = play(steps, buffer, 1_000);
          expect(new Set(played.given).size).toBe(played.given.length);
          // Late backfill that was evicted again before anybody saw it lies below a position the consumer has passed.
          const late = new Set<string>();
          const highest = new Map<string, number>();
          for (const { event } of played.sent.map(({ event: wire }) => wire)) {
            const { id, seq = 0, session = '' } = event;
            if (seq < (highest.get(session) ?? 0)) late.add(id);
            highest.set(session, Math.max(seq, highest.get(session) ?? 0));
          }
          const first = new Map<string, number>();
          for (const id of played.given) {
            const [session, seq] = id.split('-') as [string, string];
            if (!first.has(session)) first.set(session, Number(seq));
          }
          // Of a session never seen before, what was evicted while the consumer was away draws no marker (AEP-0003 §5).
          const unseen = (id: string): boolean => Number(id.split('-')[1]) < (first.get(id.split('-')[0]!) ?? Infinity);
          expect(lost(played).filter((id) => !late.has(id) && !unseen(id))).toEqual([]);
        }),
        { numRuns: 300 },
      );
    });

    it('gives no Event twice, however little it remembers', () => {
      fc.assert(
        fc.property(fc.array(step, { maxLength: 60 }), fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 5 }), (steps, buffer, maxSeen) => {
          const { given } = play(steps, buffer, maxSeen);
          expect(new Set(given).size).toBe(given.length);
        }),
        { numRuns: 300 },
      );
    });
  });
});
