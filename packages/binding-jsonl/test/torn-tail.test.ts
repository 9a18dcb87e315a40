import { writeFileSync } from 'node:fs';

import { buildWire, tempDir } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { fileEnd, lastLineStart, readRange, truncateTail } from '../src/torn-tail.js';
import { nodeFileSystem, type JsonlFile } from '../src/writer.js';

async function withFile<T>(content: string, run: (file: JsonlFile) => Promise<T>): Promise<T> {
  await using dir = await tempDir();
  const path = dir.file('f');
  writeFileSync(path, content);
  const file = await nodeFileSystem.openAppend(path, 0o600);
  try {
    return await run(file);
  } finally {
    await file.close();
  }
}

describe('fileEnd', () => {
  it.each([
    ['', false],
    ['a\n', false],
    ['a', true],
    ['a\nb', true],
    ['\r', true],
  ])('says whether %j is torn', async (content, torn) => {
    expect(await withFile(content, fileEnd)).toEqual({ size: content.length, torn });
  });

  it('gives a line that is just being written its time', async () => {
    const end = await withFile('a\nb', async (file) => {
      let looks = 0;
      const growing: JsonlFile = {
        ...file,
        facts: async () => {
          looks += 1;
          if (looks === 2) await file.write(Buffer.from('c'));
          if (looks === 3) await file.write(Buffer.from('d\n'));
          return file.facts();
        },
      };
      return fileEnd(growing);
    });
    expect(end).toEqual({ size: 6, torn: false });
  });

  it('comes to an end with a file that never stands still', async () => {
    const end = await withFile('a', async (file) =>
      fileEnd({ ...file, facts: async () => (await file.write(Buffer.from('x')), file.facts()) }),
    );
    expect(end.torn).toBe(true);
  });
});

describe('truncateTail', () => {
  const event = buildWire().json;

  it.each([
    ['a\nbc', { size: 2, torn: false }],
    ['bc', { size: 0, torn: false }],
    [`a\n${event}`, { size: 2 + event.length, torn: true }],
    [`a\n${event.slice(0, -1)}`, { size: 2, torn: false }],
  ])('cuts %j, but no whole Event', async (content, expected) => {
    await withFile(content, async (file) => {
      expect(await truncateTail(file, content.length, 1_000)).toEqual(expected);
      expect((await file.facts()).size).toBe(expected.size);
    });
  });

  it('does not read a tail above the limit', async () => {
    await withFile(`a\n${event}`, async (file) => {
      expect(await truncateTail(file, event.length + 2, event.length - 1)).toEqual({ size: 2, torn: false });
    });
  });
});

describe('lastLineStart', () => {
  it('looks back as far as it takes', async () => {
    for (const rest of [0, 1, 65_535, 65_536, 65_537, 200_000]) {
      expect(await withFile(`ab\n${'x'.repeat(rest)}`, (file) => lastLineStart(file, rest + 3))).toBe(3);
    }
    expect(await withFile('x'.repeat(70_000), (file) => lastLineStart(file, 70_000))).toBe(0);
  });
});

describe('readRange', () => {
  it('reads what is there, also where the system gives little at once', async () => {
    await withFile('abcdef', async (file) => {
      const slow: JsonlFile = { ...file, read: (into, offset) => file.read(into.subarray(0, 1), offset) };
      expect(Buffer.from(await readRange(slow, 1, 4)).toString()).toBe('bcd');
      expect(Buffer.from(await readRange(slow, 4, 9)).toString()).toBe('ef');
    });
  });
});
