import { readFileSync } from 'node:fs';

import { describe, expect, it, vi } from 'vitest';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

describe('README', () => {
  it('shows the program that is compiled and run here', async () => {
    const program = read('./example.ts');
    expect(read('../README.md')).toContain(`\`\`\`ts\n${program}\`\`\``);
    expect(program.split('\n').filter((line) => line !== '').length).toBeLessThanOrEqual(10);
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    await import('./example.js');
    expect(log.mock.calls).toEqual([['session.started', { session: 's1', epoch: 0, seq: 0 }]]);
    log.mockRestore();
  });

  it('is at most 8 KB', () => {
    expect(Buffer.byteLength(read('../README.md'))).toBeLessThanOrEqual(8192);
  });
});
