import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { logPath } from '@aepkit/binding-jsonl/writer';
import { buildSession, tempDir } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { mixedCorpus, NAMES, treeOf } from './corpus.js';
import { type Aep, aepIn, lines, startCollector } from './support.js';

const collectorIn = (aep: Aep, data: string): ReturnType<typeof startCollector> => startCollector(aep, ['--data', data, '--buffer', '3']);

/** What a replay gives of a session: where commands are anchored. */
async function replay(url: string, session: string): Promise<string[]> {
  const query = new URLSearchParams({ from: 'all', live: '0', filter: JSON.stringify({ session }) });
  return (await (await fetch(`${url}/stream?${query.toString()}`)).text()).split('\n').filter((line) => line.startsWith('data: '));
}

describe('export, import into an empty collector, export', () => {
  it('gives byte-identical files of everything, whatever came in and in which order [B-015]', { timeout: 120_000 }, async () => {
    await using home = await tempDir();
    const aep = aepIn(home.path);
    const first = await collectorIn(aep, home.file('one'));
    const texts = mixedCorpus();
    const incoming = await aep.run(['import', '-', '--url', first.url], { input: `\uFEFF${texts.map((text) => `${text} \r\n`).join('')}` });
    expect([incoming.code, incoming.stderr]).toEqual([0, `${texts.length} Events accepted: ${texts.length - 1} new, 1 there already\n`]);
    const kept = texts.slice(0, 17).concat(texts.slice(18));

    const exported = await aep.run(['export', home.file('a'), '--url', first.url]);
    expect([exported.code, exported.stdout, exported.stderr]).toEqual([0, '', expect.stringMatching(/^112 Events in \d+ files\n$/)]);
    const tree = await treeOf(home.file('a'));
    // Each line is one that came in, and in its file in the order of its coming.
    const files = new Map<string, string>();
    for (const text of kept) {
      const { agent, session } = JSON.parse(text) as { agent: string; session?: string };
      const path = logPath('', { agent, session });
      files.set(path, `${files.get(path) ?? ''}${text}\n`);
    }
    expect(tree).toEqual(new Map([...files].map(([path, text]) => [path, Buffer.from(text).toString('latin1')] as const).sort(([a], [b]) => (a < b ? -1 : 1))));
    expect((await aep.run(['export', '-', '--url', first.url])).stdout).toBe(kept.map((text) => `${text}\n`).join(''));

    const second = await collectorIn(aep, home.file('two'));
    const imported = await aep.run(['import', home.file('a'), '--url', second.url]);
    expect([imported.code, imported.stderr]).toEqual([0, '112 Events accepted: 112 new, 0 there already\n']);
    expect((await aep.run(['export', home.file('b'), '--url', second.url])).code).toBe(0);
    expect(await treeOf(home.file('b'))).toEqual(tree);
    for (const session of ['s', ...NAMES]) expect(await replay(second.url, session)).toEqual(await replay(first.url, session));

    // Once more changes nothing.
    const again = await aep.run(['import', home.file('a'), '--json', '--url', second.url]);
    expect([again.code, JSON.parse(again.stdout)]).toEqual([0, { accepted: 112, new: 0, duplicates: 112, bad: 0 }]);
    expect((await aep.run(['export', home.file('b'), '--force', '--url', second.url])).code).toBe(0);
    expect(await treeOf(home.file('b'))).toEqual(tree);

    // Straight from the folders: with a collector on it, after a clean stop, and after a kill.
    await first.process.stop();
    await second.process.stop('SIGKILL');
    for (const [from, to] of [['one', 'c'], ['two', 'd']] as const) {
      expect((await aep.run(['export', home.file(to), '--data', home.file(from)])).code).toBe(0);
      expect(await treeOf(home.file(to))).toEqual(tree);
    }
  });
});

