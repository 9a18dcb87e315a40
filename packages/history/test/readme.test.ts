import { existsSync, readFileSync } from 'node:fs';
import { tempDir } from '@aepkit/testkit';
import { expect, it } from 'vitest';
import { keep } from './example.js';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

it('shows the program that runs here', () => {
  const program = read('./example.ts').replace('../src/index.js', '@aepkit/history').trim();
  expect(read('../README.md')).toContain(`\`\`\`ts\n${program}\n\`\`\``);
  expect(Buffer.byteLength(read('../README.md'))).toBeLessThan(8192);
});

it('does what the README says', async () => {
  await using folder = await tempDir();
  const before = process.cwd();
  const line = (seq: number) =>
    `{"aep":"0.1","id":"e${seq}","type":"tool.requested","time":"2026-01-01T00:00:00Z","source":"aep://h/agent/a","agent":"a","session":"s","seq":${seq}}`;
  process.chdir(folder.path);
  try {
    expect(await keep(line(1), 's')).toEqual([line(1)]);
    expect(await keep(line(0), 's')).toEqual([line(0), line(1)]);
    expect(existsSync('data/history.db')).toBe(true);
  } finally {
    process.chdir(before);
  }
});
