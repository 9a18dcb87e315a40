import { describe, expect, it } from 'vitest';

import { compareSeverity, DEFAULT_SEVERITY, parseEvent, SEVERITIES, severityOf, severityRank, type Severity } from '../src/index.js';
import { full, minimal } from './support.js';

describe('severity', () => {
  it('compares in the order debug < info < notice < warning < error < critical [E-091]', () => {
    const order: readonly Severity[] = ['debug', 'info', 'notice', 'warning', 'error', 'critical'];
    expect(SEVERITIES).toEqual(order);
    for (const [i, a] of order.entries()) {
      expect(severityRank(a)).toBe(i);
      for (const [j, b] of order.entries()) expect(Math.sign(compareSeverity(a, b))).toBe(Math.sign(i - j));
    }
    expect(severityRank('loud' as Severity)).toBe(-1);
  });

  it('is info where it is missing, on reading only [E-032]', () => {
    const wire = parseEvent(JSON.stringify(minimal.session));
    expect(severityOf(wire.event)).toBe('info');
    expect(wire.event).not.toHaveProperty('severity');
    expect(wire.json).not.toContain('severity');
    expect(severityOf(full)).toBe('notice');
    expect(DEFAULT_SEVERITY).toBe('info');
  });

  it('sees own properties only', () => {
    Object.assign(Object.prototype, { severity: 'critical' });
    try {
      expect(severityOf({})).toBe('info');
    } finally {
      Reflect.deleteProperty(Object.prototype, 'severity');
    }
  });

  it('cannot be changed from outside', () => {
    expect(Object.isFrozen(SEVERITIES)).toBe(true);
  });
});
