import { CORE_ATTRIBUTES } from '@aepkit/envelope';
import { describe, expect, it } from 'vitest';
import { FILTERABLE_ATTRIBUTES, compileFilter } from '../src/index.js';
import { filterKeyClass } from '../src/filter-key.js';
import { event } from './event.js';

describe('filterKeyClass', () => {
  it('sorts every core attribute into filterable and not', () => {
    for (const name of CORE_ATTRIBUTES) expect(['filterable', 'not-filterable'], name).toContain(filterKeyClass(name));
    for (const name of FILTERABLE_ATTRIBUTES) expect(CORE_ATTRIBUTES, name).toContain(name);
  });

  it.each(FILTERABLE_ATTRIBUTES)('accepts and matches the key %s [B-116]', (key) => {
    const value = { epoch: 3, severity: 'error', capture: 'full' }[key] ?? 'run.started';
    const filter = compileFilter({ [key]: value });
    expect(filter.matches(event({ [key]: value }))).toBe(true);
    expect(filter.matches(event({ [key]: key === 'epoch' ? 4 : 'other.type' }))).toBe(false);
  });

  it.each(['a', '0', 'acme1', 'constructor', 'tostring', 'valueof', 'abcdefghijklmnopqrst'])('takes %s for an extension [B-119]', (key) => {
    expect(filterKeyClass(key)).toBe('extension');
  });

  it.each(['', 'A', 'a_b', 'a-b', 'a.b', '$where', '__proto__', 'toString', 'é', 'a ', 'a\n', '\u0430', 'abcdefghijklmnopqrstu'])(
    'refuses the key %j [B-118]',
    (key) => {
      expect(filterKeyClass(key)).toBe('invalid');
    },
  );
});
