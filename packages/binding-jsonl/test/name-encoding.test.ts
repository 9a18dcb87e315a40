import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { AGENT_LOG_NAME, decodeName, encodeName, MAX_NAME_LENGTH } from '../src/writer.js';

/** What a file system that ignores case and normalises Unicode makes of a name. */
const fold = (name: string): string => name.normalize('NFD').toLowerCase();

describe('encodeName', () => {
  it.each([
    ['claude', 'claude'],
    ['0b1c2d3e-4f50-6172-8394-a5b6c7d8e9f0', '0b1c2d3e-4f50-6172-8394-a5b6c7d8e9f0'],
    ['a.b_c-d', 'a.b_c-d'],
    ['Claude', 'Claude%=1'],
    ['ABC', 'ABC%=7'],
    ['aBcDeFgH', 'aBcDeFgH%=aa'],
    ['abcdE', 'abcdE%=01'],
    ['01J9ZK3V5MABCDEFGHJKMNPQRS', '01J9ZK3V5MABCDEFGHJKMNPQRS%=fffff1'],
    ['..', '%2e%2e'],
    ['.', '%2e'],
    ['.hidden', '%2ehidden'],
    ['a.', 'a%2e'],
    ['-rf', '%2drf'],
    ['../../../../outside/pwned', '%2e.%2f..%2f..%2f..%2foutside%2fpwned'],
    ['a/b', 'a%2fb'],
    ['a\\b', 'a%5cb'],
    ['c:d', 'c%3ad'],
    ['x\u0000y', 'x%00y'],
    ['a b\n', 'a%20b%0a'],
    ['%41', '%2541'],
    ['%agent', '%25agent'],
    ['CON', '%43ON%=3'],
    ['con', '%63on'],
    ['nul.txt', '%6eul.txt'],
    ['lpt1', '%6cpt1'],
    ['console', 'console'],
    ['é', '%c3%a9'],
    ['e\u0301', 'e%cc%81'],
    ['👍', '%f0%9f%91%8d'],
  ])('makes %j into %s and back [B-207]', (id, name) => {
    expect(encodeName(id)).toBe(name);
    expect(decodeName(name)).toBe(id);
  });

  it('has a hash for what is too long, and stays below the limit of file systems [B-207]', () => {
    const edge = 'a'.repeat(MAX_NAME_LENGTH);
    expect(encodeName(edge)).toBe(edge);
    for (const long of [`${edge}a`, 'a'.repeat(5_000), 'A'.repeat(140), '漢'.repeat(50)]) {
      const name = encodeName(long);
      expect(name).toMatch(/^%\+[0-9a-f]{64}$/);
      expect(decodeName(name)).toBeUndefined();
    }
    expect(encodeName('a'.repeat(5_000))).not.toBe(encodeName('a'.repeat(5_001)));
    expect(encodeName('A'.repeat(126))).toHaveLength(MAX_NAME_LENGTH);
    expect(encodeName('A'.repeat(127))).toMatch(/^%\+/);
  });

  it.each([[''], ['\ud800'], ['a\udc00']])('refuses %j', (id) => {
    expect(() => encodeName(id)).toThrow(expect.objectContaining({ name: 'JsonlWriteError', code: 'invalid-name' }));
  });

  it('gives different ids different names, also where case and normal form are ignored, and gives them back [B-207]', () => {
    const id = fc.oneof(
      fc.string({ unit: fc.constantFrom('a', 'A', 'b', '.', '-', '%', '/', '=', '1', 'é', 'e\u0301', '\u0000', 'ſ', 'K', 'İ'), minLength: 1, maxLength: 6 }),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }).filter((text) => text.isWellFormed()),
      fc.constantFrom('CON', 'con', 'Con', 'cON', 'aux.x', 'AUX.X', '..', '%', 'a'.repeat(200), 'A'.repeat(200)),
    );
    fc.assert(
      fc.property(id, id, (a, b) => {
        const name = encodeName(a);
        expect(name).toMatch(/^(?:[A-Za-z0-9_]|%[0-9a-f]{2}|%\+)(?:[A-Za-z0-9._=-]|%[0-9a-f=])*$/);
        expect(name).not.toMatch(/\.$/);
        expect(name.length).toBeLessThanOrEqual(MAX_NAME_LENGTH);
        if (!name.startsWith('%+')) expect(decodeName(name)).toBe(a);
        if (a !== b) expect(fold(name)).not.toBe(fold(encodeName(b)));
        expect(fold(`${name}.jsonl`)).not.toBe(fold(AGENT_LOG_NAME));
      }),
      { numRuns: 1_000, seed: 5 },
    );
  });
});

describe('decodeName', () => {
  it.each([['%agent'], ['%'], ['%4'], ['%4A'], ['%61'], ['A'], ['A%=0'], ['a%='], ['a%=1'], ['..'], ['a b'], ['%ff'], ['é'], [''], ['a%=1%=1'], ['%43ON'], ['con'], [`%+${'0'.repeat(64)}`]])(
    'knows that %j is no name of an id',
    (name) => {
      expect(decodeName(name)).toBeUndefined();
    },
  );
});