describe('aep export', () => {
  it('takes the filters of the other commands and a range of time, from a collector and from its folder alike', async () => {
    await using home = await tempDir();
    const aep = aepIn(home.path);
    const { url, process } = await collectorIn(aep, home.file('data'));
    const old = buildSession(3, { session: 'old', agent: 'x', time: '2020-05-05T00:00:00.000Z' });
    const now = buildSession(3, { session: 'new', agent: 'y', time: new Date().toISOString(), type: 'run.started', data: undefined });
    await aep.run(['emit', '-', '--url', url], { input: [...old, ...now].map(({ json }) => `${json}\n`).join('') });
    const both = async (...args: string[]): Promise<string[]> => {
      const live = await aep.run(['export', '-', ...args, '--url', url]);
      const stored = await aep.run(['export', '-', ...args, '--data', home.file('data')]);
      expect([live.code, stored.code, stored.stdout]).toEqual([0, 0, live.stdout]);
      return lines(live.stdout);
    };
    const texts = (events: typeof old): string[] => events.map(({ json }) => json);
    expect(await both('--session', 'old')).toEqual(texts(old));
    expect(await both('--agent', 'y', '--type', 'run.*')).toEqual(texts(now));
    expect(await both('--since', '1d')).toEqual(texts(now));
    expect(await both('--until', '2021-01-01')).toEqual(texts(old));
    expect(await both('--since', '2020-05-05T00:00:00Z', '--until', '2020-05-05T00:00:00.001Z')).toEqual(texts(old));
    expect(await both('--session', 'none')).toEqual([]);
    expect((await aep.run(['export', home.file('none'), '--session', 'none', '--url', url])).code).toBe(0);
    expect(readdirSync(home.file('none'))).toEqual([]);
    await process.stop();
  });

  it('refuses a folder that is not its own, and leaves it alone', async () => {
    await using home = await tempDir();
    const aep = aepIn(home.path);
    const { url, process } = await collectorIn(aep, home.file('data'));
    await aep.run(['emit', '-', '--url', url], { input: `${buildSession(1)[0]?.json ?? ''}\n` });
    mkdirSync(home.file('empty'));
    expect((await aep.run(['export', home.file('empty'), '--url', url])).code).toBe(0);
    const refused = await aep.run(['export', home.file('empty'), '--url', url]);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('--force')]);
    expect((await aep.run(['export', home.file('empty'), '--force', '--url', url])).code).toBe(0);
    mkdirSync(home.file('photos', 'summer'), { recursive: true });
    writeFileSync(home.file('photos', 'summer', 'sea.jpg'), 'sea');
    const foreign = await aep.run(['export', home.file('photos'), '--force', '--url', url]);
    expect([foreign.code, foreign.stderr]).toEqual([2, expect.stringContaining('sea.jpg is from no export')]);
    expect(readFileSync(home.file('photos', 'summer', 'sea.jpg'), 'utf8')).toBe('sea');
    const file = await aep.run(['export', home.file('photos', 'summer', 'sea.jpg'), '--url', url]);
    const name = await aep.run(['export', home.file('all.jsonl'), '--url', url]);
    const both = await aep.run(['export', '-', '--url', url, '--data', home.file('data')]);
    const time = await aep.run(['export', '-', '--since', 'yesterday']);
    expect([file.code, name.code, both.code, time.code]).toEqual([2, 2, 2, 2]);
    const here = aep.start(['export', '.', '--url', url], undefined, home.file('empty'));
    expect(await here.exit).toMatchObject({ code: 2, stderr: expect.stringContaining('the folder you are in') as string });
    const nowhere = await aep.run(['export', home.file('x'), '--data', home.file('nowhere')]);
    expect([nowhere.code, nowhere.stderr]).toEqual([1, expect.stringContaining('cannot read the data folder')]);
    expect([existsSync(home.file('nowhere')), existsSync(home.file('x'))]).toEqual([false, false]);
    expect(readdirSync(home.path).filter((entry) => /partial|old-/.test(entry))).toEqual([]);
    await process.stop();
  });
});

