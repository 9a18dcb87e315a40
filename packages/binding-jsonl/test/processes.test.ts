import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';

import { buildSession, buildWire, launchNode, tempDir } from '@aepkit/testkit';
import { describe, expect, it, type TestContext } from 'vitest';

import { JsonlReader, type JsonlItem } from '../src/reader.js';
import { JsonlWriter } from '../src/writer.js';
import { ids, others, program } from './support.js';

const items = (path: string): JsonlItem[] => {
  const reader = new JsonlReader();
  const found = reader.push(readFileSync(path));
  return [...found, ...[reader.tail() ?? []].flat()];
};

describe('several processes on one file', () => {
  it('append, follow and rotate, and no line is torn, lost or doubled [B-013, B-014]', { timeout: 180_000 }, async () => {
    await using dir = await tempDir();
    const path = dir.file('log', 'a.jsonl');
    mkdirSync(dir.file('log'));
    const scripts = ['writer-program', 'rotator-program', 'follower-program'].map((name) => program(name, dir.path));
    const [writerScript = '', rotatorScript = '', followerScript = ''] = await Promise.all(scripts);
    const rounds = 8;
    const each = rounds * 50;
    const expected = ['a', 'b', 'c', 'd'].flatMap((name) => Array.from({ length: each }, (_, at) => `${name}-${String(at)}`)).toSorted();
    const followers = ['watching', 'polling'].map((how) => launchNode(followerScript, { args: [path, how] }));
    // Each has looked before there is anything: what was rotated ahead of its first look is not its business.
    for (const follower of followers) await follower.output(/^! missing$/m);
    const watching = followers[0]!;
    const until = (count: number): Promise<unknown> => watching.output(new RegExp(`^${String(count)} `, 'm'));
    const rotator = launchNode(rotatorScript, { args: [path] });
    const writers = ['a', 'b', 'c', 'd'].map((name) => launchNode(writerScript, { args: [path, name] }));
    for (let round = 0; round < rounds; round += 1) {
      for (const { child } of writers) child.stdin!.write('50\n');
      // The file has a line of this round: there is something to rotate, while the others write.
      await until(200 * round + 1);
      rotator.child.stdin!.write(`${String(round)}\n`);
      await until(200 * (round + 1));
      await rotator.output(new RegExp(`^${String(round)} `, 'm'));
    }
    for (const { child } of writers) child.stdin!.end();
    for (const { code, stderr } of await Promise.all(writers.map(({ exit }) => exit))) expect([code, stderr]).toEqual([0, '']);
    rotator.child.stdin!.end();
    expect((await rotator.exit).stdout.match(/ rotated$/gm)).toHaveLength(rounds);

    const files = readdirSync(dir.file('log')).map((name) => dir.file('log', name));
    expect(files.length).toBeGreaterThanOrEqual(rounds);
    const onDisk = files.flatMap(items);
    expect(ids(onDisk).toSorted()).toEqual(expected);
    // A writer that sees another one in the middle of a write may put a blank line; nothing else is in there.
    expect(others(onDisk).filter((type) => type !== 'blank')).toEqual([]);
    for (const follower of followers) {
      await follower.output(new RegExp(`^${String(expected.length)} `, 'm'));
      follower.child.stdin!.end();
      const { code, stdout, stderr } = await follower.exit;
      expect([code, stderr]).toEqual([0, '']);
      expect(Array.from(stdout.matchAll(/^\d+ (.*)$/gm), ([, id]) => id).toSorted()).toEqual(expected);
      expect(stdout).not.toMatch(/^! (?:bad|lost|tail|truncated)$/m);
    }
  });

  it('lose nothing that was acknowledged when one is killed, and the next writer goes on cleanly', { timeout: 180_000 }, async () => {
    await using dir = await tempDir();
    const path = dir.file('a.jsonl');
    const script = await program('writer-program', dir.path);
    let acknowledged = 0;
    const total: string[] = [];
    for (const name of ['a', 'b', 'c']) {
      const writer = launchNode(script, { args: [path, name] });
      writer.child.stdin!.write('Infinity\n');
      await writer.output(/^\d{3}$/m);
      const { signal, stdout } = await writer.stop('SIGKILL');
      expect(signal).toBe('SIGKILL');
      acknowledged = Number(stdout.match(/^\d+$/gm)!.at(-1));
      total.push(...Array.from({ length: acknowledged }, (_, at) => `${name}-${String(at)}`));
    }
    await using writer = new JsonlWriter({ path });
    await writer.append(buildWire({ id: 'last' }));
    const found = items(path);
    const seen = new Set(ids(found));
    expect(total.filter((id) => !seen.has(id))).toEqual([]);
    expect(ids(found)).toHaveLength(seen.size);
    expect(ids(found).at(-1)).toBe('last');
    expect(others(found).filter((type) => type === 'bad').length).toBeLessThanOrEqual(3);
    expect(others(found)).not.toContain('tail');
  });
});

