import { buildSession, tempDir } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { launchCollector, ndjson, post, readReplay } from './support.js';

const ROUNDS = 20;
const BATCH = 25;

/** Posts batches of one session without pause until the collector is gone; gives the ids of those that got 202. */
async function flood(url: string, session: string, acknowledged: string[][]): Promise<void> {
  for (let first = 0; ; first += BATCH) {
    const events = buildSession(BATCH, { session, first });
    try {
      const response = await post(url, ndjson(events));
      if (response.status !== 202) return;
      await response.arrayBuffer();
    } catch {
      return;
    }
    acknowledged.push(events.map(({ event }) => event.id));
  }
}

describe('kill -9 in the middle of a flood', () => {
  it(`loses no acknowledged batch and replays none twice, ${ROUNDS} times over`, { timeout: 240_000 }, async () => {
    await using dir = await tempDir();
    const acknowledged: string[][] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const collector = await launchCollector({ data: dir.path });
      const floods = Array.from({ length: 4 }, (_, lane) => flood(collector.url, `r${round}-${lane}`, acknowledged));
      const before = acknowledged.length;
      // Killed behind a number of answers that differs from round to round, hence at another point of a commit.
      while (acknowledged.length < before + 3 + round * 2) await new Promise((resolve) => setImmediate(resolve));
      const exit = await collector.process.stop('SIGKILL');
      expect(exit.signal).toBe('SIGKILL');
      await Promise.all(floods);
    }
    const collector = await launchCollector({ data: dir.path });
    const { data } = await readReplay(collector.url);
    const ids = data.map((text) => (JSON.parse(text) as { id: string }).id);
    expect(new Set(ids).size).toBe(ids.length);
    const kept = new Set(ids);
    expect(acknowledged.flat().filter((id) => !kept.has(id))).toEqual([]);
    // A batch is kept whole or not at all, answered or not.
    expect(ids.length % BATCH).toBe(0);
    expect((await collector.process.stop()).code).toBe(0);
  });
});

describe('restart', () => {
  it('replays what came before it, and resumes behind a position of before', async () => {
    await using dir = await tempDir();
    const events = buildSession(10, { session: 's' });
    const first = await launchCollector({ data: dir.path });
    expect((await post(first.url, ndjson(events))).status).toBe(202);
    expect((await first.process.stop()).code).toBe(0);

    const second = await launchCollector({ data: dir.path });
    expect((await readReplay(second.url)).data).toEqual(events.map(({ json }) => json));
    const from = JSON.stringify([{ session: 's', epoch: 0, seq: 6 }]);
    const { data, comments } = await readReplay(second.url, { from });
    expect(data).toEqual(events.slice(7).map(({ json }) => json));
    expect(comments.filter((comment) => comment.includes('exhausted'))).toEqual([]);
    await second.process.stop();
  });

  it('lets one collector only use a data folder', async () => {
    await using dir = await tempDir();
    const first = await launchCollector({ data: dir.path });
    await expect(launchCollector({ data: dir.path })).rejects.toThrow(/another collector uses it/);
    await first.process.stop();
  });
});
