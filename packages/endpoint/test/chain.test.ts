import { describe, expect, it } from 'vitest';

import { CHAIN_MEMBER, chainFacts, MAX_CHAIN, readChain } from '../src/index.js';

describe('what an endpoint states of its place in a chain', () => {
  it('is read as it was stated', () => {
    const chain = { id: 'me', from: ['a', 'b'] };
    expect(readChain({ experimental: chainFacts(chain) })).toEqual(chain);
    expect(readChain(JSON.parse(JSON.stringify({ experimental: chainFacts(chain) })))).toEqual(chain);
  });

  it.each([undefined, null, 7, [], {}, { experimental: {} }, { experimental: null }, Object.create({ experimental: chainFacts({ id: 'x', from: [] }) })])('is nothing where there is none (%#)', (capabilities: unknown) => {
    expect(readChain(capabilities)).toBeUndefined();
  });

  it.each([
    null,
    7,
    {},
    { id: 'x' },
    { id: 7, from: [] },
    { id: '', from: [] },
    { id: 'x', from: 'y' },
    { id: 'x', from: [7] },
    { id: 'x', from: [''] },
    { id: 'x'.repeat(257), from: [] },
    { id: 'x', from: Array.from({ length: MAX_CHAIN + 1 }, (_, n) => `e${n}`) },
  ])('is not believed where it is no such statement (%#)', (chain) => {
    expect(readChain({ experimental: { [CHAIN_MEMBER]: chain } })).toBe('unreadable');
  });
});
