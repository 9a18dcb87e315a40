import { CATEGORIES } from '@aepkit/envelope';
import { describe, expect, it } from 'vitest';

import { registry, typeEntry } from '../src/index.js';

const count = (property: 'status' | 'scope' | 'category', value: string): number => registry.filter((entry) => entry[property] === value).length;

describe('registry', () => {
  it('has 46 types, 14 of them mandatory, 30 optional, 2 reserved [T-169]', () => {
    expect(registry).toHaveLength(46);
    expect([count('status', 'mandatory'), count('status', 'optional'), count('status', 'reserved')]).toEqual([14, 30, 2]);
    expect(new Set(registry.map((entry) => entry.type)).size).toBe(46);
  });

  it('has 38 types of a session, 4 of an agent, 4 commands [T-169]', () => {
    expect([count('scope', 'session'), count('scope', 'agent'), count('scope', 'command')]).toEqual([38, 4, 4]);
    expect(registry.filter((entry) => entry.scope === 'command').map((entry) => entry.type)).toEqual(['control.attention.respond', 'control.cancel', 'control.pause', 'control.resume']);
  });

  it('uses each of the thirteen categories and no other [T-017]', () => {
    expect([...new Set(registry.map((entry) => entry.category))].sort()).toEqual([...CATEGORIES].sort());
    for (const { type, category } of registry) expect(type.startsWith(`${category}.`)).toBe(true);
  });

  it('marks resource, assessment and control as experimental', () => {
    expect([...new Set(registry.filter((entry) => entry.experimental).map((entry) => entry.category))].sort()).toEqual(['assessment', 'control', 'resource']);
    expect(registry.filter((entry) => entry.experimental)).toHaveLength(13);
  });

  it('has a schema for all but the reserved types', () => {
    for (const { status, hasSchema } of registry) expect(hasSchema).toBe(status !== 'reserved');
  });

  it('says of each type in a few words what it is', () => {
    for (const { summary } of registry) expect(summary).toMatch(/^[a-z][^.]{5,70}$/);
  });
});

describe('typeEntry', () => {
  it('finds a registered type, and no other', () => {
    expect(typeEntry('tool.denied')).toEqual({
      type: 'tool.denied',
      category: 'tool',
      status: 'mandatory',
      scope: 'session',
      experimental: false,
      summary: 'tool was blocked by policy or runtime before it executed',
      hasSchema: true,
    });
    for (const name of ['x.acme.session.synced', 'tool.exploded', 'constructor', '__proto__', 'toString', '', 'Tool.denied']) expect(typeEntry(name)).toBeUndefined();
  });
});
