import { describe, expect, it } from 'vitest';

import { clip, painter, plain } from '../src/terminal.js';

describe('plain', () => {
  it.each([
    ['a clipboard write', '\u001b]52;c;aGk=\u0007', '\\x1b]52;c;aGk=\\x07'],
    ['a cleared screen', '\u001b[2Jx', '\\x1b[2Jx'],
    ['a bare carriage return', 'real\rfake', 'real\\x0dfake'],
    ['a line break', 'a\nb', 'a\\x0ab'],
    ['a C1 control', 'a\u009b2J', 'a\\x9b2J'],
    ['a direction override', 'user\u202egnp.exe', 'user\\u202egnp.exe'],
    ['an isolate', '\u2066x\u2069', '\\u2066x\\u2069'],
    ['a line separator', 'a\u2028b', 'a\\u2028b'],
    ['a direction mark of Arabic', 'a\u061cb', 'a\\u061cb'],
    ['what shows as nothing', 'al\u200blo\u00adw\u2060', 'al\\u200blo\\xadw\\u2060'],
    ['a text in tags', 'ok\u{e0041}', 'ok\\u{e0041}'],
    ['half a character', 'a\ud83d', 'a\\ud83d'],
  ])('shows %s instead of obeying it', (_, hostile, shown) => {
    expect(plain(hostile)).toBe(shown);
  });

  it('leaves ordinary text of any script alone', () => {
    const text = 'tool — Ünïcode 日本語 👩‍💻 עברית';
    expect(plain(text)).toBe(text);
  });
});

describe('clip', () => {
  it('never cuts inside a character', () => {
    expect(clip('ab👩cd', 4)).toBe('ab👩…');
    expect(clip('ab👩', 3)).toBe('ab👩');
    expect(clip('abc', 0)).toBe('…');
  });
});

describe('painter', () => {
  it('colours on a terminal only, and not with NO_COLOR', () => {
    expect(painter({ isTTY: true }, {}).red('x')).toBe('\u001b[31mx\u001b[39m');
    expect(painter({ isTTY: true }, { NO_COLOR: '1' }).red('x')).toBe('x');
    expect(painter({}, {}).red('x')).toBe('x');
  });
});
