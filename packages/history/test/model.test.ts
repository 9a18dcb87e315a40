import type { WireEvent } from '@aepkit/envelope';
import { memoryLog } from '@aepkit/hub';
import type { EventLog, ReplayFrom } from '@aepkit/hub';
import { ReplayBuffer } from '@aepkit/replay-buffer';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ALL, at, command, from, replay, testStore } from './support.js';

const SESSIONS = ['s1', 's2'] as const;

interface Written {
  readonly session: (typeof SESSIONS)[number];
  readonly source: number;
  readonly epoch: number;
  readonly seq: number;
}

type Step =
  | { readonly type: 'batch'; readonly events: readonly Written[] }
  | { readonly type: 'command'; readonly session: (typeof SESSIONS)[number] }
  | { readonly type: 'resume'; readonly positions: readonly { session: string; epoch: number; seq: number }[] };

const place = { epoch: fc.nat(2), seq: fc.nat(9) };
const written = fc.record({ session: fc.constantFrom(...SESSIONS), source: fc.nat(1), ...place });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constant('batch' as const), events: fc.array(written, { minLength: 1, maxLength: 6 }) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('command' as const), session: fc.constantFrom(...SESSIONS) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('resume' as const),
      positions: fc.array(fc.record({ session: fc.constantFrom(...SESSIONS, 's3'), ...place }), { minLength: 1, maxLength: 3 }),
    }),
  },
);

function inShort(text: string, session: string): string {
  return `${session} ${text}`;
}

/** Steps of a replay, session by session in the order of names, since the order of sessions is nobody's promise. */
async function shown(log: EventLog, start: ReplayFrom, upTo?: number): Promise<string[]> {
  const bySession = new Map<string, string[]>();
  for (const each of await replay(log, start, upTo)) {
    const session = each.type === 'event' ? (each.event.event.session ?? '') : each.session;
    const text = each.type === 'event' ? each.event.event.id : each.type === 'exhausted' ? `! ${each.epoch}:${each.seq}` : '/';
    bySession.set(session, [...(bySession.get(session) ?? []), inShort(text, session)]);
  }
  return [...bySession].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, steps]) => steps);
}

/**
 * The durable log against the one in memory: same Events, same order, same markers, at every depth, across restarts. A position
 * is used once per source and a name that gets commands has one owner, since these two differ where that is left open.
 */
it('serves what the log in memory serves, also after it was opened again [B-109, B-165, B-213]', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 5 }), fc.boolean(), fc.array(step, { maxLength: 25 }), async (buffer, shared, steps) => {
      await using store = await testStore({ writer: 'inline', buffer, mapBytes: 0 });
      const memory = memoryLog(new ReplayBuffer({ perSession: buffer }), { schedule: (commit) => queueMicrotask(commit) });
      const used = new Set<string>();
      const looks: { start: ReplayFrom; upTo: number; expected: string[] }[] = [];
      let durable: EventLog = store.history;
      for (const [index, each] of steps.entries()) {
        if (each.type === 'resume') {
          const start = from(...each.positions);
          for (const look of [start, ALL]) {
            const expected = await shown(memory, look);
            expect(await shown(durable, look)).toEqual(expected);
            looks.push({ start: look, upTo: durable.mark(), expected });
          }
          if (index % 3 === 0) durable = await store.reopen();
          continue;
        }
        const events: WireEvent[] = [];
        if (each.type === 'command') {
          if (!shared) events.push(command(each.session));
        } else {
          for (const { session, source, epoch, seq } of each.events) {
            const owner = shared ? source : 0;
            const key = `${session} ${owner} ${epoch} ${seq}`;
            if (used.has(key)) continue;
            used.add(key);
            events.push(at(seq, { session, source: `aep://test/${session}/${owner}`, epoch }));
          }
        }
        expect(await durable.append(events)).toEqual(await memory.append(events));
      }
      // What was served up to a mark is served up to it for ever.
      for (const { start, upTo, expected } of looks) expect(await shown(durable, start, upTo)).toEqual(expected);
    }),
    { numRuns: Number(process.env.MODEL_RUNS ?? 40) },
  );
}, 3_600_000);
