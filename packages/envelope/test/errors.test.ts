import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { ENVELOPE_ERROR_CODES, EnvelopeError, parseEvent } from '../src/index.js';
import { memberPath, spellPath } from '../src/path.js';
import { minimal, refusal } from './support.js';

describe('EnvelopeError', () => {
  it('has one of these codes', () => {
    expect(ENVELOPE_ERROR_CODES).toEqual([
      'invalid-utf8', 'byte-order-mark', 'invalid-json', 'not-json', 'duplicate-member', 'too-deep', 'too-large', 'lone-surrogate', 'not-an-object', 'missing-attribute',
      'forbidden-attribute', 'unsupported-version', 'invalid-type', 'invalid-attribute', 'unsafe-integer', 'invalid-name', 'reserved-name', 'invalid-extension',
    ]);
  });

  it('has each code explained in the README', () => {
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    for (const code of ENVELOPE_ERROR_CODES) expect(readme).toContain(`| \`${code}\` |`);
  });

  it('names both forms of a type where one has neither', () => {
    for (const type of ['x.acme.hello', 'hello']) {
      const { message } = refusal(() => parseEvent(JSON.stringify({ ...minimal.agent, type })));
      expect(message).toContain(', {category}.{name}');
      expect(message).toContain('x.{vendor}.{category}.{name}');
    }
  });

  it('carries code, path, section and the issue', () => {
    const error = refusal(() => parseEvent(JSON.stringify({ ...minimal.agent, seq: 1 })));
    expect(error).toBeInstanceOf(Error);
    expect(error.name).toBe('EnvelopeError');
    expect(error.issue).toEqual({ code: error.code, path: error.path, section: error.section, message: error.message });
    expect(new EnvelopeError(error.issue)).toMatchObject(error.issue);
  });
});

describe('paths', () => {
  it('quote names that are no plain words', () => {
    expect(spellPath([])).toBe('$');
    expect(spellPath(['data', 'a', 0, 'b c', '', 'x"y', '__proto__', '1'])).toBe('$.data.a[0]["b c"][""]["x\\"y"].__proto__["1"]');
    expect(memberPath('acme_x')).toBe('$.acme_x');
  });

  it('stay short and whole, whatever the names hold', () => {
    expect(memberPath('n'.repeat(1000)).length).toBeLessThan(100);
    expect(spellPath(Array.from({ length: 500 }, () => 'name')).length).toBeLessThan(220);
    for (const name of ['\ud83d', `${'x'.repeat(63)}😀`, '\n\r\u2028', '\u0000']) {
      expect(memberPath(name).isWellFormed()).toBe(true);
      expect(memberPath(name)).not.toMatch(/[\r\n\u0000]/);
      expect(spellPath(Array.from({ length: 100 }, () => name)).isWellFormed()).toBe(true);
    }
    for (let shift = 0; shift < 8; shift += 1) {
      const path = spellPath(['x'.repeat(shift), ...Array.from({ length: 20 }, () => '😀'.repeat(15))]);
      expect(path.isWellFormed()).toBe(true);
      expect(path.endsWith('…')).toBe(true);
    }
  });
});
