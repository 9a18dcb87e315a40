import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tempDir } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';
import { openHistory } from '../src/index.js';
import { prepareFile } from '../src/prepare-file.js';
import { APPLICATION_ID, SCHEMA_VERSION, type Migration } from '../src/schema.js';
import { at, query, testStore } from './support.js';

function inFile<T>(path: string, use: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(path);
  try {
    return use(db);
  } finally {
    db.close();
  }
}

function versionOf(path: string): unknown {
  return inFile(path, (db) => db.prepare('PRAGMA user_version').get()?.user_version);
}

const nextVersion: Migration = {
  from: SCHEMA_VERSION,
  migrate: (db) => {
    db.exec('ALTER TABLE sessions ADD COLUMN note TEXT; CREATE TABLE notes (x INTEGER)');
  },
};

describe('a new store', () => {
  it('is readable by its owner alone, and so is a folder that was made for it', async () => {
    await using folder = await tempDir();
    const path = folder.file('data', 'deep', 'history.db');
    const history = await openHistory({ path });
    await history.append([at(0)]);
    for (const name of ['history.db', 'history.db-wal', 'history.db-shm', 'history.db.lock']) {
      expect(statSync(folder.file('data', 'deep', name)).mode & 0o777, name).toBe(0o600);
    }
    for (const name of [folder.file('data'), folder.file('data', 'deep')]) expect(statSync(name).mode & 0o777).toBe(0o700);
    await history.close();
  });

  it('leaves the mode of a folder that was there alone', async () => {
    await using folder = await tempDir();
    mkdirSync(folder.file('data'));
    chmodSync(folder.file('data'), 0o755);
    await (await openHistory({ path: folder.file('data', 'h.db') })).close();
    expect(statSync(folder.file('data')).mode & 0o777).toBe(0o755);
  });

  it('is made in place of an empty file, and over what a death in the middle left', async () => {
    await using folder = await tempDir();
    const path = folder.file('history.db');
    writeFileSync(path, '');
    writeFileSync(`${path}.new`, 'half of one');
    await (await openHistory({ path })).close();
    expect(existsSync(`${path}.new`)).toBe(false);
    expect(inFile(path, (db) => db.prepare('PRAGMA application_id').get()?.application_id)).toBe(APPLICATION_ID);
  });
});

describe('a file of something else', () => {
  it.each([
    ['a text', () => Buffer.from('hello, this is a note to myself\n')],
    ['a short file', () => Buffer.from('x')],
    ['an archive', () => Buffer.alloc(100_000, 7)],
  ])('is refused and left alone: %s', async (_, content) => {
    await using folder = await tempDir();
    const path = folder.file('x');
    writeFileSync(path, content());
    await expect(openHistory({ path })).rejects.toMatchObject({ code: 'not-a-history' });
    expect(readFileSync(path)).toEqual(content());
  });

  it("is refused and left alone: another program's database, also one in WAL mode", async () => {
    await using folder = await tempDir();
    const path = folder.file('places.db');
    inFile(path, (db) => {
      db.exec('PRAGMA journal_mode = WAL; CREATE TABLE places (x); INSERT INTO places VALUES (1)');
    });
    const before = readFileSync(path);
    await expect(openHistory({ path })).rejects.toMatchObject({ code: 'not-a-history' });
    expect(readFileSync(path)).toEqual(before);
  });

  it('is refused: a folder', async () => {
    await using folder = await tempDir();
    await expect(openHistory({ path: folder.path })).rejects.toMatchObject({ code: 'unavailable' });
  });
});

describe('another schema', () => {
  it('refuses one of a newer version with advice, and changes nothing', async () => {
    await using store = await testStore();
    await store.history.append([at(0)]);
    await store.history.close();
    inFile(store.path, (db) => {
      db.exec(`PRAGMA user_version = ${SCHEMA_VERSION + 1}`);
    });
    const before = readFileSync(store.path);
    await expect(openHistory({ path: store.path })).rejects.toMatchObject({
      code: 'newer-schema',
      message: expect.stringMatching(/update, or restore the copy/) as string,
    });
    expect(readFileSync(store.path)).toEqual(before);
  });

  it('migrates an older one behind a copy that only its owner can read, and that opens again', async () => {
    await using store = await testStore();
    const event = at(0);
    await store.history.append([event]);
    await store.history.close();
    const backup = prepareFile(store.path, SCHEMA_VERSION + 1, [nextVersion]);
    expect(backup).toBe(`${store.path}.v${SCHEMA_VERSION}.bak`);
    expect(versionOf(store.path)).toBe(SCHEMA_VERSION + 1);
    expect(inFile(store.path, (db) => db.prepare('SELECT note FROM sessions').all())).toHaveLength(1);
    expect(statSync(backup ?? '').mode & 0o777).toBe(0o600);
    // The way back: the version before opens the copy.
    const restored = await openHistory({ path: backup ?? '' });
    expect((await query(restored)).map(({ json }) => json)).toEqual([event.json]);
    expect(restored.backup).toBeUndefined();
    await restored.close();
  });

  it('never writes over a copy that is there', async () => {
    await using store = await testStore();
    await store.history.close();
    writeFileSync(`${store.path}.v${SCHEMA_VERSION}.bak`, 'precious');
    expect(prepareFile(store.path, SCHEMA_VERSION + 1, [nextVersion])).toBe(`${store.path}.v${SCHEMA_VERSION}.bak-2`);
    expect(readFileSync(`${store.path}.v${SCHEMA_VERSION}.bak`, 'utf8')).toBe('precious');
  });

  it('leaves the file as it was where a migration fails in the middle', async () => {
    await using store = await testStore();
    await store.history.append([at(0), at(1)]);
    await store.history.close();
    const half: Migration = {
      from: SCHEMA_VERSION,
      migrate: (db) => {
        db.exec('DELETE FROM events');
        throw new Error('no further');
      },
    };
    expect(() => prepareFile(store.path, SCHEMA_VERSION + 1, [half])).toThrow(
      expect.objectContaining({ code: 'migration-failed', message: expect.stringContaining('no further') as string }) as Error,
    );
    expect(await query(await store.reopen())).toHaveLength(2);
  });

  it('runs every step between the versions, and misses none', async () => {
    await using store = await testStore();
    await store.history.close();
    const second: Migration = {
      from: SCHEMA_VERSION + 1,
      migrate: (db) => {
        db.exec('INSERT INTO notes VALUES (7)');
      },
    };
    expect(() => prepareFile(store.path, SCHEMA_VERSION + 2, [nextVersion])).toThrow(expect.objectContaining({ code: 'migration-failed' }) as Error);
    expect(versionOf(store.path)).toBe(SCHEMA_VERSION);
    prepareFile(store.path, SCHEMA_VERSION + 2, [second, nextVersion]);
    expect(inFile(store.path, (db) => db.prepare('SELECT x FROM notes').get())).toEqual({ x: 7 });
  });
});
