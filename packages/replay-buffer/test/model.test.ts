import type { Position } from '@aepkit/envelope';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ReplayBuffer, ReplayEvictedError, type Replayed } from '../src/index.js';
import { wire, word, words } from './events.js';
import { Model } from './model.js';

const SESSIONS = ['a', 'b', 'c'];
const SOURCES = ['aep://h/1', 'aep://h/2'];

const sequenced = fc.record({
  kind: fc.constant('sequenced' as const),
  session: fc.constantFrom(...SESSIONS),
  source: fc.constantFrom(...SOURCES),
  epoch: fc.constantFrom(undefined, 0, 0, 0, 1, 2),
  seq: fc.nat(12),
  id: fc.nat(60),
  started: fc.nat(9).map((n) => n === 0),
  pad: fc.constantFrom(0, 0, 0, 300, 3000),
});
const run = fc.record({
  kind: fc.constant('run' as const),
  session: fc.constantFrom(...SESSIONS),
  source: fc.constantFrom(...SOURCES),
  from: fc.nat(20),
  count: fc.integer({ min: 1, max: 8 }),
});
const foreign = fc.record({ kind: fc.constant('foreign' as const), session: fc.constantFrom(...SESSIONS, 'd'), source: fc.constantFrom('aep://h/x', SOURCES[0]!), id: fc.nat(60), pad: fc.constantFrom(0, 300) });
const positions = fc.array(fc.record({ session: fc.constantFrom(...SESSIONS, 'd'), epoch: fc.nat(2), seq: fc.nat(14) }), { minLength: 1, maxLength: 3 });
const from = fc.oneof(fc.constant('all' as const), positions.map((list) => ({ positions: list })), fc.nat(30).map((after) => ({ after })));
const start = fc.record({ kind: fc.constant('start' as const), from, upTo: fc.oneof(fc.constant(Infinity), fc.nat(40)) });
const pull = fc.record({ kind: fc.constant('pull' as const), replay: fc.nat(3), steps: fc.integer({ min: 1, max: 6 }) });
const missed = fc.record({ kind: fc.constant('missed' as const), session: fc.constantFrom(...SESSIONS, 'd'), epoch: fc.nat(1), seq: fc.nat(14) });
const look = fc.record({ kind: fc.constant('look' as const), from: fc.oneof(fc.constant('all' as const), positions.map((list) => ({ positions: list }))) });
const action = fc.oneof({ weight: 5, arbitrary: sequenced }, { weight: 3, arbitrary: run }, { weight: 2, arbitrary: foreign }, { weight: 2, arbitrary: start }, { weight: 4, arbitrary: pull }, { weight: 2, arbitrary: look }, { weight: 1, arbitrary: missed });

const options = fc.record({
  perSession: fc.constantFrom(1, 2, 3, 5, Infinity),
  sessions: fc.constantFrom(1, 2, 3, 4, Infinity),
  bytes: fc.constantFrom(4000, 8000, 15_000, Infinity),
  evictedSessions: fc.constantFrom(0, 1, 2, 100),
  copy: fc.boolean(),
});

/** A replay of the model, one call of `next` at a time. */
type Expectation = (model: Model) => string[] | 'gone' | 'done';

function lowest(list: readonly Position[]): [string, Position][] {
  const found = new Map<string, Position>();
  for (const each of list) {
    const known = found.get(each.session);
    if (known === undefined || each.epoch < known.epoch || (each.epoch === known.epoch && each.seq < known.seq)) found.set(each.session, each);
  }
  return [...found];
}

function bySession(queue: [string, Position | undefined][], upTo: number): Expectation {
  let session: string | undefined;
  let owed = '';
  let pending: { readonly word: string; readonly held: () => boolean }[] = [];
  return (model) => {
    const step: string[] = [];
    if (session === undefined) {
      const next = queue.shift();
      if (next === undefined) return 'done';
      session = next[0];
      const turn = model.turn(session, next[1], upTo);
      pending = [...turn.events];
      owed = turn.owed;
      if (turn.marker !== undefined) step.push(turn.marker);
    } else if (pending.some((each) => !each.held())) {
      return 'gone';
    }
    const event = pending.shift();
    if (event !== undefined) return [...step, event.word];
    step.push(`.${session}${owed}`);
    session = undefined;
    return step;
  };
}

function byOrder(after: number, upTo: number): Expectation {
  let given = after;
  return (model) => {
    if (given >= upTo) return 'done';
    given += 1;
    const one = model.isHeld(given);
    return one === undefined ? 'gone' : [word({ type: 'event', event: one.wire })];
  };
}

