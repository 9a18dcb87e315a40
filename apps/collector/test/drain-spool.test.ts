import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { setImmediate } from 'node:timers/promises';

import { openSpool } from '@aepkit/spool';
import { hasLines } from '@aepkit/spool/peek';
import { tempDir } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import type { EndpointLog } from '@aepkit/endpoint';
import { drainSpool } from '../src/drain-spool.js';
import type { RecordsTaken } from '../src/hook-intake.js';
import { spoolFolders } from '../src/spool-folders.js';
import { hookSpool, keptBy, linesOf, recordsOf, storiesIn, storyOf } from './spool-support.js';
import { launchCollector } from './support.js';

const TAKEN: RecordsTaken = { events: 1, known: 0, refused: [] };

function logOf(): { log: EndpointLog; said: [string, object][] } {
  const said: [string, object][] = [];
  const say = (facts: object, message: string): void => void said.push([message, facts]);
  return { log: { info: say, warn: say, error: say, debug: say }, said };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await setImmediate();
}

async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

describe('draining', () => {
  it('takes what waits at once and what comes later, in order, and makes no folder where there is none', async () => {
    await using dir = await tempDir();
    const path = dir.file('s');
    const got: unknown[] = [];
    const { log } = logOf();
    const takeRecords = (records: readonly unknown[]): Promise<RecordsTaken> => (got.push(...records), Promise.resolve(TAKEN));
    const early = drainSpool({ path, intake: { takeRecords }, log, pollMs: 5 });
    await early.ahead();
    expect(hasLines(path)).toBe(false);
    const spool = await openSpool({ path });
    await spool.append([{ text: '1' }, { text: '2' }]);
    await until(() => got.length === 2);
    await early.close();
    await spool.append([{ text: '3' }]);
    const late = drainSpool({ path, intake: { takeRecords }, log, pollMs: 1e6 });
    await late.ahead();
    expect(got).toEqual([1, 2, 3]);
    await late.close();
  });

  it('keeps what cannot be taken now, says so once, and tries again', async () => {
    await using dir = await tempDir();
    const path = dir.file('s');
    const spool = await openSpool({ path });
    await spool.append([{ text: '1' }]);
    const { log, said } = logOf();
    let tries = 0;
    const takeRecords = (): Promise<RecordsTaken> => ((tries += 1) < 4 ? Promise.reject(new Error('the disk is full')) : Promise.resolve(TAKEN));
    const drain = drainSpool({ path, intake: { takeRecords }, log, pollMs: 2 });
    await until(() => tries === 4);
    await drain.close();
    expect([await spool.isEmpty(), said.map(([message]) => message)]).toEqual([true, ['the spool cannot be drained; it is tried again', 'calls that had waited were taken']]);
  });

  it('gives up lines that are no calls and says which, never what they say', async () => {
    await using dir = await tempDir();
    const path = dir.file('s');
    const spool = await openSpool({ path, maxBytes: 8192 });
    await spool.append([{ text: '{"secret"' }]);
    await spool.append([{ text: '2' }]);
    await spool.append([{ text: '3' }]);
    const { log, said } = logOf();
    const got: unknown[] = [];
    const refused = { ...TAKEN, refused: [{ index: 0, error: Object.assign(new Error('$: must be an object'), { code: 'invalid-record' }) as never }] };
    const drain = drainSpool({ path, intake: { takeRecords: (records) => (got.push(...records), Promise.resolve(refused)) }, log });
    await drain.ahead();
    await drain.close();
    expect([got, await spool.stats()]).toEqual([[undefined, 2], { lines: 0, bytes: 0, dropped: 0 }]);
    expect(said.map(([message]) => message)).toEqual(['a line of the spool was no call and is given up', 'calls that had waited were taken', 'calls were given up, since the spool was full']);
    expect(said[2]?.[1]).toMatchObject({ dropped: 1 });
    expect(JSON.stringify(said)).not.toContain('secret');
  });

  it('lets a direct call wait for another drainer, but not for ever', async () => {
    await using dir = await tempDir();
    const path = dir.file('s');
    const spool = await openSpool({ path });
    await spool.append([{ text: '1' }]);
    const held = Promise.withResolvers<undefined>();
    const begun = Promise.withResolvers<undefined>();
    const other = spool.drain(() => (begun.resolve(undefined), held.promise));
    await begun.promise;
    const drain = drainSpool({ path, intake: { takeRecords: () => Promise.reject(new Error('never')) }, log: logOf().log });
    await drain.ahead();
    held.resolve(undefined);
    await other;
    await drain.ahead();
    await drain.close();
  });
});

