import { buildWire } from '@aepkit/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { createRouter } from '../src/index.js';
import { commandOf, EVERYBODY, NOBODY, peer, type TestPeer } from './support.js';

type Step =
  | { readonly type: 'join'; readonly who: number; readonly kind: number }
  | { readonly type: 'leave'; readonly who: number }
  | { readonly type: 'say'; readonly who: number; readonly session: string }
  | { readonly type: 'end'; readonly who: number; readonly session: string }
  | { readonly type: 'command'; readonly id: number; readonly session: string; readonly vendor: boolean; readonly known: boolean };

const who = fc.nat(3);
const session = fc.constantFrom('s1', 's2', '__proto__');
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({ type: fc.constant('join' as const), who, kind: fc.nat(4) }),
    fc.record({ type: fc.constant('leave' as const), who }),
    fc.record({ type: fc.constant('say' as const), who, session }),
    fc.record({ type: fc.constant('end' as const), who, session }),
    fc.record({ type: fc.constant('command' as const), id: fc.nat(3), session, vendor: fc.boolean(), known: fc.boolean() }),
  ),
  { maxLength: 60 },
);

const KINDS = [
  {},
  { role: 'both' as const, capabilities: { control: { accepts: ['x.acme.control.go'] } } },
  { principal: NOBODY },
  { capabilities: {} },
  { role: 'consumer' as const },
];

/** The same rules written as questions over everything that has happened so far, with no state of their own. */
type Fact =
  | { readonly type: 'join'; readonly peer: TestPeer; readonly kind: number }
  | { readonly type: 'leave'; readonly peer: TestPeer }
  | { readonly type: 'say' | 'end'; readonly peer: TestPeer; readonly session: string }
  | { readonly type: 'handed'; readonly peer: TestPeer; readonly key: string };

function live(facts: readonly Fact[]): { peer: TestPeer; kind: number }[] {
  return facts.flatMap((fact, at) =>
    fact.type === 'join' && !facts.slice(at).some((later) => later.type === 'leave' && later.peer === fact.peer) ? [{ peer: fact.peer, kind: fact.kind }] : [],
  );
}

function claims(facts: readonly Fact[], { peer: connection, kind }: { peer: TestPeer; kind: number }, name: string): boolean {
  const about = facts.filter((fact) => (fact.type === 'say' || fact.type === 'end') && fact.peer === connection && fact.session === name);
  return kind !== 4 && about.some(({ type }) => type === 'say') && !about.some(({ type }) => type === 'end');
}

function expected(facts: readonly Fact[], step: Extract<Step, { type: 'command' }>): { code: string } | { peer: TestPeer } {
  if (!step.known) return { code: 'unauthorized' };
  const there = live(facts);
  let targets = there.filter((each) => claims(facts, each, step.session));
  if (targets.length === 0) {
    const first = facts.find((fact) => fact.type === 'handed' && fact.key === keyOf(step) && there.some(({ peer: each }) => each === fact.peer));
    targets = there.filter(({ peer: each }) => first?.type === 'handed' && each === first.peer);
  }
  const [target] = targets;
  if (target === undefined) return { code: 'no-route' };
  if (targets.length > 1) return { code: 'ambiguous' };
  if (target.kind === 2) return { code: 'unauthorized' };
  if (target.kind === 3 || (target.kind === 1) !== step.vendor) return { code: 'unsupported' };
  return { peer: target.peer };
}

// The address belongs to what a sender repeats, so it is part of the identity here as it is of the bytes there.
const keyOf = ({ id, session: name, vendor }: Extract<Step, { type: 'command' }>): string => `${String(id)}-${name}-${String(vendor)}`;

describe('the router', () => {
  it('agrees with the rules read over the whole past: one target or a refusal, and the roster [C-045, C-046, C-065]', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const router = createRouter();
        const facts: Fact[] = [];
        const seats: (TestPeer | undefined)[] = [];
        const everybody: TestPeer[] = [];
        for (const step of all) {
          if (step.type === 'command') {
            const before = everybody.map(({ got }) => got.length);
            const command = commandOf({ id: keyOf(step), session: step.session, type: step.vendor ? 'x.acme.control.go' : 'control.pause' });
            const answer = router.route(command, peer({ role: 'consumer', principal: step.known ? EVERYBODY : NOBODY }));
            const wanted = expected(facts, step);
            const got = everybody.filter(({ got: now }, at) => now.length > (before[at] ?? 0));
            if ('code' in wanted) {
              expect(answer).toMatchObject({ type: 'refused', code: wanted.code });
              expect(got).toEqual([]);
            } else {
              expect(answer).toEqual({ type: 'handed', connection: wanted.peer.id });
              expect(got).toEqual([wanted.peer]);
              expect(got[0]?.got.at(-1)).toBe(command);
              facts.push({ type: 'handed', peer: wanted.peer, key: keyOf(step) });
            }
          } else {
            const seated = seats[step.who];
            if (step.type === 'join' && seated === undefined) {
              const joined = peer(KINDS[step.kind]);
              seats[step.who] = joined;
              everybody.push(joined);
              router.hello(joined);
              facts.push({ type: 'join', peer: joined, kind: step.kind });
            } else if (seated !== undefined && step.type === 'leave') {
              router.closed(seated);
              seats[step.who] = undefined;
              facts.push({ type: 'leave', peer: seated });
            } else if (seated !== undefined && (step.type === 'say' || step.type === 'end')) {
              router.seen(seated, buildWire(step.type === 'say' ? { session: step.session } : { type: 'session.ended', session: step.session, data: undefined }));
              facts.push({ type: step.type, peer: seated, session: step.session });
            }
          }
          const roster = live(facts).flatMap((each) => ['s1', 's2', '__proto__'].filter((name) => claims(facts, each, name)));
          expect(router.roster().map(({ session: name }) => name).sort()).toEqual(roster.sort());
        }
      }),
      { numRuns: 150 },
    );
  });
});
