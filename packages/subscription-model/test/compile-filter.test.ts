import { describe, expect, it } from 'vitest';

import { compileFilter, matches, parseFilter, type FilterErrorCode } from '../src/index.js';
import { message } from './support.js';

/** The truth table of §2.2: filter, and why it is refused. */
const REQUESTS: readonly (readonly [unknown, FilterErrorCode | 'valid'])[] = [
  [{}, 'no-criterion'],
  [{ types: '*' }, 'valid'],
  [{ target: 'agent:researcher' }, 'valid'],
  [{ session_id: 'sess_01' }, 'no-criterion'],
  [{ task_id: 'task_01', conversation_id: 'conv_01' }, 'no-criterion'],
  [{ from_cursor: 'stream_01:42' }, 'no-criterion'],
  [{ delivery_mode: 'replayable' }, 'no-criterion'],
  [{ types: ['task.*'], session_id: 'sess_01' }, 'valid'],
  [{ types: [] }, 'empty-list'],
  [{ types: 7 }, 'invalid-value'],
  [{ types: ['task.*', 7] }, 'invalid-value'],
  [{ types: null }, 'invalid-value'],
  [{ types: ['*'], delivery_mode: 'exactly_once' }, 'unknown-mode'],
  [{ types: ['*'], color: 'red' }, 'valid'],
];

const FIELDS = ['types', 'source', 'target', 'topic', 'session_id', 'conversation_id', 'task_id'] as const;

function codeOf(filter: unknown): string {
  try {
    compileFilter(filter);
    return 'valid';
  } catch (error) {
    return (error as { code: string }).code;
  }
}

