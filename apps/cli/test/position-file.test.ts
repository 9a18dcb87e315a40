import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';

import { tempDir } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { defaultPositionFile, PositionFile } from '../src/position-file.js';

const position = { source: 'aep://h/agent/a/session/s', session: 's', epoch: 0, seq: 3 };

describe('PositionFile', () => {
  it('keeps the latest position of each session of each source across runs', async () => {
    await using dir = await tempDir();
    const path = dir.file('deep', 'positions.json');
    const first = new PositionFile(path);
    expect(await first.load()).toEqual([]);
    await first.save([position, { ...position, source: 'other' }]);
    await first.save([{ ...position, seq: 9 }]);
    expect(await new PositionFile(path).load()).toEqual([{ ...position, seq: 9 }, { ...position, source: 'other' }]);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(dir.file('deep'))).toEqual(['positions.json']);
  });

  it.each(['', '{', '[]', '{"version":2,"positions":[]}', '{"version":1,"positions":[{"seq":1}]}', '{"version":1,"positions":[{"source":"a","session":"s","epoch":0,"seq":1.5}]}'])(
    'refuses a file that holds no positions rather than start again: %s',
    async (text) => {
      await using dir = await tempDir();
      await writeFile(dir.file('p'), text);
      await expect(new PositionFile(dir.file('p')).load()).rejects.toMatchObject({ name: 'CliError', exitCode: 2 });
    },
  );

  it('leaves the old positions where the new ones cannot be written', async () => {
    await using dir = await tempDir();
    await mkdir(dir.file('p'));
    await expect(new PositionFile(dir.file('p')).save([position])).rejects.toThrow();
    expect(await readdir(dir.path)).toEqual(['p']);
    await writeFile(dir.file('q'), JSON.stringify({ version: 1, positions: [position] }));
    expect(JSON.parse(await readFile(dir.file('q'), 'utf8'))).toEqual({ version: 1, positions: [position] });
  });
});

it.runIf(process.platform === 'linux')('fails at once where its folder cannot be made', async () => {
  await expect(new PositionFile('/proc/aepkit/positions.json').save([position])).rejects.toMatchObject({ code: 'ENOENT' });
});

describe('defaultPositionFile', () => {
  it('differs by collector and by filter', () => {
    const env = { AEP_STATE: '/state' };
    const names = [
      defaultPositionFile('http://a/', undefined, env),
      defaultPositionFile('http://b/', undefined, env),
      defaultPositionFile('http://a/', '{}', env),
      defaultPositionFile('http://a/', '{"type":"run.*"}', env),
    ];
    expect(new Set(names).size).toBe(4);
    expect(names[0]).toMatch(/^\/state\/tail-[0-9a-f]{16}\.json$/);
  });
});
