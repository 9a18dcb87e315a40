import { launchNode, type Launched, tempDir } from '@aepkit/testkit';
import { expect, it } from 'vitest';

import { openSpool } from '../src/index.js';
import { drainAll, program } from './support.js';

const words = (process: Launched): string[] => process.stdout().split('\n').slice(0, -1).filter((word) => word !== '');
const batches = (process: Launched): string[][] => words(process).map((line) => line.slice(1, -1).split(' '));

it('keeps every line of four processes, each in its order, while another drains', { timeout: 60_000 }, async () => {
  await using dir = await tempDir();
  const path = dir.file('s');
  const [appender, drainer] = await Promise.all([program('appender-program', dir.path), program('drainer-program', dir.path)]);
  const names = ['a', 'b', 'c', 'd'];
  const drains = launchNode(drainer, { args: [path, '400'] });
  const appends = names.map((name) => launchNode(appender, { args: [path, name, '100'] }));
  for (const process of [...appends, drains]) expect(await process.exit).toMatchObject({ code: 0, stderr: '' });
  const got = batches(drains).flat();
  expect(got).toHaveLength(400);
  for (const name of names) expect(got.filter((text) => text.startsWith(name))).toEqual(Array.from({ length: 100 }, (_, n) => `${name}:${n}`));
});

it('loses nothing acknowledged when an appender and the drainer are killed, and repeats one delivery at most', { timeout: 60_000 }, async () => {
  await using dir = await tempDir();
  const path = dir.file('s');
  const [appender, drainer] = await Promise.all([program('appender-program', dir.path), program('drainer-program', dir.path)]);
  const acknowledged: string[] = [];
  const finished: string[] = [];
  const printed: string[] = [];
  for (let round = 0; round < 6; round += 1) {
    const appends = launchNode(appender, { args: [path, `r${round}`] });
    const drains = launchNode(drainer, { args: [path] });
    await drains.output(new RegExp(`r${round}:${5 + round}`));
    await drains.stop('SIGKILL');
    await appends.stop('SIGKILL');
    acknowledged.push(...words(appends));
    const said = batches(drains);
    printed.push(...said.flat());
    // Whether the last delivery was over nobody knows.
    said.pop();
    finished.push(...said.flat());
  }
  const spool = await openSpool({ path });
  // The lock of a dead process is taken over at once.
  const rest = await drainAll(spool);
  const got = [...printed, ...rest];
  for (const text of acknowledged) expect(got).toContain(text);
  expect(new Set(finished).size).toBe(finished.length);
  for (const text of rest) expect(finished).not.toContain(text);
  for (let round = 0; round < 6; round += 1) {
    const numbers = [...new Set(got)].filter((text) => text.startsWith(`r${round}:`)).map((text) => Number(text.split(':')[1]));
    expect(numbers).toEqual(numbers.map((_, n) => n));
  }
});
