import { describe, expect, it } from 'vitest';

import { memberPath } from '../src/member-path.js';

describe('memberPath', () => {
  it.each([
    ['name', '$.name'],
    ['gen_ai.usage.input_tokens', '$["gen_ai.usage.input_tokens"]'],
    ['', '$[""]'],
    ['0', '$["0"]'],
    ['a"b\n', '$["a\\"b\\n"]'],
    ['\ud83d', '$["\ufffd"]'],
    ['n'.repeat(64), `$.${'n'.repeat(64)}`],
    ['n'.repeat(65), `$["${'n'.repeat(64)}…"]`],
    [`${'n'.repeat(63)}😀`, `$["${'n'.repeat(63)}\ufffd…"]`],
  ])('spells %j as %s', (name, path) => {
    expect(memberPath('$', name)).toBe(path);
  });
});
