import { readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { parseFilter } from '../src/index.js';
import { event } from './event.js';
import { publish } from './example.js';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

describe('the README', () => {
  it('starts with a program that is compiled and does what it says', () => {
    const program = readFileSync(new URL('./example.ts', import.meta.url), 'utf8');
    expect(readme).toContain(`\`\`\`ts\n${program}\`\`\``);
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    publish(event({ type: 'error.raised', severity: 'error', id: 'e1' }));
    publish(event({ type: 'error.raised', severity: 'info', id: 'e2' }));
    publish(event({ type: 'run.started', severity: 'error', id: 'e3' }));
    expect(log.mock.calls).toEqual([['error.raised', 'e1']]);
    log.mockRestore();
  });

  it('shows the explanation as it is', () => {
    const clauses = parseFilter('{"severity":{"gte":"error"},"step":"s1"}').explain(event()).clauses;
    expect(clauses).toEqual([
      { key: 'severity', matches: false, reason: 'out-of-range', expected: { gte: 'error' }, actual: 'info', defaulted: true },
      { key: 'step', matches: false, reason: 'absent', expected: 's1', actual: undefined, defaulted: false },
    ]);
  });

  it('fits into 8 KB', () => {
    expect(Buffer.byteLength(readme)).toBeLessThanOrEqual(8192);
  });
});
