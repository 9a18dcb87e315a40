import { describe, expect, it } from 'vitest';

import { compileFilter } from '../src/index.js';
import { message } from './support.js';

const event = message({ target: 'agent:researcher', conversation_id: 'conv_01' });

/** The second table of §2.2. */
const TABLE: readonly (readonly [Record<string, unknown>, boolean])[] = [
  [{ types: ['memory.*', 'context.*'] }, true],
  [{ types: ['task.*'], source: ['memory:main'] }, false],
  [{ source: ['memory:other', 'memory:main'] }, true],
  [{ source: 'Memory:main' }, false],
  [{ types: ['memory.*'], target: 'agent:researcher', conversation_id: 'conv_01' }, true],
  [{ types: ['memory.*'], topic: 'tasks.task_01' }, false],
  [{ types: ['memory.*'], task_id: ['task_01', 'task_02'] }, false],
  [{ types: ['memory.*'], from_cursor: 'stream_01:1' }, true],
  [{}, false],
];

const matches = (filter: unknown, of = event): boolean => compileFilter(filter, { lenient: true }).matches(of);

describe('a filter', () => {
  it.each(TABLE)('%j: %j', (filter, verdict) => {
    expect(matches(filter)).toBe(verdict);
    expect(compileFilter(filter, { lenient: true }).explain(event).matches).toBe(verdict);
  });

  it('restricts nothing by a field that it does not have [S-006]', () => {
    expect(matches({ source: 'memory:main' })).toBe(true);
    expect(matches({ source: 'memory:main' }, message({ type: 'a.b', topic: 't', task_id: 'x' }))).toBe(true);
  });

  it('says the same with a string and with an array of it [S-007]', () => {
    for (const value of ['memory:main', 'memory:other']) expect(matches({ source: value })).toBe(matches({ source: [value] }));
    for (const value of ['memory.*', 'task.*']) expect(matches({ types: value })).toBe(matches({ types: [value] }));
  });

  it('is met by any one of several values [S-008, S-040]', () => {
    expect(matches({ source: ['x', 'memory:main'] })).toBe(true);
    expect(matches({ source: ['x', 'y'] })).toBe(false);
    expect(matches({ types: ['task.*', 'memory.*'] })).toBe(true);
    expect(matches({ types: ['a.b', 'memory.fact.added'] })).toBe(true);
    expect(matches({ types: ['task.*', 'a.b'] })).toBe(false);
  });

  it('compares types with type [S-009]', () => {
    expect(matches({ types: 'memory.fact.added' })).toBe(true);
    expect(matches({ types: 'memory.fact.added' }, message({ type: 'a.b', types: 'memory.fact.added' }))).toBe(false);
  });

  it.each([
    ['source', 'S-010'],
    ['target', 'S-011'],
    ['topic', 'S-012'],
    ['session_id', 'S-013'],
    ['conversation_id', 'S-014'],
    ['task_id', 'S-015'],
  ])('compares %s with the field of that name (%s) [S-010, S-011, S-012, S-013, S-014, S-015]', (field) => {
    const filter = { types: '*', [field]: 'here' };
    expect(matches(filter, message({ [field]: 'here' }))).toBe(true);
    expect(matches(filter, message({ [field]: 'there' }))).toBe(false);
    // The value in every other field, and not in this one.
    const others = { source: 'here', target: 'here', topic: 'here', session_id: 'here', conversation_id: 'here', task_id: 'here' };
    expect(matches(filter, message({ ...others, [field]: field === 'source' ? 'x' : undefined }))).toBe(false);
  });

  it.each(['source', 'target', 'topic', 'session_id', 'conversation_id', 'task_id'])(
    'compares %s for equality, letter by letter, without wildcards [S-016, S-017, S-018]',
    (field) => {
      const given = message({ [field]: 'Memory:main' });
      for (const value of ['memory:main', 'Memory:*', '*', 'Memory', 'Memory:main ', 'Memory.*']) expect(matches({ types: '*', [field]: value }, given)).toBe(false);
      expect(matches({ types: '*', [field]: 'memory:*' }, message({ [field]: 'memory:*' }))).toBe(true);
    },
  );

  it('is not met by an event that lacks the field [S-019]', () => {
    for (const field of ['target', 'topic', 'session_id', 'conversation_id', 'task_id']) {
      expect(matches({ types: '*', [field]: ['a', ''] }, message())).toBe(false);
    }
  });

  it('needs all its fields to match [S-041]', () => {
    expect(matches({ types: 'memory.*', source: 'memory:main', target: 'agent:researcher' })).toBe(true);
    expect(matches({ types: 'memory.*', source: 'memory:main', target: 'agent:other' })).toBe(false);
    expect(matches({ types: 'task.*', source: 'memory:main', target: 'agent:researcher' })).toBe(false);
  });

  it('is not influenced by from_cursor and delivery_mode [S-042]', () => {
    for (const options of [{ from_cursor: 'never' }, { delivery_mode: 'replayable' }, { from_cursor: '', delivery_mode: 'at_least_once' }]) {
      expect(matches({ types: 'memory.*', ...options })).toBe(true);
      expect(matches({ types: 'task.*', ...options })).toBe(false);
    }
  });

  it('routes by evaluation, and reaches events without a target too [S-001, S-116]', () => {
    expect(matches({ types: 'memory.*' }, message({ target: undefined }))).toBe(true);
    expect(matches({ types: 'memory.*' }, message({ target: 'agent:other' }))).toBe(true);
  });

  it('explains its verdict field by field', () => {
    const filter = compileFilter({ types: ['task.progress', 'memory.*'], source: 'memory:other', topic: 't', target: 'agent:researcher' });
    expect(filter.explain(event)).toEqual({
      matches: false,
      clauses: [
        { field: 'types', matches: true, reason: 'pattern', actual: 'memory.fact.added', by: 'memory.*' },
        { field: 'source', matches: false, reason: 'different', actual: 'memory:main', by: undefined },
        { field: 'target', matches: true, reason: 'equal', actual: 'agent:researcher', by: 'agent:researcher' },
        { field: 'topic', matches: false, reason: 'absent', actual: undefined, by: undefined },
      ],
    });
    expect(compileFilter({}, { lenient: true }).explain(event)).toEqual({ matches: false, clauses: [] });
  });
});
