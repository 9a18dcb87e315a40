import { buildSession, tempDir } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { launchCollector, launchConsumer, launchRelay, post, type Running } from './support.js';

const SESSIONS = ['a', 'b', 'c'];
const PER_SESSION = 2_000;
const BATCH = 50;

/** What a consumer printed, by session: the positions in the order in which they came. */
function printed(text: string): Map<string, number[]> {
  const found = new Map<string, number[]>();
  // The last line of a process that was killed may be half a line; what it was about comes again.
  for (const line of text.slice(0, text.lastIndexOf('\n')).split('\n')) {
    const [session = '', seq = ''] = line.split(' ');
    if (session === '#' || session === '') continue;
    found.set(session, [...(found.get(session) ?? []), Number(seq)]);
  }
  return found;
}

/** Each position is there, and none comes for the first time ahead of one below it. */
function expectWhole(text: string, count: number): void {
  const found = printed(text);
  expect([...found.keys()].sort()).toEqual(SESSIONS);
  for (const [, positions] of found) {
    const first = [...new Set(positions)];
    expect(first).toEqual(Array.from({ length: count }, (_, seq) => seq));
  }
}

/** Posts the Events of all sessions, interleaved; one batch after the other, as fast as they are taken. */
async function flood(url: string, from: number, to: number): Promise<void> {
  for (let first = from; first < to; first += BATCH) {
    for (const session of SESSIONS) {
      // Beyond debug and info nothing may be dropped, however slow the hops are.
      expect(await post(url, buildSession(Math.min(BATCH, to - first), { session, first, severity: 'notice' }))).toBe(202);
    }
  }
}

describe('two relays behind a collector, as processes', { timeout: 120_000 }, () => {
  it('bring a consumer each Event, in order and without a hole, while it and the relay in the middle are killed [E-002, B-165, B-166]', async () => {
    await using dir = await tempDir();
    const collector = await launchCollector({ data: dir.file('data') });
    let middle = await launchRelay({ upstream: collector.url });
    const { port } = middle;
    const outer = await launchRelay({ upstream: middle.url });
    const positions = dir.file('positions');
    let consumer = launchConsumer(outer.url, positions);
    const texts: string[] = [];
    const kill = (each: Pick<Running, 'process'>): Promise<unknown> => each.process.stop('SIGKILL');
    const killConsumer = async (): Promise<void> => {
      await consumer.stop('SIGKILL');
      texts.push(consumer.stdout().slice(0, consumer.stdout().lastIndexOf('\n') + 1));
    };

    const flooded = flood(collector.url, 0, PER_SESSION);
    // Each step waits for Events that show how far the flood has come.
    await consumer.output(new RegExp(`^a ${PER_SESSION / 8}$`, 'm'));
    await killConsumer();
    consumer = launchConsumer(outer.url, positions);
    await consumer.output(new RegExp(`^b ${PER_SESSION / 4}$`, 'm'));
    await kill(middle);
    middle = await launchRelay({ port: String(port), upstream: collector.url });
    await consumer.output(new RegExp(`^c ${PER_SESSION / 2}$`, 'm'));
    await killConsumer();
    await kill(middle);
    consumer = launchConsumer(outer.url, positions);
    middle = await launchRelay({ port: String(port), upstream: collector.url });
    await flooded;
    await flood(collector.url, PER_SESSION, PER_SESSION + 1);
    for (const session of SESSIONS) await consumer.output(new RegExp(`^${session} ${PER_SESSION}$`, 'm'));
    await killConsumer();

    const all = texts.join('');
    expectWhole(all, PER_SESSION + 1);
    expect(all).not.toMatch(/^# gap/m);
    await Promise.all([outer, middle, collector].map(({ process }) => process.stop()));
  });

  it('tell it of what is lost, and of nothing else, where the collector no longer holds what the killed relay had', async () => {
    await using dir = await tempDir();
    const collector = await launchCollector({ data: dir.file('data'), buffer: '20' });
    let middle = await launchRelay({ upstream: collector.url });
    const { port } = middle;
    const outer = await launchRelay({ upstream: middle.url });
    const consumer = launchConsumer(outer.url, dir.file('positions'));
    await flood(collector.url, 0, 10);
    for (const session of SESSIONS) await consumer.output(new RegExp(`^${session} 9$`, 'm'));
    await middle.process.stop('SIGKILL');
    for (const session of ['a', 'b']) expect(await post(collector.url, buildSession(50, { session, first: 10, severity: 'notice' }))).toBe(202);
    middle = await launchRelay({ port: String(port), upstream: collector.url });
    await flood(collector.url, 60, 61);
    for (const session of SESSIONS) await consumer.output(new RegExp(`^${session} 60$`, 'm'));
    await Promise.all([consumer, outer.process, middle.process, collector.process].map((process) => process.stop()));

    const lines = consumer.stdout().split('\n');
    // The collector held 40 to 59 when the relay came back, and 41 to 60 a moment later.
    const held = lines.filter((line) => line.startsWith('# gap')).map((line) => /^# gap exhausted ([abc]) (\d+)$/.exec(line)?.slice(1));
    expect(held.filter((gap) => gap?.[0] === 'a' || gap?.[0] === 'b').map((gap) => gap?.[0]).sort()).toEqual(['a', 'b']);
    for (const session of ['a', 'b']) {
      const gap = lines.findIndex((line) => line.startsWith(`# gap exhausted ${session} `));
      const first = Number(lines[gap]?.split(' ').at(-1));
      expect([40, 41]).toContain(first);
      const mine = lines.slice(gap).filter((line) => line.startsWith(`${session} `));
      expect(mine).toEqual(Array.from({ length: 61 - first }, (_, index) => `${session} ${first + index}`));
    }
  });
});
