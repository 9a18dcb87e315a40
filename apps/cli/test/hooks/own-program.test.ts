import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { tempDir } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { ownProgram } from '../../src/hooks/own-program.js';

const SCRIPT = fileURLToPath(new URL('../../bin/aep.js', import.meta.url));
const base = { platform: 'linux' as const, env: {}, execPath: process.execPath, script: undefined };

describe('ownProgram', () => {
  it('names Node and the script as files, which need no path', () => {
    expect(ownProgram(base)).toEqual([process.execPath, SCRIPT]);
  });

  it('keeps the link that a package manager made, and nothing that leads elsewhere', async () => {
    await using home = await tempDir();
    await symlink(SCRIPT, home.file('aep'));
    await writeFile(home.file('other'), '');
    expect(ownProgram({ ...base, script: home.file('aep') })?.[1]).toBe(home.file('aep'));
    expect(ownProgram({ ...base, script: home.file('other') })?.[1]).toBe(SCRIPT);
    expect(ownProgram({ ...base, script: 'aep' })?.[1]).toBe(SCRIPT);
  });

  it('prefers the name that Node has on the path, which an upgrade keeps, but no other Node', async () => {
    await using home = await tempDir();
    for (const folder of ['wrong', 'right', 'node_modules', 'node_modules/.bin']) await mkdir(home.file(folder));
    await writeFile(home.file('wrong/node'), '');
    await symlink(process.execPath, home.file('right/node'));
    await symlink(process.execPath, home.file('node_modules/.bin/node'));
    const PATH = ['relative', home.file('node_modules/.bin'), home.file('wrong'), home.file('right')].join(':');
    expect(ownProgram({ ...base, env: { PATH } })?.[0]).toBe(home.file('right/node'));
  });

  it('takes Node by its bare name on Windows where its path has a space: no quoting there starts a line for every shell', () => {
    expect(ownProgram({ ...base, platform: 'win32', execPath: 'C:\\Program Files\\nodejs\\node.exe' })?.[0]).toBe('node');
    expect(ownProgram({ ...base, platform: 'win32', execPath: 'C:\\node\\node.exe' })?.[0]).toBe('C:\\node\\node.exe');
  });

  it.each(['.npm/_npx/abc/node_modules', '.cache/pnpm/dlx-12/node_modules', 'tmp/bunx-0-x/node_modules', '.yarn/dlx/node_modules'])('gives nothing out of %s, which is emptied some day', async (folder) => {
    await using home = await tempDir();
    const { ownProgramOf } = await import('../../src/hooks/own-program.js');
    expect(ownProgramOf(`${home.path}/${folder}/@aepkit/cli/bin/aep.js`, base)).toBeUndefined();
  });
});
