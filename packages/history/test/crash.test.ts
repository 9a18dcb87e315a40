import { fileURLToPath } from 'node:url';
import { launchNode, tempDir } from '@aepkit/testkit';
import { expect, it } from 'vitest';
import { openHistory, type History } from '../src/index.js';
import { from, position, query, replay } from './support.js';

const PROGRAM = fileURLToPath(new URL('./programs/append-until-killed.mjs', import.meta.url));
const ROUNDS = 20;

/** Events per batch; each batch whole, each Event once. */
async function keptBatches(history: History, session?: string): Promise<Map<string, number>> {
  const kept = new Map<string, number>();
  const sizes = new Map<string, number>();
  const ids = new Set<string>();
  for (const { event } of await query(history, session === undefined ? {} : { session })) {
    const { batch, size } = event.data as { batch: string; size: number };
    kept.set(batch, (kept.get(batch) ?? 0) + 1);
    sizes.set(batch, size);
    expect(ids.has(event.id)).toBe(false);
    ids.add(event.id);
  }
  expect(kept).toEqual(sizes);
  return kept;
}

it('keeps every acknowledged batch whole and once, whenever the process is killed', async () => {
  await using folder = await tempDir();
  const path = folder.file('history.db');
  const acknowledged = new Set<string>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const program = launchNode(PROGRAM, { args: [path, String(round)] });
    // The lock of the one that was killed before is gone, or this would end without an answer.
    await program.output(new RegExp(`^(?:\\d+-\\d+\\n){${1 + ((round * 13) % 25)}}`));
    const { stdout, stderr } = await program.stop('SIGKILL');
    expect(stderr.replace(/.*(?:Experimental|trace-warnings).*\n/g, '')).toBe('');
    for (const line of stdout.split('\n').slice(0, -1)) acknowledged.add(line);

    const history = await openHistory({ path, buffer: 50, writer: 'inline' });
    const kept = await keptBatches(history, `round-${round}`);
    for (const line of stdout.split('\n').slice(0, -1)) {
      expect(kept.has(line), line).toBe(true);
      acknowledged.add(line);
    }
    // What is kept besides the Events agrees with them.
    const total = [...kept.values()].reduce((sum, count) => sum + count, 0);
    expect(await history.sessions({ session: `round-${round}` })).toMatchObject([{ count: total }]);
    const served = await replay(history, from(position(-1, 0, `round-${round}`)));
    expect(served.filter((step) => step.type === 'event')).toHaveLength(Math.min(total, 50));
    await history.close();
  }
  const history = await openHistory({ path, writer: 'inline' });
  const kept = await keptBatches(history);
  for (const batch of acknowledged) expect(kept.has(batch), batch).toBe(true);
  await history.close();
  expect(acknowledged.size).toBeGreaterThan(ROUNDS);
}, 300_000);
