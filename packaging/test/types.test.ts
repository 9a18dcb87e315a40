import { describe, expect, inject, it } from 'vitest';
import { join } from 'node:path';

import { command } from '../src/command.js';
import { typeScriptConfigs } from '../src/typescript.js';
import { ROOT } from '../src/workspace.js';

const lab = inject('lab');
const configs = typeScriptConfigs(inject('packages'), lab);

describe('the entries and the programs of the READMEs, with declarations checked', () => {
  it.each(Object.entries(configs))('compile under %s', async (name, { files }) => {
    expect(files.length).toBeGreaterThan(0);
    const { stdout, stderr } = await command(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', name, '--pretty', 'false'], { cwd: lab });
    expect(stdout + stderr).toBe('');
  });
});
