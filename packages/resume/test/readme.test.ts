import { readFileSync } from 'node:fs';

import { buildWire } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { came, connected, ways } from './example.js';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

describe('the README', () => {
  it('starts with a program that is compiled and does what it says', () => {
    const program = readFileSync(new URL('./example.ts', import.meta.url), 'utf8');
    expect(readme).toContain(`\`\`\`ts\n${program}\`\`\``);
    const handled: string[] = [];
    const take = (...seqs: number[]): void => {
      for (const seq of seqs) came(buildWire({ id: `e${seq}`, seq }), ({ event }) => handled.push(event.id));
    };
    const ask = (resuming: boolean): string[] => {
      connected(ways(resuming)[0]!);
      return ways(resuming).map(({ resume }) => resume);
    };
    expect(ask(false)).toEqual(['live']);
    take(0, 1);
    expect(ask(true)).toEqual(['all', 'positions', 'live']);
    take(0, 1, 2);
    expect(handled).toEqual(['e0', 'e1', 'e2']);
  });

  it('fits into 8 KB', () => {
    expect(Buffer.byteLength(readme)).toBeLessThanOrEqual(8192);
  });
});
