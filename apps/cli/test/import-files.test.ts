import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';

import { tempDir } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { findLogs } from '../src/import-files.js';

describe('findLogs', () => {
  it('puts the logs of one name together, rotated files ahead by age, and leaves out what is no log', async () => {
    await using dir = await tempDir();
    const put = (...parts: string[]): string => {
      mkdirSync(dir.file(...parts.slice(0, -1)), { recursive: true });
      writeFileSync(dir.file(...parts), '');
      return dir.file(...parts);
    };
    const a = ['s.jsonl.20260102T000000000Z-aa', 's.jsonl.20260101T000000000Z-bb', 's.jsonl'].map((name) => put('a', name));
    const b = ['s.jsonl.2', 's.jsonl.10'].map((name) => put('b', name));
    const [newer, older] = ['t.jsonl.x', 't.jsonl-20260101'].map((name) => put('b', name));
    utimesSync(newer ?? '', 2000, 2000);
    utimesSync(older ?? '', 1000, 1000);
    const agents = ['a', 'b'].map((name) => put(name, '%agent.jsonl'));
    const packed = put('a', 's.jsonl.9.gz');
    const other = put('notes.txt');
    symlinkSync(dir.path, dir.file('b', 'round'));
    const left: string[] = [];
    const groups = await findLogs([dir.path, '-', packed], (path) => left.push(path));
    expect(groups).toEqual([...agents.map((path) => [[path]]), [[a[1], a[0], a[2]], [b[1], b[0]]], [[older, newer]], [['-']], [[packed]]]);
    expect(left.sort()).toEqual([packed, dir.file('b', 'round'), other].sort());
    await expect(findLogs([dir.file('none')], () => undefined)).rejects.toMatchObject({ exitCode: 2 });
  });

  it('leaves out links to what is no file, which would never end', async () => {
    await using dir = await tempDir();
    writeFileSync(dir.file('real.jsonl'), '');
    for (const [name, to] of [['zero', '/dev/zero'], ['folder', '.'], ['nowhere', 'none'], ['self', 'self.jsonl']] as const) symlinkSync(to, dir.file(`${name}.jsonl`));
    symlinkSync('real.jsonl', dir.file('linked.jsonl'));
    const left: string[] = [];
    const groups = await findLogs([dir.path], (path) => left.push(path));
    expect(groups).toEqual([[[dir.file('linked.jsonl')]], [[dir.file('real.jsonl')]]]);
    expect(left.sort()).toEqual(['folder', 'nowhere', 'self', 'zero'].map((name) => dir.file(`${name}.jsonl`)));
  });

  it('bounds how many are read side by side', async () => {
    await using dir = await tempDir();
    for (let n = 0; n < 130; n += 1) {
      mkdirSync(dir.file(String(n)));
      writeFileSync(dir.file(String(n), 's.jsonl'), '');
    }
    expect((await findLogs([dir.path], () => undefined)).map((group) => group.length)).toEqual([64, 64, 2]);
  });
});
