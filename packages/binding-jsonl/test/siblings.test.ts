import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';

import { tempDir } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { isRotatedName } from '../src/rotated-name.js';
import { compareAge, placesOf, siblingsOf, type Sibling } from '../src/siblings.js';
import { nodeFileSystem } from '../src/writer.js';

describe('placesOf', () => {
  it('is the folder of the path, and that of what a link names', async () => {
    await using dir = await tempDir();
    mkdirSync(dir.file('store'));
    writeFileSync(dir.file('store', 'one'), '');
    writeFileSync(dir.file('plain'), '');
    symlinkSync(dir.file('store', 'one'), dir.file('link'));
    symlinkSync(dir.file('gone'), dir.file('dangling'));
    symlinkSync(dir.file('store'), dir.file('alias'));
    expect(await placesOf(dir.file('plain'), nodeFileSystem)).toEqual([{ directory: dir.path, base: 'plain' }]);
    expect(await placesOf(dir.file('missing'), nodeFileSystem)).toEqual([{ directory: dir.path, base: 'missing' }]);
    expect(await placesOf(dir.file('dangling'), nodeFileSystem)).toEqual([{ directory: dir.path, base: 'dangling' }]);
    expect(await placesOf(dir.file('alias', 'one'), nodeFileSystem)).toEqual([{ directory: dir.file('alias'), base: 'one' }]);
    expect(await placesOf(dir.file('link'), nodeFileSystem)).toEqual([
      { directory: dir.path, base: 'link' },
      { directory: dir.file('store'), base: 'one' },
    ]);
  });
});

describe('siblingsOf', () => {
  it('lists rotated files, oldest first, each once, and nothing else', async () => {
    await using dir = await tempDir();
    for (const name of ['a', 'a.1', 'a.2', 'a.3.gz', 'b.1']) writeFileSync(dir.file(name), '');
    mkdirSync(dir.file('a.folder'));
    symlinkSync(dir.file('gone'), dir.file('a.dangling'));
    const flat = { ...nodeFileSystem, facts: async (path: string) => ({ ...(await nodeFileSystem.facts(path))!, bornNs: 0n }) };
    utimesSync(dir.file('a.1'), 2, 2);
    utimesSync(dir.file('a.2'), 1, 1);
    const place = { directory: dir.path, base: 'a' };
    const fileSystem = { ...flat, facts: async (path: string) => ((await nodeFileSystem.facts(path)) === undefined ? undefined : flat.facts(path)) };
    expect((await siblingsOf([place, place], isRotatedName, fileSystem)).map(({ path }) => path)).toEqual([dir.file('a.2'), dir.file('a.1')]);
    expect(await siblingsOf([{ directory: dir.file('none'), base: 'a' }], isRotatedName, fileSystem)).toEqual([]);
  });
});

describe('compareAge', () => {
  it('asks for birth before the last change, and admits that it does not know', () => {
    const file = (bornNs: bigint, modifiedNs: bigint): Sibling => ({ path: '', facts: { id: '', key: '', size: 0, isFile: true, bornNs, modifiedNs } });
    expect([compareAge(file(1n, 9n), file(2n, 3n)), compareAge(file(2n, 3n), file(2n, 2n)), compareAge(file(0n, 1n), file(0n, 1n))].map(Math.sign)).toEqual([-1, 1, 0]);
  });
});
