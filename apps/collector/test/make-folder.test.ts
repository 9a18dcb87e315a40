import { stat, writeFile } from 'node:fs/promises';

import { tempDir } from '@aepkit/testkit';
import { expect, it } from 'vitest';

import { makeFolder } from '../src/make-folder.js';

it('makes what is missing for its owner only, and leaves what is there', async () => {
  await using dir = await tempDir();
  const deep = dir.file('a', 'b', 'c');
  await Promise.all([makeFolder(deep), makeFolder(deep), makeFolder(dir.file('a', 'b'))]);
  await makeFolder(deep);
  for (const path of [dir.file('a'), dir.file('a', 'b'), deep]) expect((await stat(path)).mode & 0o777).toBe(0o700);
});

it('fails where a file is in the way', async () => {
  await using dir = await tempDir();
  await writeFile(dir.file('file'), '');
  await expect(makeFolder(dir.file('file'))).rejects.toMatchObject({ code: 'EEXIST' });
  await expect(makeFolder(dir.file('file', 'x', 'y'))).rejects.toMatchObject({ code: 'EEXIST' });
});

it.runIf(process.platform === 'linux')('fails at once where no folder can be made', async () => {
  await expect(makeFolder('/proc/aepkit')).rejects.toMatchObject({ code: 'ENOENT' });
  await expect(makeFolder('/proc/aepkit/deep')).rejects.toMatchObject({ code: 'ENOENT' });
});
