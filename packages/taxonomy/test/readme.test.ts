import { readFileSync } from 'node:fs';

import { describe, expect, it, vi } from 'vitest';

import { GATE_ERROR_CODES, PAYLOAD_ISSUE_CODES, STREAM_ISSUE_CODES } from '../src/index.js';

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

describe('README', () => {
  const readme = read('../README.md');

  it('begins with a program that does what its comments say', async () => {
    const program = read('./example.ts').replace('../src/index.js', '@aepkit/taxonomy');
    expect(readme).toContain(`\`\`\`ts\n${program}\`\`\``);
    expect(program.trim().split('\n').length).toBeLessThanOrEqual(10);
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    await import('./example.js');
    const [issues, message, json] = log.mock.calls.map(([value]) => value as unknown);
    log.mockRestore();
    expect(issues).toEqual([]);
    expect(message).toBe('rm: /home/kim: denied');
    expect(json).toMatch(/"capture":"metadata","data":\{"tool":\{"name":"Bash"\},"error":\{"type":"exit"\}\}\}$/);
  });

  it('has a word for every code', () => {
    for (const code of [...GATE_ERROR_CODES, ...PAYLOAD_ISSUE_CODES, ...STREAM_ISSUE_CODES]) expect(readme).toContain(`\`${code}\``);
  });

  it('is at most 8 KB', () => {
    expect(Buffer.byteLength(readme)).toBeLessThanOrEqual(8 * 1024);
  });
});
