import { existsSync, readFileSync, writeFileSync } from 'node:fs';

import { launchNode, tempDir, type Launched, type TempDir } from '@aepkit/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { program } from './programs.js';

const TRANSPORTS = ['stdio', 'websocket'] as const;
type Transport = (typeof TRANSPORTS)[number];

interface Line {
  readonly id: string;
  readonly cursor?: string;
  readonly mode: string;
  readonly sequence: number;
}

interface Consumer {
  readonly pid: number;
  /** Waits until the consumer tells something. */
  told(pattern: RegExp): Promise<unknown>;
  ended(): Promise<unknown>;
}

/** A producer process, and consumer processes on one journal. */
interface Stage {
  readonly producer: Launched;
  /** Tells the producer to do something, and waits for what it prints. */
  command(line: string, pattern: RegExp): Promise<RegExpExecArray>;
  consumer(): Promise<Consumer>;
  journal(): Line[];
  /** Waits until the journal has so many lines. */
  journaled(count: number): Promise<Line[]>;
}

let built: TempDir;
let producerScript = '';
let consumerScript = '';
beforeAll(async () => {
  built = await tempDir();
  [producerScript, consumerScript] = await Promise.all([program('producer-program', built.path), program('consumer-program', built.path)]);
}, 60_000);
afterAll(() => built[Symbol.asyncDispose]());

async function stage(dir: TempDir, transport: Transport, filter: object, producerArgs: readonly string[] = [], consumerArgs: readonly string[] = []): Promise<Stage> {
  const journal = dir.file('journal.jsonl');
  const args = [...consumerArgs, journal, JSON.stringify(filter)];
  const mode = transport === 'stdio' ? ['--spawn', consumerScript] : ['--port', '0'];
  const producer = launchNode(producerScript, { args: [...producerArgs, ...mode, ...(transport === 'stdio' ? ['--', ...args] : [])] });
  const url = transport === 'stdio' ? '' : `ws://127.0.0.1:${(await producer.output(/port (\d+)/))[1] ?? ''}`;
  let from = 0;
  let fromError = 0;
  /** The next match behind the one before. */
  const next = async (pattern: RegExp): Promise<RegExpExecArray> => {
    const match = await producer.output(new RegExp(`(?<=^[^]{${String(from)},})${pattern.source}`));
    from = match.index + match[0].length;
    return match;
  };
  let spawned = 0;
  const read = (): Line[] =>
    existsSync(journal)
      ? readFileSync(journal, 'utf8')
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(line) as Line)
      : [];
  return {
    producer,
    journal: read,
    command(line, pattern) {
      producer.child.stdin?.write(`${line}\n`);
      return next(pattern);
    },
    async consumer() {
      if (transport === 'websocket') {
        const launched = launchNode(consumerScript, { args: [...args, url] });
        return { pid: launched.child.pid ?? 0, told: (pattern) => launched.output(pattern), ended: () => launched.exit };
      }
      if (spawned > 0) producer.child.stdin?.write('spawn\n');
      spawned += 1;
      const pid = Number((await next(/consumer (\d+)/))[1]);
      return {
        pid,
        async told(pattern) {
          const match = await producer.output(new RegExp(`(?<=^[^]{${String(fromError)},})${pattern.source}`));
          fromError = match.index + match[0].length;
        },
        ended: () => next(/gone /),
      };
    },
    async journaled(count) {
      // The consumer has no way to tell: it may be one that is killed in a moment.
      while (read().length < count) await new Promise((resolve) => setTimeout(resolve, 20));
      return read();
    },
  };
}

const numbered = (from: number, to: number): string[] => Array.from({ length: to - from + 1 }, (_, at) => `evt_${String(from + at)}`);
const options = { timeout: 60_000 };

