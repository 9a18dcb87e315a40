import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tempDir } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';
import { openHistory, openStoredEvents } from '../src/index.js';
import { at, command, testStore } from './support.js';

const read = async (path: string): Promise<string[]> => {
  const stored = openStoredEvents(path);
  const lines = await Array.fromAsync(stored.events(), ({ json }) => json);
  stored.close();
  return lines;
};

describe('openStoredEvents', () => {
  it('reads what is committed while a writer runs, and stops neither it nor the next one', async () => {
    await using store = await testStore();
    const events = [at(1), command(), at(2)];
    await store.history.append(events);
    const stored = openStoredEvents(store.path);
    expect(stored.mark()).toBe(3);
    await store.history.append([at(3)]);
    expect(stored.mark()).toBe(4);
    await store.reopen();
    await store.history.append([at(4)]);
    expect(await Array.fromAsync(stored.events({ after: 2 }), ({ event }) => event.seq)).toEqual([2, 3, 4]);
    stored.close();
    expect((await read(store.path)).slice(0, 3)).toEqual(events.map(({ json }) => json));
  });

  it('reads what a process that was killed had committed, without changing the file', async () => {
    await using store = await testStore();
    await using copy = await tempDir();
    const events = [at(1), command(), at(2)];
    await store.history.append(events);
    const path = copy.file('history.db');
    copyFileSync(store.path, path);
    copyFileSync(`${store.path}-wal`, `${path}-wal`);
    const before = readFileSync(path);
    expect(await read(path)).toEqual(events.map(({ json }) => json));
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(existsSync(`${path}.lock`)).toBe(false);
  });

  it('makes nothing, and says what a file is that it does not read', async () => {
    await using dir = await tempDir();
    const code = (path: string): unknown => {
      try {
        return openStoredEvents(path);
      } catch (error) {
        return (error as { code?: unknown }).code;
      }
    };
    expect([code(dir.file('none', 'h.db')), existsSync(dir.file('none'))]).toEqual(['unavailable', false]);
    expect([code(dir.file('none.db')), existsSync(dir.file('none.db'))]).toEqual(['unavailable', false]);
    mkdirSync(dir.file('folder'));
    expect(code(dir.file('folder'))).toBe('unavailable');
    writeFileSync(dir.file('empty'), '');
    expect(code(dir.file('empty'))).toBe('not-a-history');
    writeFileSync(dir.file('text'), 'not a database at all');
    expect(code(dir.file('text'))).toBe('not-a-history');
    const other = new DatabaseSync(dir.file('other.db'));
    other.exec('CREATE TABLE t (x)');
    other.close();
    expect(code(dir.file('other.db'))).toBe('not-a-history');
    await (await openHistory({ path: dir.file('newer.db') })).close();
    const newer = new DatabaseSync(dir.file('newer.db'));
    newer.exec('PRAGMA user_version = 99');
    newer.close();
    expect(code(dir.file('newer.db'))).toBe('newer-schema');
  });
});
