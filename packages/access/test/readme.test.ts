import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { whoWatches } from './example.js';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

it('shows the program that runs here', () => {
  const program = read('./example.ts').replace('../src/index.js', '@aepkit/access').trim();
  expect(read('../README.md')).toContain(`\`\`\`ts\n${program}\n\`\`\``);
  expect(read('../README.md').length).toBeLessThan(8192);
});

it('does what the README says', () => {
  const bearer = 'Bearer c3VwZXItc2VjcmV0LTE';
  expect(whoWatches(new Headers({ host: 'localhost:4000', authorization: bearer }))).toBe('laptop-hooks');
  expect(() => whoWatches(new Headers({ host: 'localhost:4000' }))).toThrow(expect.objectContaining({ status: 401 }) as Error);
  expect(() => whoWatches(new Headers({ host: 'evil.example', authorization: bearer }))).toThrow(expect.objectContaining({ status: 421 }) as Error);
});
