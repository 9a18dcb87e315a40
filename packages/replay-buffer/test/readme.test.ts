import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import * as exported from '../src/index.js';
import { wire } from './events.js';
import { resume } from './example.js';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

it('shows the program that runs here', () => {
  const program = read('./example.ts').replace('../src/index.js', '@aepkit/replay-buffer').trim();
  expect(read('../README.md')).toContain(`\`\`\`ts\n${program}\n\`\`\``);
  expect(read('../README.md').length).toBeLessThan(8192);
});

it('does what the README says', () => {
  const { json } = wire({ session: 's1', seq: 8 });
  expect([...resume(json, 's1', 0, 7)]).toEqual([json, 'session-end']);
  expect([...resume(json, 's1', 0, 3)]).toEqual(['exhausted', json, 'session-end']);
});

it('names the limits as they are', () => {
  for (const [name, value] of Object.entries(exported)) {
    if (typeof value === 'number') expect(read('../README.md')).toMatch(new RegExp(`\`${name}\` \\| ${value.toLocaleString('en')}[ ,|]`));
  }
});
