import { describe, expect, it } from 'vitest';

import { sessionFilter } from '../src/index.js';

describe('sessionFilter', () => {
  it('puts the sessions into the filter', () => {
    expect(sessionFilter({})).toEqual({ filter: undefined, sessions: undefined });
    expect(sessionFilter({ sessions: ['a', 'b'] })).toEqual({ filter: '{"session":["a","b"]}', sessions: new Set(['a', 'b']) });
    expect(sessionFilter({ filter: { type: 'run.*' }, sessions: ['a'] })).toEqual({ filter: '{"type":"run.*","session":["a"]}', sessions: new Set(['a']) });
  });

  it('leaves text as it is, and reads which sessions it names', () => {
    const text = '{ "session": "a", "acme": 12345678901234567890 }';
    expect(sessionFilter({ filter: text })).toEqual({ filter: text, sessions: new Set(['a']) });
  });

  it.each(['{"session":[]}', '{"session":[1,"a"]}', '{"session":{"gte":"a"}}', '{"type":"run.*"}', '{"__proto__":{"session":"a"}}', 'not JSON', 'null', '[]', '"a"'])(
    'knows of no closed list of sessions in %s',
    (filter) => {
      expect(sessionFilter({ filter }).sessions).toBeUndefined();
    },
  );

  it('refuses what makes no sense', () => {
    expect(() => sessionFilter({ sessions: [] })).toThrow(RangeError);
    expect(() => sessionFilter({ filter: '{}', sessions: ['a'] })).toThrow(TypeError);
    expect(() => sessionFilter({ filter: { session: 'a' }, sessions: ['a'] })).toThrow(TypeError);
  });
});