describe('a request', () => {
  it.each(REQUESTS)('of %j is %s', (filter, verdict) => {
    expect(codeOf(filter)).toBe(verdict);
  });

  it('is one object [S-002]', () => {
    for (const filter of [null, [], 'types', 7, [{ types: '*' }], new Map([['types', '*']]), undefined]) {
      expect(codeOf(filter)).toBe('not-an-object');
    }
  });

  it.each(FIELDS)('takes a string or an array of strings in %s, and nothing else [S-003, S-020, S-021]', (field) => {
    const rest = field === 'types' ? {} : { types: 'a.b' };
    expect(codeOf({ ...rest, [field]: 'a.b' })).toBe('valid');
    expect(codeOf({ ...rest, [field]: ['a.b', 'c.d'] })).toBe('valid');
    for (const value of [7, null, true, { a: 'b' }, [7], ['a.b', null], [['a.b']], ['a.b', { a: 1 }]]) {
      expect(codeOf({ ...rest, [field]: value })).toBe('invalid-value');
    }
    expect(() => compileFilter({ ...rest, [field]: ['a.b', 7] })).toThrow(expect.objectContaining({ path: `$.${field}[1]` }));
    expect(() => compileFilter({ ...rest, [field]: 7 })).toThrow(expect.objectContaining({ path: `$.${field}` }));
  });

  it('takes one string as from_cursor, whatever is in it [S-004, S-093]', () => {
    expect(compileFilter({ types: '*', from_cursor: '' }).fromCursor).toBe('');
    expect(compileFilter({ types: '*', from_cursor: ' 42:x\u0000 ' }).fromCursor).toBe(' 42:x\u0000 ');
    for (const value of [42, null, ['a'], {}, true]) expect(codeOf({ types: '*', from_cursor: value })).toBe('invalid-value');
  });

  it('takes one of three strings as delivery_mode [S-005, S-078, S-082]', () => {
    for (const mode of ['best_effort', 'at_least_once', 'replayable']) expect(compileFilter({ types: '*', delivery_mode: mode }).mode).toBe(mode);
    for (const value of [1, null, ['replayable'], {}]) expect(codeOf({ types: '*', delivery_mode: value })).toBe('invalid-value');
    for (const value of ['', 'Replayable', 'exactly_once', 'best-effort']) expect(codeOf({ types: '*', delivery_mode: value })).toBe('unknown-mode');
  });

  it('without a mode asks for best effort [S-088]', () => {
    expect(compileFilter({ types: '*' }).mode).toBe('best_effort');
  });

  it('may have fields that nobody knows, which count as nothing [S-022]', () => {
    const filter = compileFilter({ types: 'memory.*', color: ['red', 7], nested: { a: [null] } });
    expect(filter.matches(message())).toBe(true);
    expect(filter.source).toEqual({ types: 'memory.*', color: ['red', 7], nested: { a: [null] } });
    expect(codeOf({ color: 'red' })).toBe('no-criterion');
  });

  it.each(['types', 'source', 'target', 'topic'])('is enough with %s alone [S-044, S-047]', (field) => {
    expect(codeOf({ [field]: 'a.b' })).toBe('valid');
  });

  it.each(['session_id', 'conversation_id', 'task_id'])('is refused with %s alone [S-045]', (field) => {
    expect(codeOf({ [field]: ['a'] })).toBe('no-criterion');
  });

  it.each([{ from_cursor: 'a' }, { delivery_mode: 'best_effort' }, { from_cursor: 'a', delivery_mode: 'replayable', task_id: 't' }])(
    'is refused with %j alone [S-046]',
    (filter) => {
      expect(codeOf(filter)).toBe('no-criterion');
    },
  );

  it('gains no criterion by an empty array [S-048]', () => {
    expect(codeOf({ types: [], source: 'memory:main' })).toBe('empty-list');
    expect(codeOf({ target: [] })).toBe('empty-list');
  });

  it('may repeat values, and name the empty string where no type is meant', () => {
    expect(codeOf({ types: ['a.b', 'a.b'], source: ['x', 'x'] })).toBe('valid');
    expect(codeOf({ source: '' })).toBe('valid');
    expect(codeOf({ types: '' })).toBe('invalid-pattern');
    expect(codeOf({ types: ['a.b', ''] })).toBe('invalid-pattern');
  });

  it('is kept as it was, whatever becomes of the object', () => {
    const given = { types: ['memory.*'], extra: { deep: [1] } };
    const filter = compileFilter(given);
    given.types[0] = '*';
    given.extra.deep.push(2);
    expect(filter.source).toEqual({ types: ['memory.*'], extra: { deep: [1] } });
    expect(filter.matches(message({ type: 'task.progress' }))).toBe(false);
    expect(Object.isFrozen(filter.source)).toBe(true);
    expect(Object.isFrozen(filter.source.types)).toBe(true);
  });

  it('is read strictly as text', () => {
    expect(parseFilter('{"types":"memory.*"}').matches(message())).toBe(true);
    expect(parseFilter(new TextEncoder().encode('{"types":"memory.*"}')).matches(message())).toBe(true);
    const codes: [string, FilterErrorCode][] = [
      ['', 'invalid-json'],
      ['{"types":"a.b"', 'invalid-json'],
      ['{"types":"a.b","types":"*"}', 'invalid-json'],
      ['{"source":"\\ud800"}', 'invalid-json'],
      ['[]', 'not-an-object'],
    ];
    for (const [text, code] of codes) expect(() => parseFilter(text)).toThrow(expect.objectContaining({ name: 'FilterError', code }));
  });
});

describe('a lenient filter', () => {
  it('matches nothing when it is empty [S-043]', () => {
    expect(matches({}, message())).toBe(false);
    expect(compileFilter({}, { lenient: true }).matches(message())).toBe(false);
    expect(matches({ from_cursor: 'a', delivery_mode: 'replayable' }, message())).toBe(false);
  });

  it('needs no criterion, and takes a malformed pattern as one that selects nothing', () => {
    expect(matches({ task_id: 't' }, message({ task_id: 't' }))).toBe(true);
    expect(matches({ types: 'mem*' }, message())).toBe(false);
    expect(matches({ types: ['mem*', 'memory.*'] }, message())).toBe(true);
    expect(matches(compileFilter({ types: 'memory.*' }), message())).toBe(true);
    expect(() => matches({ types: 7 as never }, message())).toThrow(expect.objectContaining({ code: 'invalid-value' }));
  });
});
