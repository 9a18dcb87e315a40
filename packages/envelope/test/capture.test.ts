import { describe, expect, it } from 'vitest';

import { captureOf, captureRank, CAPTURES, compareCapture, DEFAULT_CAPTURE, parseEvent, type Capture } from '../src/index.js';
import { full, minimal } from './support.js';

describe('capture', () => {
  it('compares in the order none < metadata < redacted < full', () => {
    const order: readonly Capture[] = ['none', 'metadata', 'redacted', 'full'];
    expect(CAPTURES).toEqual(order);
    for (const [i, a] of order.entries()) {
      expect(captureRank(a)).toBe(i);
      for (const [j, b] of order.entries()) expect(Math.sign(compareCapture(a, b))).toBe(Math.sign(i - j));
    }
    expect(captureRank('all' as Capture)).toBe(-1);
  });

  it('is metadata where it is missing, on reading only [E-032]', () => {
    const wire = parseEvent(JSON.stringify(minimal.session));
    expect(captureOf(wire.event)).toBe('metadata');
    expect(wire.event).not.toHaveProperty('capture');
    expect(wire.json).not.toContain('capture');
    expect(captureOf(full)).toBe('full');
    expect(DEFAULT_CAPTURE).toBe('metadata');
  });

  it('sees own properties only', () => {
    Object.assign(Object.prototype, { capture: 'full' });
    try {
      expect(captureOf({})).toBe('metadata');
    } finally {
      Reflect.deleteProperty(Object.prototype, 'capture');
    }
  });
});