describe('aep import', () => {
  it('ends at the first bad line with what was before it kept, or goes on and counts', async () => {
    await using home = await tempDir();
    const aep = aepIn(home.path);
    const { url, process } = await collectorIn(aep, home.file('data'));
    const events = buildSession(4, { session: 's' }).map(({ json }) => json);
    const file = home.file('log.jsonl');
    writeFileSync(file, [events[0], '', '{"aep":"0.1"', events[1], '{"aep":"1.0","id":"v1"}', '{"aep":"1.0","id":"v2"}', events[2], 'x', events[3]].join('\r\n'));
    const stopped = await aep.run(['import', file, '--url', url]);
    expect([stopped.code, stopped.stdout, stopped.stderr]).toEqual([1, '', expect.stringMatching(/^aep: .*log\.jsonl:3: invalid-json at \$: .*; 1 Event accepted before; --keep-going/)]);
    const through = await aep.run(['import', file, '--keep-going', '--url', url]);
    expect(through.code).toBe(1);
    expect(lines(through.stderr)).toEqual([
      expect.stringMatching(/log\.jsonl:3: invalid-json at /),
      expect.stringMatching(/log\.jsonl:5: version "1\.0"/),
      expect.stringMatching(/log\.jsonl:8: invalid-json at /),
      '4 Events accepted: 3 new, 1 there already, 4 bad lines left out',
    ]);
    expect(lines((await aep.run(['export', '-', '--url', url])).stdout)).toEqual(events);
    await process.stop();
  });

  it('names the line of what the collector refuses, and sends what stands around it', async () => {
    await using home = await tempDir();
    const aep = aepIn(home.path);
    const { url, process } = await startCollector(aep, ['--data', home.file('data'), '--max-event-bytes', '2000', '--max-batch', '3'].filter((flag) => flag !== ''));
    const events = buildSession(9, { session: 's' }).map(({ json }) => json);
    const large = buildSession(1, { session: 'large', data: { text: 'x'.repeat(3000) } })[0]?.json ?? '';
    const file = home.file('log.jsonl');
    writeFileSync(file, [...events.slice(0, 5), large, ...events.slice(5)].map((line) => `${line}\n`).join(''));
    const stopped = await aep.run(['import', file, '--url', url]);
    expect([stopped.code, stopped.stderr]).toEqual([1, expect.stringMatching(/log\.jsonl:6: .*413.*; 5 Events accepted before/)]);
    const through = await aep.run(['import', file, '--keep-going', '--url', url]);
    expect([through.code, lines(through.stderr)]).toEqual([1, [expect.stringMatching(/log\.jsonl:6: /), '9 Events accepted: 4 new, 5 there already, 1 bad line left out']]);
    expect(lines((await aep.run(['export', '-', '--url', url])).stdout)).toEqual(events);
    await process.stop();
  });

  it('reads rotated files by age, and says what it leaves out', async () => {
    await using home = await tempDir();
    const aep = aepIn(home.path);
    const { url, process } = await collectorIn(aep, home.file('data'));
    const log = home.file('logs', 'a', 's.jsonl');
    mkdirSync(home.file('logs', 'a'), { recursive: true });
    const events = buildSession(12, { session: 's' }).map(({ json }) => `${json}\n`);
    for (let at = 0; at < 11; at += 1) {
      for (let n = at; n >= 1; n -= 1) renameSync(`${log}.${n}`, `${log}.${n + 1}`);
      writeFileSync(`${log}.1`, events[at] ?? '');
    }
    writeFileSync(log, events[11] ?? '');
    writeFileSync(`${log}.12.gz`, 'packed');
    const { code, stderr } = await aep.run(['import', home.file('logs'), '--url', url]);
    expect([code, lines(stderr)]).toEqual([0, [`left out, being no log: ${log}.12.gz`, '12 Events accepted: 12 new, 0 there already']]);
    expect((await aep.run(['export', '-', '--url', url])).stdout).toBe(events.join(''));
    await process.stop();
  });

  it('names twenty files that are no logs, and counts the rest', async () => {
    await using home = await tempDir();
    for (let count = 0; count < 23; count += 1) writeFileSync(home.file(`note-${count}.txt`), '');
    const { stderr } = await aepIn(home.path).run(['import', home.path, '--url', 'http://127.0.0.1:9']);
    const said = lines(stderr).filter((line) => line.startsWith('left out'));
    expect([said.length, said.at(-1)]).toEqual([21, 'left out, being no log: 3 more files']);
  });

  it('says what it cannot read or reach', async () => {
    await using home = await tempDir();
    const aep = aepIn(home.path);
    const file = home.file('log.jsonl');
    appendFileSync(file, `${buildSession(1)[0]?.json ?? ''}\n`);
    const missing = await aep.run(['import', join(home.path, 'none')]);
    const twice = await aep.run(['import', '-', '-']);
    const nothing = await aep.run(['import']);
    expect([missing.code, twice.code, nothing.code]).toEqual([2, 2, 2]);
    const nobody = await aep.run(['import', file, '--url', 'http://127.0.0.1:9']);
    expect([nobody.code, nobody.stderr]).toEqual([1, expect.stringMatching(/cannot reach .*; 0 Events accepted before; run it again/)]);
  });
});