describe('a replay buffer', () => {
  it('does what a simple model does, under writers [B-218]', () => {
    fc.assert(
      fc.property(options, fc.array(action, { maxLength: 120, size: 'max' }), (bounds, actions) => {
        const buffer = new ReplayBuffer({ ...bounds, chunk: 1 });
        const model = new Model(bounds);
        const replays: { readonly real: Iterator<readonly Replayed[], void, void>; readonly expected: Expectation }[] = [];
        const admit = (members: Parameters<typeof wire>[0]) => {
          const event = wire(members);
          expect(buffer.admit(event)).toBe(model.admit(event));
        };
        for (const each of actions) {
          switch (each.kind) {
            case 'sequenced':
              admit({ session: each.session, source: each.source, epoch: each.epoch, seq: each.seq, id: `i${each.id}`, data: { pad: 'x'.repeat(each.pad) }, ...(each.started ? { type: 'session.started' } : {}) });
              break;
            case 'run':
              for (let seq = each.from; seq < each.from + each.count; seq++) admit({ session: each.session, source: each.source, seq });
              break;
            case 'foreign':
              admit({ type: 'control.cancel', seq: undefined, session: each.session, source: each.source, id: `i${each.id}`, data: { pad: 'x'.repeat(each.pad) } });
              break;
            case 'missed':
              buffer.missed(each);
              model.missed(each);
              break;
            case 'look':
              expect(words(buffer, each.from)).toBe(expectedWords(model, each.from));
              break;
            case 'start': {
              const upTo = Math.min(each.upTo, buffer.order);
              const expected =
                each.from === 'all'
                  ? bySession(model.sessions().map((session) => [session, undefined]), upTo)
                  : 'after' in each.from
                    ? byOrder(each.from.after, upTo)
                    : bySession(lowest(each.from.positions), upTo);
              replays.push({ real: buffer.replay(each.from, each.upTo), expected });
              break;
            }
            case 'pull': {
              const replay = replays[each.replay];
              for (let step = 0; replay !== undefined && step < each.steps; step++) {
                const wanted = replay.expected(model);
                if (wanted === 'gone') {
                  expect(() => replay.real.next()).toThrow(ReplayEvictedError);
                  expect(replay.real.next().done).toBe(true);
                } else {
                  const { done, value } = replay.real.next();
                  expect(done === true ? 'done' : value.map(word)).toEqual(wanted);
                }
                if (wanted === 'gone' || wanted === 'done') {
                  replays.splice(each.replay, 1);
                  break;
                }
              }
              break;
            }
          }
          expect(buffer.order).toBe(model.order);
          expect(buffer.stats()).toEqual({ sessions: model.buffers.length, events: model.held.length, bytes: model.bytes, evicted: model.evicted });
        }
      }),
      { numRuns: 300, seed: 5 },
    );
  }, 60_000);

  it('never skips an Event of the wanted sessions in order of admission, whatever leaves [B-218]', () => {
    fc.assert(
      fc.property(options, fc.array(fc.oneof(sequenced, run, foreign, pull), { maxLength: 80, size: 'max' }), fc.nat(20), (bounds, actions, after) => {
        const buffer = new ReplayBuffer({ ...bounds, chunk: 2 });
        const model = new Model(bounds);
        const hint = { sessions: new Set(['a', 'd']) };
        let wanted: string[] | undefined;
        let got: string[] = [];
        let replay: Iterator<readonly Replayed[], void, void> | undefined;
        for (const each of actions) {
          if (each.kind === 'pull') {
            if (replay === undefined) {
              wanted = model.held.filter(({ order, wire: { event } }) => order > after && event.session === 'a').map(({ wire: { event } }) => event.id);
              const complete = model.held.filter(({ order }) => order > after).length === Math.max(0, model.order - after);
              replay = buffer.replay({ after }, buffer.order, hint);
              if (!complete) wanted = undefined;
              got = [];
            }
            try {
              const { done, value } = replay.next();
              if (done === true) {
                if (wanted !== undefined) expect(got).toEqual(wanted);
                return;
              }
              got.push(...value.flatMap((step) => (step.type === 'event' ? step.event.event.id : [])));
            } catch (error) {
              expect(error).toBeInstanceOf(ReplayEvictedError);
              return;
            }
          } else {
            const members =
              each.kind === 'run'
                ? Array.from({ length: each.count }, (_, index) => ({ session: each.session, source: each.source, seq: each.from + index }))
                : [{ session: each.session, source: each.source, id: `i${each.id}`, ...(each.kind === 'foreign' ? { type: 'control.cancel', seq: undefined } : { seq: each.seq }) }];
            for (const one of members) {
              const event = wire(one);
              expect(buffer.admit(event)).toBe(model.admit(event));
            }
          }
        }
      }),
      { numRuns: 300, seed: 6 },
    );
  }, 60_000);
});

function expectedWords(model: Model, from: 'all' | { readonly positions: readonly Position[] }): string {
  const expected = bySession(from === 'all' ? model.sessions().map((session) => [session, undefined]) : lowest(from.positions), Infinity);
  const all: string[] = [];
  for (;;) {
    const step = expected(model);
    if (typeof step === 'string') return all.join(' ');
    all.push(...step);
  }
}
