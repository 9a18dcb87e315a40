import { describe, expect, it } from 'vitest';
import { rememberLast } from '../src/remember-last.js';

describe('rememberLast', () => {
  it('asks once for a text that comes again, and again once another came between', () => {
    const asked: string[] = [];
    const upper = rememberLast((text) => (asked.push(text), text.toUpperCase()));
    expect(['a', 'a', 'b', 'a', ''].map(upper)).toEqual(['A', 'A', 'B', 'A', '']);
    expect(asked).toEqual(['a', 'b', 'a', '']);
  });

  it('remembers an answer that is undefined, and holds on to no long text', () => {
    let asked = 0;
    const nothing = rememberLast(() => void (asked += 1));
    nothing('a');
    nothing('a');
    expect(asked).toBe(1);
    nothing('x'.repeat(513));
    nothing('x'.repeat(513));
    expect(asked).toBe(3);
  });
});
