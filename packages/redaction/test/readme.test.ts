import { readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { RedactionError } from '../src/index.js';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

describe('the README', () => {
  it('starts with a program that is compiled and prints what it says', async () => {
    const program = readFileSync(new URL('example.ts', import.meta.url), 'utf8');
    expect(readme).toContain(`\`\`\`ts\n${program}\`\`\``);
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    await import('./example.js');
    expect(log.mock.calls).toEqual([
      ['curl -u me:[REDACTED:secret] https://h # ask [REDACTED:pii], see ~/x'],
      [{ env: [{ name: 'DB_PASSWORD', value: '[REDACTED:secret]' }], note: '[REDACTED:secret]', n: 1 }],
      [[{ rule: 'named-value', start: 6, end: 13 }]],
    ]);
    log.mockRestore();
  });

  it('has a word for every code and option', () => {
    for (const word of ['too-deep', 'not-json', 'ended', 'names', 'tokens', 'homes', 'pii', 'lookahead', 'maxDepth']) expect(readme).toContain(`\`${word}\``);
    expect(new RedactionError('too-deep', '$', 'x')).toMatchObject({ name: 'RedactionError', code: 'too-deep', path: '$', message: '$: x' });
  });

  it('fits into 8 KB', () => {
    expect(Buffer.byteLength(readme)).toBeLessThanOrEqual(8192);
  });
});
