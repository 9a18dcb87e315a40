import { turn } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { gate } from '../src/gate.js';

describe('gate', () => {
  it('lets so many in at a time and the others in order', async () => {
    const door = gate(2);
    const inside: number[] = [];
    const all = [1, 2, 3, 4].map(async (name) => {
      await door.enter();
      inside.push(name);
    });
    await turn();
    expect(inside).toEqual([1, 2]);
    door.leave();
    await turn();
    expect(inside).toEqual([1, 2, 3]);
    door.leave();
    door.leave();
    await Promise.all(all);
    expect(inside).toEqual([1, 2, 3, 4]);
    door.leave();
    await door.enter();
    await door.enter();
  });
});