/** Runs something on a file system of 128 KiB, of which 64 KiB are taken by a file that can be removed. */
async function onSmallDisk(context: TestContext, run: (folder: string, filler: string) => Promise<void>): Promise<void> {
  await using dir = await tempDir();
  const folder = dir.file('small');
  mkdirSync(folder);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=128k', 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    context.skip('needs the right to mount a small tmpfs; the simulated full disk in jsonl-writer.test.ts runs everywhere');
  }
  try {
    const filler = `${folder}/filler`;
    writeFileSync(filler, Buffer.alloc(64 * 1024));
    await run(folder, filler);
  } finally {
    execFileSync('umount', ['-l', folder]);
  }
}

describe('a file system that is full', () => {
  it('in the middle of a line is reported, the next line starts clean, and the reader counts one bad line', async (context) => {
    await onSmallDisk(context, async (folder, filler) => {
      const path = `${folder}/a.jsonl`;
      await using writer = new JsonlWriter({ path });
      const kept: string[] = [];
      let error: unknown;
      for (const event of buildSession(200, { data: { text: 'x'.repeat(801) } })) {
        try {
          await writer.append(event);
          kept.push(event.event.id);
        } catch (reported) {
          error = reported;
          break;
        }
      }
      expect(error).toMatchObject({ name: 'JsonlWriteError', code: 'no-space', errno: 'ENOSPC', failed: [0] });
      const torn = readFileSync(path, 'utf8').split('\n').at(-1);
      expect(torn).toMatch(/^\{"aep"/);
      rmSync(filler);
      await writer.append(buildWire({ id: 'next' }));
      const found = items(path);
      expect(ids(found)).toEqual([...kept, 'next']);
      expect(found.filter((item) => item.type !== 'event').map(({ type, line }) => [type, line])).toEqual([['bad', kept.length + 1]]);
    });
  });

  it('for a while costs the lines it tore; what was acknowledged is there once', async (context) => {
    await onSmallDisk(context, async (folder, filler) => {
      const path = `${folder}/a.jsonl`;
      await using writer = new JsonlWriter({ path });
      const kept: string[] = [];
      const errors: unknown[] = [];
      for (const event of buildSession(400, { data: { text: 'x'.repeat(800) } })) {
        try {
          await writer.append(event);
          kept.push(event.event.id);
        } catch (error) {
          errors.push(error);
          if (errors.length === 3) rmSync(filler);
        }
        if (errors.length > 3 || kept.length > 90) break;
      }
      expect(errors[0]).toMatchObject({ name: 'JsonlWriteError', code: 'no-space', errno: 'ENOSPC', failed: [0] });
      expect(statSync(path).size).toBeGreaterThan(64 * 1024);
      expect(ids(items(path))).toEqual(kept);
      const found = others(items(path));
      expect(found.filter((type) => type === 'bad').length).toBeGreaterThanOrEqual(1);
      truncateSync(path, statSync(path).size - 20);
      await writer.append(buildWire({ id: 'end' }));
      expect(ids(items(path)).at(-1)).toBe('end');
    });
  });
});
