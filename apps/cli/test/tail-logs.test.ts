import { appendFileSync, mkdirSync, readdirSync, renameSync, truncateSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import type { WireEvent } from '@aepkit/envelope';
import { buildSession, launch, tempDir } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { aepIn, cleanEnv, lines } from './support.js';

const bin = fileURLToPath(new URL('../bin/aep.js', import.meta.url));
const text = (events: readonly WireEvent[]): string => events.map(({ json }) => `${json}\n`).join('');
const ids = (output: string): string[] => lines(output).map((line) => (JSON.parse(line) as { id: string }).id);
const idsOf = (events: readonly WireEvent[]): string[] => events.map(({ event }) => event.id);
/** Matches once an Event has been shown. */
const shown = (event: WireEvent | undefined): RegExp => new RegExp(`"id":"${event?.event.id ?? ''}"`);

describe('aep tail FILE', () => {
  it('follows a log that is made later, through rotation and truncation, and the next run goes on where this one stopped [B-014]', { timeout: 120_000 }, async () => {
    await using home = await tempDir();
    const aep = aepIn(home.path);
    const log = home.file('s.jsonl');
    const events = buildSession(12);
    const tail = aep.start(['tail', log, '--json']);
    await tail.output(/^waiting for .*s\.jsonl$/m);
    writeFileSync(log, text(events.slice(0, 2)));
    await tail.output(shown(events[1]));
    appendFileSync(log, events[2]?.json.slice(0, 20) ?? '');
    renameSync(log, `${log}.1`);
    appendFileSync(`${log}.1`, `${events[2]?.json.slice(20) ?? ''}\n`);
    writeFileSync(log, text(events.slice(3, 5)));
    await tail.output(shown(events[4]));
    truncateSync(log, 0);
    await tail.output(/was cut or written anew/);
    appendFileSync(log, text(events.slice(5, 6)));
    await tail.output(shown(events[5]));
    expect((await tail.stop('SIGINT')).code).toBe(0);
    expect(ids(tail.stdout())).toEqual(idsOf(events.slice(0, 6)));

    // Nobody looks while it is written to and rotated twice.
    appendFileSync(log, text(events.slice(6, 7)));
    renameSync(log, `${log}.2`);
    writeFileSync(log, text(events.slice(7, 8)));
    renameSync(log, `${log}.3`);
    writeFileSync(log, text(events.slice(8, 10)));
    const next = await aep.run(['tail', log, '--json', '--no-follow']);
    expect([next.code, ids(next.stdout), next.stderr]).toEqual([0, idsOf(events.slice(6, 10)), expect.stringContaining('going on where the last run stopped')]);
    expect((await aep.run(['tail', log, '--json', '--no-follow'])).stdout).toBe('');
    const counted = await aep.run(['tail', log, '--json', '--from-start', '--count', '1']);
    expect(ids(counted.stdout)).toEqual(idsOf(events.slice(8, 9)));
    // Its place was kept behind the one Event it showed.
    expect(ids((await aep.run(['tail', log, '--json', '--no-follow'])).stdout)).toEqual(idsOf(events.slice(9, 10)));
  });

  it('says in plain words that the log was replaced by another, and shows that one', async () => {
    await using home = await tempDir();
    const aep = aepIn(home.path);
    const log = home.file('s.jsonl');
    const [first, second] = buildSession(2);
    writeFileSync(log, text([first!]));
    await aep.run(['tail', log, '--json', '--no-follow']);
    writeFileSync(home.file('new'), text([second!]));
    renameSync(home.file('new'), log);
    const { stdout, stderr } = await aep.run(['tail', log, '--json', '--no-follow']);
    expect(ids(stdout)).toEqual(idsOf([second!]));
    expect(lines(stderr)[1]).toBe(`${log} was replaced or removed since the last run; going on from its beginning, what was written before may be missing`);
  });

  it('keeps the place of what was shown when it is killed', { timeout: 60_000 }, async () => {
    await using home = await tempDir();
    const aep = aepIn(home.path);
    const log = home.file('s.jsonl');
    const events = buildSession(5);
    writeFileSync(log, text(events.slice(0, 3)));
    const state = home.file('state', 'place.json');
    const tail = aep.start(['tail', log, '--json', '--state', state]);
    await tail.output(shown(events[2]));
    const kept = async (): Promise<void> => {
      for (let tries = 0; tries < 1000; tries += 1) {
        if (readdirSync(home.path).includes('state') && readdirSync(home.file('state')).includes('place.json')) return;
        await new Promise((resolve) => setImmediate(resolve));
        await aep.run(['--version']);
      }
    };
    await kept();
    await tail.stop('SIGKILL');
    appendFileSync(log, text(events.slice(3)));
    expect(ids((await aep.run(['tail', log, '--json', '--no-follow', '--state', state])).stdout)).toEqual(idsOf(events.slice(3)));
    writeFileSync(state, '{"version":1,"logs":{"":{"file":"x"}}}');
    const broken = await aep.run(['tail', log, '--state', state]);
    expect([broken.code, broken.stderr]).toEqual([2, expect.stringContaining('does not hold positions in logs')]);
  });

  it('shows bad lines and counts them, and reports a version it does not read once [B-016, B-017]', async () => {
    await using home = await tempDir();
    const log = home.file('s.jsonl');
    const [first, second] = buildSession(2);
    writeFileSync(log, `${first?.json ?? ''}\nx\u001b[2J\n{"aep":"1.0"}\n{"aep":"1.0"}\n{"aep":"0.1","aep":"0.1"}\n${second?.json ?? ''}\n`);
    const { code, stdout, stderr } = await aepIn(home.path).run(['tail', log, '--json', '--no-follow']);
    expect([code, ids(stdout)]).toEqual([0, [first?.event.id, second?.event.id]]);
    expect(lines(stderr)).toEqual([
      expect.stringMatching(/s\.jsonl:2: no Event: invalid-json at /),
      expect.stringMatching(/s\.jsonl:3: version "1\.0" of the protocol is not read here/),
      expect.stringMatching(/s\.jsonl:5: no Event: duplicate-member at /),
      '2 bad lines in all',
    ]);
  });

  it('takes the filters and the ceiling of a collector, and begins where it is told', async () => {
    await using home = await tempDir();
    const aep = aepIn(home.path);
    const log = home.file('s.jsonl');
    const events = [
      ...buildSession(3, { severity: 'warning', capture: 'full', data: { tool: { name: 'shell' }, args: { secret: 1 } } }),
      ...buildSession(3, { first: 3, type: 'run.started', data: undefined }),
    ];
    writeFileSync(log, text(events));
    const run = async (...args: string[]): Promise<string> => {
      const { code, stdout, stderr } = await aep.run(['tail', log, '--json', '--no-follow', '--no-resume', ...args]);
      expect([args, code, stderr]).toEqual([args, 0, '']);
      return stdout;
    };
    expect(ids(await run('--type', 'run.*'))).toEqual(idsOf(events.slice(3)));
    expect(ids(await run('--severity', 'warning'))).toEqual(idsOf(events.slice(0, 3)));
    expect(ids(await run('-n', '2'))).toEqual(idsOf(events.slice(4)));
    expect(ids(await run('-n', '2', '--type', 'tool.*'))).toEqual(idsOf(events.slice(1, 3)));
    expect(await run('-n', '0')).toBe('');
    const lowered = await run('--capture', 'metadata', '--count', '1');
    expect([lowered.includes('secret'), lowered.includes('"capture":"metadata"')]).toEqual([false, true]);
    expect((await run()).includes('secret')).toBe(true);

    const live = aep.start(['tail', log, '--json', '--live']);
    const last = aep.start(['tail', log, '--json', '-n', '1']);
    await last.output(shown(events[5]));
    const stream = await aep.run(['tail', '-', '--json'], { input: `${events[0]?.json ?? ''}\nx\n` });
    expect([ids(stream.stdout), stream.stderr]).toEqual([idsOf(events.slice(0, 1)), expect.stringContaining('-:2: no Event')]);
    const fresh = buildSession(1, { first: 6 });
    // The other follower says nothing when it is ready; it cannot miss all of these.
    for (let tries = 0; !live.stdout().includes('\n') && tries < 200; tries += 1) {
      appendFileSync(log, text(fresh));
      await aep.run(['--version']);
    }
    expect(new Set(ids(live.stdout()))).toEqual(new Set(idsOf(fresh)));
    expect(ids(last.stdout()).slice(0, 2)).toEqual(idsOf([...events.slice(5), ...fresh]));
    await live.stop('SIGINT');
    await last.stop('SIGINT');
  });

  it('says what does not go together', async () => {
    await using home = await tempDir();
    const aep = aepIn(home.path);
    for (const args of [
      ['tail', 'x', '--url', 'http://127.0.0.1:9'],
      ['tail', 'x', '--live', '--from-start'],
      ['tail', '-n', '3', '--url', 'http://127.0.0.1:9'],
      ['tail', home.file('none'), '--no-follow'],
      ['tail', home.file('none'), '--filter', '{"seq":1}'],
      ['tail', '/dev/null'],
    ]) {
      const { code, stdout, stderr } = await aep.run(args);
      expect([args, code, stdout, stderr.startsWith('aep: ')]).toEqual([args, 2, '', true]);
    }
    expect((await aep.run(['tail', 'http://127.0.0.1:9', '--no-follow'])).stderr).toContain('cannot reach http://127.0.0.1:9/');
  });
});

describe('aep tail FOLDER', () => {
  it('follows every log in it, new ones too, and goes on in each where the last run stopped', { timeout: 120_000 }, async () => {
    await using home = await tempDir();
    const aep = aepIn(home.path);
    const root = home.file('logs');
    for (const agent of ['a', 'b']) mkdirSync(home.file('logs', agent), { recursive: true });
    const one = buildSession(6, { session: 'one', time: '2026-01-01T00:00:02Z' });
    const two = buildSession(6, { session: 'two', time: '2026-01-01T00:00:01Z' });
    const [first, second] = [home.file('logs', 'a', 'one.jsonl'), home.file('logs', 'b', 'two.jsonl')];
    writeFileSync(first, text(one.slice(0, 2)));
    const tail = aep.start(['tail', root, '--json']);
    await tail.output(shown(one[1]));
    writeFileSync(second, text(two.slice(0, 2)));
    await tail.output(shown(two[1]));
    appendFileSync(first, text(one.slice(2, 3)));
    await tail.output(shown(one[2]));
    renameSync(first, `${first}.1`);
    writeFileSync(first, text(one.slice(3, 4)));
    await tail.output(shown(one[3]));
    expect((await tail.stop('SIGTERM')).code).toBe(0);
    expect(ids(tail.stdout())).toEqual(idsOf([...one.slice(0, 2), ...two.slice(0, 2), ...one.slice(2, 4)]));

    appendFileSync(first, text(one.slice(4, 5)));
    renameSync(first, `${first}.2`);
    writeFileSync(first, text(one.slice(5)));
    appendFileSync(second, text(two.slice(2)));
    const next = await aep.run(['tail', root, '--json', '--no-follow']);
    expect([next.code, ids(next.stdout)]).toEqual([0, idsOf([...one.slice(4), ...two.slice(2)])]);
    expect((await aep.run(['tail', root, '--json', '--no-follow'])).stdout).toBe('');
    // The last ones by time, whatever log they are in.
    expect(ids((await aep.run(['tail', root, '--json', '--no-follow', '-n', '2'])).stdout)).toEqual(idsOf([...two.slice(5), ...one.slice(5)]));
  });

  it('needs no more open files for many logs than for one', { timeout: 60_000 }, async () => {
    await using home = await tempDir();
    mkdirSync(home.file('logs', 'a'), { recursive: true });
    for (let n = 0; n < 400; n += 1) writeFileSync(home.file('logs', 'a', `${n}.jsonl`), text(buildSession(1, { session: String(n) })));
    const args = ['-c', 'ulimit -n 60; exec "$0" "$@"', process.execPath, bin, 'tail', home.file('logs'), '--json', '--no-follow'];
    const { code, stdout, stderr } = await launch('/bin/sh', { args, env: cleanEnv(home.path) }).exit;
    expect([code, stderr, new Set(ids(stdout)).size]).toEqual([0, '', 400]);
  });
});
