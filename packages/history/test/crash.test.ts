import { fileURLToPath } from 'node:url';
import { launchNode, tempDir } from '@aepkit/testkit';
import { expect, it } from 'vitest';
import { openHistory } from '../src/index.js';
import { ALL, query, replay } from './support.js';

const PROGRAM = fileURLToPath(new URL('./programs/append-until-killed.mjs', import.meta.url));
const ROUNDS = 20;

it('keeps every acknowledged batch whole and once, whenever the process is killed', async () => {
  await using folder = await tempDir();
  const path = folder.file('history.db');
  const acknowledged = new Set<string>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const program = launchNode(PROGRAM, { args: [path, String(round)] });
    // The lock of the one that was killed before is gone, or this would end without an answer.
    await program.output(new RegExp(`^(?:.+\\n){${1 + ((round * 13) % 40)}}`));
    const { stdout, stderr } = await program.stop('SIGKILL');
    expect(stderr.replace(/.*(?:Experimental|trace-warnings).*\n/g, '')).toBe('');
    for (const line of stdout.split('\n').slice(0, -1)) acknowledged.add(line);

    const history = await openHistory({ path, buffer: 50, writer: 'inline' });
    const kept = new Map<string, { size: number; count: number }>();
    const ids = new Set<string>();
    for (const { event } of await query(history)) {
      const { batch, size } = event.data as { batch: string; size: number };
      const known = kept.get(batch) ?? { size, count: 0 };
      known.count += 1;
      kept.set(batch, known);
      expect(ids.has(event.id)).toBe(false);
      ids.add(event.id);
    }
    for (const { size, count } of kept.values()) expect(count).toBe(size);
    for (const batch of acknowledged) expect(kept.has(batch), batch).toBe(true);
    const total = [...kept.values()].reduce((sum, { count }) => sum + count, 0);
    expect((await history.sessions({ limit: Infinity })).reduce((sum, { count }) => sum + count, 0)).toBe(total);
    const served = (await replay(history, ALL)).filter((step) => step.type === 'event');
    const perSession = new Map<string, number>();
    for (const { event } of served) perSession.set(event.event.session ?? '', (perSession.get(event.event.session ?? '') ?? 0) + 1);
    for (const { session, count } of await history.sessions({ limit: Infinity })) expect(perSession.get(session)).toBe(Math.min(count, 50));
    await history.close();
  }
  expect(acknowledged.size).toBeGreaterThan(ROUNDS);
}, 240_000);