describe('the folders', () => {
  it('are those of all names the collector has', () => {
    expect(spoolFolders({ spool: '/s', url: 'http://127.0.0.1:8787', publicUrls: ['https://events.example/aep'] })).toEqual(['/s/hooks/local-8787', '/s/hooks/https-events.example-443_2faep']);
    expect(spoolFolders({ spool: '/s', url: 'https://192.0.2.7:8787', publicUrls: [] })).toEqual(['/s/hooks/local-8787', '/s/hooks/https-192.0.2.7-8787']);
    expect(spoolFolders({ spool: 'off', url: 'http://127.0.0.1:8787', publicUrls: [] })).toEqual([]);
  });
});

describe('a collector', () => {
  it('that starts takes what waited: sessions complete, in order, each Event once', async () => {
    await using dir = await tempDir();
    const port = await freePort();
    const records = recordsOf();
    const spool = await hookSpool(dir.file('spool'), port);
    // Twice: a shim whose call arrived and was not answered in time spools it as well.
    for (const record of records) await spool.append(linesOf([record, record]));
    const collector = await launchCollector({ data: dir.file('data'), spool: dir.file('spool'), port: String(port) });
    await until(() => !hasLines(`${dir.file('spool')}/hooks/local-${port}`));
    const kept = await keptBy(collector.url);
    expect(storiesIn(kept)).toEqual(storyOf(records));
    expect(new Set(kept.map(({ id }) => id)).size).toBe(kept.length);
    expect(kept.map(({ id }) => id)).toEqual(expect.arrayContaining([records[0]?.key]));
    expect((await collector.process.stop()).code).toBe(0);
  });

  it('that is killed in the middle of draining goes on where it was: nothing lost, nothing twice', { timeout: 120_000 }, async () => {
    await using dir = await tempDir();
    const port = await freePort();
    const records = recordsOf(60);
    const spool = await hookSpool(dir.file('spool'), port);
    await spool.append(linesOf(records));
    const flags = { data: dir.file('data'), spool: dir.file('spool'), port: String(port), 'log-level': 'info' };
    for (const lines of [0, 1, 2]) {
      const collector = await launchCollector(flags);
      await until(() => (collector.process.stderr().match(/had waited/g) ?? []).length >= lines || !hasLines(`${dir.file('spool')}/hooks/local-${port}`));
      for (let turn = 0; turn < lines * 10; turn += 1) await setImmediate();
      await collector.process.stop('SIGKILL');
    }
    const collector = await launchCollector(flags);
    await until(() => !hasLines(`${dir.file('spool')}/hooks/local-${port}`));
    const kept = await keptBy(collector.url);
    expect(storiesIn(kept)).toEqual(storyOf(records));
    expect(new Set(kept.map(({ id }) => id)).size).toBe(kept.length);
    await collector.process.stop();
  });

  it('takes direct calls behind those that wait', async () => {
    await using dir = await tempDir();
    const collector = await launchCollector({ data: dir.file('data'), spool: dir.file('spool') });
    const records = recordsOf();
    const spool = await hookSpool(dir.file('spool'), collector.port);
    await spool.append(linesOf(records.slice(0, 5)));
    const sent = await fetch(`${collector.url}/hooks/claude-code`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ session_id: records[0]?.session, hook_event_name: 'SessionEnd', reason: 'other' }),
    });
    expect(sent.status).toBe(202);
    const kept = await keptBy(collector.url);
    expect(kept.at(-1)?.type).toBe('session.ended');
    expect(kept.length).toBeGreaterThanOrEqual(5);
    await collector.process.stop();
  });

  it('serves although its spool is unusable, and leaves that of others alone', async () => {
    await using dir = await tempDir();
    const port = await freePort();
    await mkdir(`${dir.file('spool')}/hooks/local-${port}`, { recursive: true });
    for (const name of ['0000000000001-aaaaaaaaaaaa-k-1-2.lines', 'x']) await writeFile(`${dir.file('spool')}/hooks/local-${port}/${name}`, 'not a spool');
    const other = await hookSpool(dir.file('spool'), port - 1);
    await other.append(linesOf(recordsOf().slice(0, 1)));
    const collector = await launchCollector({ data: dir.file('data'), spool: dir.file('spool'), port: String(port) });
    expect((await fetch(`${collector.url}/healthz`)).status).toBe(200);
    await collector.process.output(/cannot be drained/);
    expect((await other.stats()).lines).toBe(1);
    expect((await collector.process.stop()).code).toBe(0);
  });
});
