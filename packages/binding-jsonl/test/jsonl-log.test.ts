import { readdirSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

import { buildEvent, buildWire, tempDir } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { JsonlReader } from '../src/reader.js';
import { decodeName, JsonlLog, logPath, type JsonlLogOptions } from '../src/writer.js';
import { faultyFileSystem, ids, type Faults } from './support.js';

interface At {
  readonly log: JsonlLog;
  readonly root: string;
  readonly faults: Faults;
  readonly errors: string[];
  read(event: { readonly agent: string; readonly session?: string }): string[];
  files(): string[];
}

async function withLog(options: Partial<JsonlLogOptions>, run: (at: At) => Promise<void>): Promise<void> {
  await using dir = await tempDir();
  const { fileSystem, faults } = faultyFileSystem();
  const root = dir.file('root');
  const errors: string[] = [];
  const log = new JsonlLog({ root, fileSystem, onError: ({ code }) => errors.push(code), ...options });
  await run({
    log,
    root,
    faults,
    errors,
    read: (event) => ids(new JsonlReader().push(readFileSync(logPath(root, event)))),
    files: () => readdirSync(dir.path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => relative(root, `${entry.parentPath}/${entry.name}`)).toSorted(),
  });
  await log.close();
  expect(faults.open).toBe(0);
}

const wire = (agent: string, session: string, id: string): ReturnType<typeof buildWire> => buildWire({ agent, session, id });

describe('JsonlLog', () => {
  it('keeps each session in the file of its agent, in order, with one write per file and call [B-013, B-015]', async () => {
    await withLog({}, async ({ log, faults, read, files }) => {
      await log.append([wire('a', 's', '1'), wire('a', 't', '2'), wire('b', 's', '3'), wire('a', 's', '4')]);
      await log.append(wire('a', 's', '5'));
      expect(files()).toEqual(['a/s.jsonl', 'a/t.jsonl', 'b/s.jsonl']);
      expect([read({ agent: 'a', session: 's' }), read({ agent: 'a', session: 't' }), read({ agent: 'b', session: 's' })]).toEqual([['1', '4', '5'], ['2'], ['3']]);
      expect(faults.log).toHaveLength(4);
      expect(log.stats()).toMatchObject({ lines: 5, writes: 4, openFiles: 3 });
    });
  });

  it('keeps Events without a session in a file of the agent', async () => {
    await withLog({}, async ({ log, read, files }) => {
      const event = buildEvent({ type: 'agent.online', session: undefined, seq: undefined, agent: 'Ä', id: 'x' });
      await log.append(event);
      expect(files()).toEqual(['%c3%84/%agent.jsonl']);
      expect(read({ agent: 'Ä' })).toEqual(['x']);
    });
  });

  it('writes nothing outside its root, and every Event is found again by its id [B-207]', async () => {
    const hostile = ['../../../../outside/pwned', 'a/b', '..', 'CON', 'x\u0000y', 'z'.repeat(5_000), 'Case', 'case', 'é', 'e\u0301', '%agent', '/abs'];
    await withLog({ maxOpenFiles: 3 }, async ({ log, read, files }) => {
      const events = hostile.flatMap((agent, a) => hostile.map((session, s) => wire(agent, session, `${String(a)}-${String(s)}`)));
      await log.append(events);
      expect(files()).toHaveLength(hostile.length ** 2);
      expect(new Set(files().map((file) => file.normalize('NFC').toLowerCase())).size).toBe(hostile.length ** 2);
      expect(files().filter((file) => file.startsWith('..'))).toEqual([]);
      for (const { event } of events) expect(read(event as { agent: string; session: string })).toEqual([event.id]);
      const named = new Set(files().map((file) => decodeName(file.split('/')[0]!)));
      expect(named).toEqual(new Set([...hostile.filter((name) => name.length < 100), undefined]));
    });
  });

  it('holds no more files open than it may, and closes those not used for longest', async () => {
    await withLog({ maxOpenFiles: 2 }, async ({ log, faults, read }) => {
      await log.append(['a', 'b', 'c', 'd', 'e'].map((session) => wire('x', session, session)));
      await log.append(wire('x', 'd', 'd2'));
      await log.append(wire('x', 'a', 'a2'));
      await log.append(wire('x', 'd', 'd3'));
      expect(faults.mostOpen).toBe(2);
      expect(read({ agent: 'x', session: 'a' })).toEqual(['a', 'a2']);
      expect(read({ agent: 'x', session: 'd' })).toEqual(['d', 'd2', 'd3']);
      expect(log.stats()).toMatchObject({ lines: 8, openFiles: 2 });
    });
  });

  it('keeps the order of calls that come while others are written', async () => {
    await withLog({ maxOpenFiles: 1 }, async ({ log, faults, read }) => {
      const order = Array.from({ length: 60 }, (_, at) => wire('x', `s${String(at % 3)}`, String(at)));
      await Promise.all(order.map((event) => log.append(event)));
      for (const at of [0, 1, 2]) expect(read({ agent: 'x', session: `s${String(at)}` })).toEqual(order.filter(({ event }) => event.session === `s${String(at)}`).map(({ event }) => event.id));
      expect(faults.mostOpen).toBe(1);
      expect(faults.log.length).toBeLessThan(20);
      expect(log.queuedBytes).toBe(0);
    });
  });

  it('says which Events of a call failed; those of other files and calls are kept', async () => {
    // One file at a time, so that the fault hits the first.
    await withLog({ maxOpenFiles: 1 }, async ({ log, faults, read, root }) => {
      await log.append([wire('x', 'a', 'a1'), wire('x', 'b', 'b1')]);
      faults.writes.push('ENOSPC');
      const results = await Promise.allSettled([log.append([wire('x', 'a', 'a2'), wire('x', 'b', 'b2'), wire('x', 'a', 'a3')]), log.append(wire('x', 'b', 'b3'))]);
      expect(results).toMatchObject([{ status: 'rejected', reason: { code: 'no-space', failed: [0, 2], path: logPath(root, { agent: 'x', session: 'a' }) } }, { status: 'fulfilled' }]);
      expect([read({ agent: 'x', session: 'a' }), read({ agent: 'x', session: 'b' })]).toEqual([['a1'], ['b1', 'b2', 'b3']]);
    });
  });

  it('refuses a call as a whole when it is closed, its queue is full, or an Event has no file', async () => {
    await withLog({ maxQueuedBytes: 10 }, async ({ log, files }) => {
      await expect(log.append([wire('x', 'a', '1'), { ...wire('x', 'a', '2'), event: { ...wire('x', 'a', '2').event, session: '\ud800' } }])).rejects.toMatchObject({ code: 'invalid-name' });
      await log.append([]);
      expect(files()).toEqual([]);
      const first = log.append(wire('x', 'a', '1'));
      await expect(log.append(wire('x', 'a', '2'))).rejects.toMatchObject({ code: 'queue-full', failed: undefined });
      await first;
      await log.close();
      await expect(log.append(wire('x', 'a', '3'))).rejects.toMatchObject({ code: 'closed' });
    });
  });

  it('syncs all of its files, and tells a failure on closing one for room to nobody who waits', async () => {
    await withLog({ fsync: 1_000, maxOpenFiles: 2 }, async ({ log, faults, errors }) => {
      await log.append([wire('x', 'a', '1'), wire('x', 'b', '2')]);
      await log.sync();
      expect(faults.syncs).toBe(2);
      await log.append(wire('x', 'a', '3'));
      faults.fail.sync = 'EIO';
      await expect(log.sync()).rejects.toMatchObject({ code: 'sync-failed' });
      await log.append([wire('x', 'c', '4'), wire('x', 'd', '5')]);
      expect(errors).toEqual(['sync-failed']);
      delete faults.fail.sync;
    });
  });

  it('closes itself at the end of a block', async () => {
    await withLog({}, async ({ root, read }) => {
      {
        await using log = new JsonlLog({ root });
        void log.append(wire('x', 'a', '1'));
      }
      expect(read({ agent: 'x', session: 'a' })).toEqual(['1']);
    });
  });
});
