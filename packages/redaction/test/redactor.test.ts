import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor } from '../src/index.js';
import { fragments, longText } from './fragments.js';

const redactors = [createRedactor(), createRedactor({ names: ['NAME!x', 'multi\nline', 'secret', 'hunter2'] }), createRedactor({ pii: false, names: ['alice'], homes: ['/root', '/a'] })];
const short = createRedactor({ names: ['hunter2'], lookahead: 2048 });

describe('redaction', () => {
  it('of its own output changes nothing', () => {
    fc.assert(
      fc.property(fragments(16), fc.constantFrom(...redactors), (text, redactor) => {
        const once = redactor.text(text);
        expect(redactor.text(once)).toBe(once);
      }),
      { numRuns: 800 },
    );
    fc.assert(
      fc.property(longText, (text) => {
        const once = short.text(text);
        expect(short.text(once)).toBe(once);
      }),
      { numRuns: 30 },
    );
  });

  it('keeps what stands between the places it names', () => {
    fc.assert(
      fc.property(fragments(16), fc.constantFrom(...redactors), (text, redactor) => {
        const scan = redactor.scan(text);
        let rest = '';
        let at = 0;
        for (const { start, end } of scan.findings) {
          expect(start).toBeGreaterThanOrEqual(at);
          expect(end).toBeGreaterThan(start);
          rest += text.slice(at, start);
          at = end;
        }
        rest += text.slice(at);
        expect(scan.text.replaceAll(/\[REDACTED:(?:secret|pii)\]|~/g, '')).toBe(rest.replaceAll(/\[REDACTED:(?:secret|pii)\]|~/g, ''));
        expect(redactor.text(text)).toBe(scan.text);
      }),
      { numRuns: 500 },
    );
  });

  it('makes no well-formed text ill-formed, and passes halves of surrogates', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
      if (text.isWellFormed()) expect(redactors[0]!.text(text).isWellFormed()).toBe(true);
    }), { numRuns: 300 });
    expect(redactors[0]!.text('\ud800 password=\udc00x \ud83d')).toBe('\ud800 password=[REDACTED:secret] \ud83d');
  });

  it('takes tokens of your own, and no regular expression', () => {
    const own = createRedactor({ tokens: [{ prefix: 'acme_', alphabet: 'hex', min: 20 }] });
    expect(own.scan('an acme_0123456789abcdef0123 here')).toEqual({ text: 'an [REDACTED:secret] here', findings: [{ rule: 'configured-token', start: 3, end: 28 }] });
    expect(own.text('acme_0123 xacme_0123456789abcdef0123')).toBe('acme_0123 xacme_0123456789abcdef0123');
  });

  it('refuses options that make no sense', () => {
    const wrong: readonly unknown[] = [{ nmaes: [] }, { names: 'x' }, { names: [1] }, { homes: [null] }, { pii: 'no' }, { lookahead: 10 }, { lookahead: 1.5 }, { maxDepth: 0 }, { maxDepth: 5000 }, { tokens: [{ prefix: 'a' }] }, { tokens: [{ prefix: 'acme_', alphabet: 'x' }] }, { tokens: [{ prefix: 'acme_', min: 2 }] }, { names: ['x'.repeat(9000)] }];
    for (const options of wrong) expect(() => createRedactor(options as never), JSON.stringify(options).slice(0, 60)).toThrow(/option|list|true or false|integer|prefix|alphabet|lookahead/);
  });
});
