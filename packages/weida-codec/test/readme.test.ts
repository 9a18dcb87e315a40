import { readdirSync, readFileSync } from 'node:fs';

import { describe, expect, it, vi } from 'vitest';

import { DEFAULT_BROKER_LIMITS, DEFAULT_CONNECTION_LIMITS, DEFAULT_RUNTIME_LIMITS, FRAME_KINDS } from '../src/index.js';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');
const readme = read('../README.md');

describe('the README', () => {
  it('starts with a program that is compiled and does what it says', async () => {
    const program = read('./example.ts');
    expect(readme).toContain(`\`\`\`ts\n${program}\`\`\``);
    expect(program.trim().split('\n').filter((line) => line !== '').length).toBeLessThanOrEqual(10);
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    await import('./example.js');
    expect(log.mock.calls).toEqual([['/md', true], ['1.0842']]);
    log.mockRestore();
  });

  it('lists every frame with its number', () => {
    for (const [number, kind] of FRAME_KINDS.entries()) expect(readme).toContain(`| ${number} | \`${kind}\` |`);
  });

  it('names the limits as they are', () => {
    for (const limits of [DEFAULT_CONNECTION_LIMITS, DEFAULT_RUNTIME_LIMITS, DEFAULT_BROKER_LIMITS]) {
      for (const [name, value] of Object.entries(limits)) expect(readme).toMatch(new RegExp(`\`${name}\` ${(value as number).toLocaleString('en')}\\b`));
    }
  });

  it('lists each MUST that no test names, and no other', () => {
    const must = read('../../../spec/clauses/weida.tsv').split('\n').map((row) => row.split('\t')).filter(([, , level]) => level === 'MUST').map(([id]) => id!);
    const tests = readdirSync(new URL('.', import.meta.url)).filter((name) => name.endsWith('.test.ts')).map((name) => read(`./${name}`)).join('\n');
    const named = new Set([...tests.matchAll(/\[(W-\d{3}(?:, W-\d{3})*)\]/g)].flatMap(([, ids]) => ids!.split(', ')));
    const [, left = ''] = /## Left to a transport\n([^#]+)/.exec(readme) ?? [];
    expect([...left.matchAll(/W-\d{3}/g)].map(([id]) => id).sort()).toEqual(must.filter((id) => !named.has(id)).sort());
  });

  it('fits into 8 KB', () => {
    expect(Buffer.byteLength(readme)).toBeLessThanOrEqual(8192);
  });
});
