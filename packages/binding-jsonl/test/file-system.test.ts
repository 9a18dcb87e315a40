import { linkSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';

import { tempDir } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { isMissing } from '../src/file-system.js';
import { nodeFileSystem } from '../src/writer.js';
import { systemError } from './support.js';

describe('nodeFileSystem', () => {
  it('knows a file by device and inode, under every name', async () => {
    await using dir = await tempDir();
    writeFileSync(dir.file('a'), 'abc');
    linkSync(dir.file('a'), dir.file('b'));
    const facts = await nodeFileSystem.facts(dir.file('a'));
    expect(facts).toMatchObject({ id: expect.stringMatching(/^\d+:\d+$/), size: 3, isFile: true });
    expect(await nodeFileSystem.facts(dir.file('b'))).toEqual(facts);
    renameSync(dir.file('a'), dir.file('c'));
    expect((await nodeFileSystem.facts(dir.file('c')))?.key).toBe(facts!.key);
    expect(await nodeFileSystem.facts(dir.path)).toMatchObject({ isFile: false });
  });

  it('has nothing to tell where there is nothing', async () => {
    await using dir = await tempDir();
    writeFileSync(dir.file('a'), '');
    for (const path of [dir.file('none'), dir.file('a', 'below')]) {
      expect(await nodeFileSystem.facts(path)).toBeUndefined();
      expect(await nodeFileSystem.list(path)).toEqual([]);
    }
    expect([isMissing(systemError('ENOENT')), isMissing(systemError('EACCES')), isMissing(undefined)]).toEqual([true, false, false]);
  });

  it('appends wherever somebody else has written since', async () => {
    await using dir = await tempDir();
    const path = dir.file('a');
    const [a, b] = [await nodeFileSystem.openAppend(path, 0o600), await nodeFileSystem.openAppend(path, 0o600)];
    expect(await a.write(Buffer.from('one'))).toBe(3);
    await b.write(Buffer.from('two'));
    await a.write(Buffer.from('three'));
    const into = new Uint8Array(20);
    expect([await a.read(into, 2), Buffer.from(into).toString('latin1', 0, 9)]).toEqual([9, 'etwothree']);
    await a.sync();
    await Promise.all([a.close(), b.close()]);
  });

  it('makes folders, says where it began, and syncs them', async () => {
    await using dir = await tempDir();
    mkdirSync(dir.file('x'));
    expect(await nodeFileSystem.makeDirectory(dir.file('x', 'y', 'z'), 0o700)).toBe(dir.file('x', 'y'));
    expect(await nodeFileSystem.makeDirectory(dir.file('x', 'y'), 0o700)).toBeUndefined();
    await nodeFileSystem.syncDirectory(dir.file('x', 'y'));
    await expect(nodeFileSystem.syncDirectory(dir.file('none'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it.runIf(process.platform === 'linux')('fails at once where no folder can be made', async () => {
    await expect(nodeFileSystem.makeDirectory('/proc/aepkit/deep', 0o700)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