describe.each(TRANSPORTS)('two processes over %s', (transport) => {
  const cursors = transport === 'stdio' ? ['--pipe-cursors'] : [];

  it.each(['at_least_once', 'replayable'])('%s: subscribe, receive, are killed and receive exactly the rest [S-081, S-148]', options, async (mode) => {
    await using dir = await tempDir();
    const one = await stage(dir, transport, { types: 'memory.*', delivery_mode: mode }, cursors);
    const first = await one.consumer();
    await first.told(/created/);
    await one.command('publish 300', /published 300/);
    await one.journaled(20);
    process.kill(first.pid, 'SIGKILL');
    await first.ended();
    const before = one.journal().length;
    expect(before).toBeGreaterThanOrEqual(20);
    // Nobody is there for these.
    await one.command('task 10', /published 310/);
    await one.command('publish 190', /published 500/);
    const second = await one.consumer();
    await second.told(/created/);
    await one.command('publish 20', /published 520/);
    const lines = await one.journaled(510);
    expect(lines.map(({ id }) => id)).toEqual([...numbered(1, 300), ...numbered(311, 520)]);
    expect(new Set(lines.map((line) => line.mode))).toEqual(new Set([mode]));
    await one.producer.stop();
  });

  it('go on behind a line of the journal that was torn', options, async () => {
    await using dir = await tempDir();
    writeFileSync(dir.file('journal.jsonl'), '{"id":"evt_0","cur');
    const one = await stage(dir, transport, { types: 'memory.*' });
    await (await one.consumer()).told(/created/);
    await one.command('publish 2', /published 2/);
    expect((await one.journaled(2)).map(({ id }) => id)).toEqual(numbered(1, 2));
    await one.producer.stop();
  });

  it('cancel with events in flight: what comes is told apart and does no harm [S-070]', options, async () => {
    await using dir = await tempDir();
    const one = await stage(dir, transport, { types: 'memory.*', delivery_mode: 'at_least_once' }, [], ['--cancel-after', '5']);
    const consumer = await one.consumer();
    await consumer.told(/created/);
    await one.command('publish 200', /published 200/);
    await consumer.told(/late evt_6/);
    await consumer.told(/cancelled/);
    await one.command('publish 10', /published 210/);
    expect(one.journal().map(({ id }) => id)).toEqual(numbered(1, 5));
    expect(await one.command('stats', /stats ({.*"subscriptions":0.*})/)).toBeTruthy();
    await one.producer.stop();
  });

  it('expiry: the consumer is told, and gets nothing afterwards [S-074, S-077]', options, async () => {
    await using dir = await tempDir();
    const one = await stage(dir, transport, { types: 'memory.*' }, ['--lifetime', '700']);
    const consumer = await one.consumer();
    await consumer.told(/created/);
    await one.command('publish 3', /published 3/);
    await consumer.told(/expired/);
    const before = one.journal().length;
    await one.command('publish 3', /published 6/);
    await one.command('stats', /"subscriptions":0/);
    expect(one.journal()).toHaveLength(before);
    await one.producer.stop();
  });

  it('the end of the session ends the subscription on both sides [S-101, S-102]', options, async () => {
    await using dir = await tempDir();
    const one = await stage(dir, transport, { types: 'memory.*' });
    const consumer = await one.consumer();
    await consumer.told(/created/);
    await one.command('publish 1', /published 1/);
    await one.journaled(1);
    await one.command('end-session', /(?:gone|disconnected)/);
    await consumer.told(/session-ended closed asked to/);
    await one.command('publish 1', /published 2/);
    await one.command('stats', /"sessions":0,"subscriptions":0/);
    expect(one.journal().map(({ id }) => id)).toEqual(['evt_1']);
    await one.producer.stop();
  });

  it.each(['best_effort', 'at_least_once', 'replayable'])('a slow consumer, %s: bounded, and the promise of its mode is kept [S-079, S-080]', options, async (mode) => {
    await using dir = await tempDir();
    const one = await stage(dir, transport, { types: 'memory.*', delivery_mode: mode }, ['--padding', '10000']);
    const consumer = await one.consumer();
    await consumer.told(/created/);
    process.kill(consumer.pid, 'SIGSTOP');
    await one.command('publish 1000', /published 1000/);
    const [, stats = ''] = await one.command('stats', /stats ({.*})/);
    const { dropped } = JSON.parse(stats) as { dropped: number };
    process.kill(consumer.pid, 'SIGCONT');
    if (mode === 'best_effort') {
      expect(dropped).toBeGreaterThan(0);
      await one.journaled(1000 - dropped);
      await one.command('publish 1', /published 1001/);
      const lines = await one.journaled(1001 - dropped);
      expect(new Set(lines.map(({ id }) => id)).size).toBe(lines.length);
      expect(lines.map(({ sequence }) => sequence)).toEqual(lines.map(({ sequence }) => sequence).toSorted((a, b) => a - b));
      expect(lines.at(-1)?.id).toBe('evt_1001');
    } else {
      expect(dropped).toBe(0);
      expect((await one.journaled(1000)).map(({ id }) => id)).toEqual(numbered(1, 1000));
    }
    await one.producer.stop();
  });
});

describe('two processes over pipes', () => {
  it('have no cursors and no replay, unless told otherwise [S-090, S-091, S-146]', options, async () => {
    await using dir = await tempDir();
    const filter = { types: 'memory.*', delivery_mode: 'replayable' };
    const one = await stage(dir, 'stdio', filter);
    const consumer = await one.consumer();
    await consumer.told(/created/);
    await one.command('publish 2', /published 2/);
    const lines = await one.journaled(2);
    expect(lines).toEqual([{ id: 'evt_1', mode: 'at_least_once', sequence: 1 }, { id: 'evt_2', mode: 'at_least_once', sequence: 2 }]);
    await one.producer.stop();
    await using other = await tempDir();
    const two = await stage(other, 'stdio', { ...filter, from_cursor: 'stream_01:0' });
    await (await two.consumer()).told(/rejected replay not supported/);
    await two.producer.stop();
  });
});
