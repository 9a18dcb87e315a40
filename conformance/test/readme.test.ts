import { readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';

describe('the README', () => {
  it('starts with a program that is compiled and lists what that implementation gets wrong', async () => {
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    expect(readme).toContain(`\`\`\`ts\n${readFileSync(new URL('./example.ts', import.meta.url), 'utf8')}\`\`\``);
    expect(Buffer.byteLength(readme)).toBeLessThanOrEqual(8192);
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    await import('./example.js');
    // It throws where a filter is refused, and reads large integers of Events with JSON.parse.
    const titles = log.mock.calls.map(([title]) => title as string);
    expect(titles.some((title) => title.startsWith('matches an integer beyond 2^53 with itself'))).toBe(true);
    log.mockRestore();
  });
});
