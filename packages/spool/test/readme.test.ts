import { readFileSync } from 'node:fs';

import { tempDir } from '@aepkit/testkit';
import { expect, it } from 'vitest';

import type { SpoolErrorCode } from '../src/index.js';
import { deliver, keep } from './example.js';

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

it('starts with the program that runs here', async () => {
  expect(read('../README.md')).toContain(read('./example.ts').replace("'../src/index.js'", "'@aepkit/spool'").trim());
  await using dir = await tempDir();
  await keep(dir.file('s'), 'line');
  const got: string[] = [];
  await deliver(dir.file('s'), (lines) => {
    got.push(...lines);
    return Promise.resolve();
  });
  expect(got).toEqual(['line']);
});

it('names every error code and stays short', () => {
  const codes: Record<SpoolErrorCode, true> = { 'line-too-long': true, 'invalid-line': true, 'not-a-spool': true, 'no-space': true, unavailable: true, closed: true };
  for (const code of Object.keys(codes)) expect(read('../README.md')).toContain(`\`${code}\``);
  expect(read('../README.md').length).toBeLessThan(8192);
});
