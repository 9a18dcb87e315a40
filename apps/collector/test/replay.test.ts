import { buildSession, tempDir } from '@aepkit/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type Collector, startCollector } from '../src/index.js';
import { ndjson, post, readLive, readReplay } from './support.js';

describe('--buffer', () => {
  it('is advertised, served and honoured exactly [B-097, B-104, B-106, B-213, B-045, B-100]', async () => {
    await using dir = await tempDir();
    const collector = await startCollector({ port: 0, data: dir.path, buffer: 8 });
    const events = buildSession(20, { session: 's' });
    await post(collector.url, ndjson(events));
    const discovery = (await (await fetch(`${collector.url}/events`)).json()) as { capabilities: { replay: object } };
    expect(discovery.capabilities.replay).toEqual({ buffer: 8, all: true });

    expect((await readReplay(collector.url)).order).toEqual(events.slice(12).map(({ json }) => `data: ${json}`));
    for (let seq = 0; seq < 20; seq += 1) {
      const { order } = await readReplay(collector.url, { from: JSON.stringify([{ session: 's', epoch: 0, seq }]) });
      const held = events.slice(Math.max(12, seq + 1)).map(({ json }) => `data: ${json}`);
      // Behind 11 nothing is missing: 12 follows and is held.
      expect(order, `behind ${seq}`).toEqual(seq < 11 ? [': replay-exhausted s 0:12', ...held] : held);
    }
    await collector.close();
  });

  it('never draws the marker for a session that lost nothing', async () => {
    await using dir = await tempDir();
    const collector = await startCollector({ port: 0, data: dir.path, buffer: 8 });
    await post(collector.url, ndjson(buildSession(8, { session: 's' })));
    for (let seq = 0; seq < 12; seq += 1) {
      expect((await readReplay(collector.url, { from: JSON.stringify([{ session: 's', epoch: 0, seq }]) })).order[0] ?? '').not.toContain('exhausted');
    }
    await collector.close();
  });
});

describe('a replay of 100,000 Events', () => {
  const COUNT = 100_000;
  let collector: Collector;
  let dir: Awaited<ReturnType<typeof tempDir>>;

  beforeAll(async () => {
    dir = await tempDir();
    collector = await startCollector({ port: 0, data: dir.path });
    const severities = ['debug', 'info', 'notice', 'warning', 'error', 'critical'];
    for (let first = 0; first < COUNT; first += 5000) {
      const events = Array.from({ length: 5000 }, (_, index) => {
        const seq = first + index;
        return JSON.stringify({ aep: '0.1', id: `big-${seq}`, type: 'progress.status', time: '2026-01-01T00:00:00Z', source: 'aep://h/agent/a/session/big', agent: 'a', session: 'big', seq, severity: severities[seq % 6], data: { percent: 1 } });
      });
      expect((await post(collector.url, `${events.join('\n')}\n`)).status).toBe(202);
    }
  }, 120_000);

  afterAll(async () => {
    await collector.close();
    await dir.remove();
  });

  it('is complete and in order, while live consumers and ingest go on', { timeout: 120_000 }, async () => {
    const live = await fetch(`${collector.url}/stream?${new URLSearchParams({ filter: '{"session":"live"}' }).toString()}`);
    const liveData = readLive(live, 20);
    const order: string[] = [];
    const replay = readReplay(collector.url, { from: 'all', filter: '{"session":"big"}' }).then((result) => {
      order.push('replayed');
      return result;
    });
    const posted = buildSession(20, { session: 'live' });
    for (const event of posted) expect((await post(collector.url, event.json, { 'content-type': 'application/json' })).status).toBe(202);
    expect(await liveData).toEqual(posted.map(({ json }) => json));
    order.push('live');
    const { data } = await replay;
    expect(data.length).toBe(COUNT);
    expect(data.every((text, index) => (JSON.parse(text) as { seq: number }).seq === index)).toBe(true);
    // Twenty answers and twenty deliveries came in the time of the replay: nobody waited for its end.
    expect(order).toEqual(['live', 'replayed']);
  });
});
