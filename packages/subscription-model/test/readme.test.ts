import { readFileSync } from 'node:fs';

import { describe, expect, it, vi } from 'vitest';

import * as model from '../src/index.js';
import { producer } from './example.js';

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');
const readme = read('../README.md');

describe('the README', () => {
  it('starts with a program that is compiled and does what it says', () => {
    const program = read('./example.ts');
    expect(program.trimEnd().split('\n').filter((line) => line !== '').length).toBeLessThanOrEqual(10);
    expect(readme).toContain(`\`\`\`ts\n${program}\`\`\``);
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    producer.publish({ type: 'task.progress', payload: 1 });
    producer.publish({ type: 'memory.fact.added', payload: 2 });
    expect(log.mock.calls).toEqual([['memory.fact.added', 'replayable', expect.stringMatching(/^stream_.*:2$/)]]);
    log.mockRestore();
    producer.close();
  });

  it('names every error code', () => {
    const source = read('../src/errors.ts');
    for (const [, code = ''] of source.matchAll(/^ \* - `([a-z-]+)`:/gm)) expect(readme).toContain(`\`${code}\``);
  });

  it('says of patterns what they do', () => {
    for (const [pattern, type, verdict] of [
      ['a.*', 'a', false],
      ['a.*', 'a.b', true],
      ['a.*', 'a.b.c', true],
      ['*.b', 'a.b', true],
      ['*.b', 'a.c.b', false],
    ] as const) {
      expect(model.matchesType(pattern, type)).toBe(verdict);
    }
  });

  it('fits into 8 KB', () => {
    expect(Buffer.byteLength(readme)).toBeLessThanOrEqual(8192);
  });
});
