import { describe, expect, it } from 'vitest';
import { patternPrefix } from '../src/type-pattern.js';

describe('patternPrefix', () => {
  it.each([
    ['run.*', 'run'],
    ['run.step.*', 'run.step'],
    ['x.*', 'x'],
    ['x.claude-code.*', 'x.claude-code'],
    ['x.a_b.c_9.*', 'x.a_b.c_9'],
  ])('reads %s', (text, prefix) => {
    expect(patternPrefix(text)).toBe(prefix);
  });

  it.each(['*', '.*', '..*', 'run', 'run.', 'run.**', 'run*', 'run.*.*', 'run..*', '.run.*', 'Run.*', 'r n.*', 'run.*\n', '\nrun.*', 'é.*', 'run.*.x', 'x,y.*'])(
    'refuses %j',
    (text) => {
      expect(patternPrefix(text)).toBeUndefined();
    },
  );
});
