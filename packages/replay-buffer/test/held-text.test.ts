import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { detached, holdText, restoreText } from '../src/held-text.js';

const back = (json: string, copy: boolean) => {
  const { text, packed } = holdText(json, copy);
  return restoreText(text, packed);
};

describe('a held text', () => {
  it.each(['', '{}', '{"a":"é"}', '{"a":"…"}', '…', '{"a":"事件事件事件"}', '😀', 'a😀b😀', '\u0080\u00ff\u0100\uffff', '\ufeff{}', `{"a":"${'x'.repeat(40_000)}…"}`, `"${'…x'.repeat(40_000)}"`, '\u0001…\u0002', '\u0002…', '\ud83d', 'x\ude00…', '\u0000…\u007f'])('comes back as it was: %j', (json) => {
    expect(back(json, true)).toBe(json);
    expect(back(json, false)).toBe(json);
  });

  it('comes back as it was, any', () => {
    const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.string({ unit: 'grapheme', maxLength: 300 }), fc.json(), fc.array(fc.constantFrom('\u0001', '\u0002', '…', 'x', '\ud83d', '\ude00', 'é', '"')).map((parts) => parts.join('')));
    fc.assert(fc.property(text, fc.boolean(), (json, copy) => {
      expect(back(json, copy)).toBe(json);
      expect(detached(json)).toBe(json);
    }), { numRuns: 2000, seed: 8 });
  });

  it('takes one byte per character beside a few that need two, and no more than two where all do', () => {
    const ascii = `{"a":"${'x'.repeat(600)}"}`;
    expect(holdText(ascii, true)).toEqual({ text: ascii, packed: false, bytes: ascii.length });
    expect(holdText(ascii, false).bytes).toBe(ascii.length);
    const some = holdText(ascii.replace('xxx', '…x😀'), true);
    expect(some.packed).toBe(true);
    expect(some.text).toMatch(/^[\0-\x7f]*$/);
    expect(some.bytes).toBeLessThan(ascii.length + 15);
    const chinese = '事'.repeat(300);
    expect(holdText(chinese, true)).toEqual({ text: chinese, packed: false, bytes: 600 });
    expect(holdText(`{"data":"${'x'.repeat(350)}${'事'.repeat(100)}"}`, false).bytes).toBeLessThan(670);
  });
});
