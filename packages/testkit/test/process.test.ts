import { writeFile } from 'node:fs/promises';

import { describe, expect, it } from 'vitest';

import { launchNode, tempDir } from '../src/index.js';

async function run(source: string, use: (script: string) => Promise<void>): Promise<void> {
  await using dir = await tempDir();
  await writeFile(dir.file('program.mjs'), source);
  await use(dir.file('program.mjs'));
}

describe('launchNode', () => {
  it('gives output, code and what was written to standard input', () =>
    run('for await (const chunk of process.stdin) process.stdout.write(chunk); console.error("done"); process.exitCode = 3;', async (script) => {
      expect(await launchNode(script, { input: 'hello' }).exit).toEqual({ code: 3, signal: null, stdout: 'hello', stderr: 'done\n' });
    }));

  it('waits for output and stops by signal', () =>
    run('console.log("ready at 42"); setInterval(() => {}, 1000);', async (script) => {
      const program = launchNode(script);
      expect((await program.output(/ready at (\d+)/))[1]).toBe('42');
      expect((await program.stop('SIGKILL')).signal).toBe('SIGKILL');
    }));

  it('rejects with the output when the program ends without the words', () =>
    run('console.log("something else");', async (script) => {
      await expect(launchNode(script).output(/ready/)).rejects.toThrow(/something else/);
    }));
});
