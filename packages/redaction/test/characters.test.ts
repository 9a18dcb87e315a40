import { expect, it } from 'vitest';

import { classOf, SPACE } from '../src/characters.js';

it('takes for white space what the pattern of the specification takes', () => {
  const differing = Array.from({ length: 65_536 }, (_, code) => code).filter((code) => /\s/.test(String.fromCharCode(code)) !== (classOf(code) === SPACE));
  expect(differing).toEqual([]);
});
