import { describe, expect, it } from 'vitest';
import { FilterError, parseFilter } from '../src/index.js';
import { event } from './event.js';

function refusal(text: string): FilterError {
  try {
    parseFilter(text);
  } catch (error) {
    if (error instanceof FilterError) return error;
    throw error;
  }
  throw new Error(`accepted ${text}`);
}

describe('parseFilter', () => {
  it('reads JSON with white space around it', () => {
    expect(parseFilter(' { "agent" : "a" }\r\n').text).toBe('{"agent":"a"}');
  });

  it.each(['', ' ', '{', '{"agent":"a"', "{'agent':'a'}", '{"agent":"a",}', '{"agent":"a"} x', '{agent:"a"}', 'undefined', '{"agent":NaN}', '{"epoch":01}', '{"agent":"\t"}'])(
    'refuses %j as JSON',
    (text) => {
      expect(refusal(text)).toMatchObject({ code: 'invalid-json', path: '$', wireCode: 'invalid-filter' });
    },
  );

  it.each([
    '{"session":"mine","session":"yours"}',
    '{"session":"mine","sess\\u0069on":"yours"}',
    '{"severity":{"gte":"error","gte":"debug"}}',
    '{"agent":"a","agent":"a"}',
  ])('refuses a member that stands twice: %s', (text) => {
    expect(refusal(text)).toMatchObject({ code: 'duplicate-key', wireCode: 'invalid-filter' });
  });

  it('refuses a lone surrogate', () => {
    for (const text of ['{"agent":"\\ud83d"}', '{"agent":"\ud83d"}']) expect(refusal(text).code).toBe('invalid-json');
  });

  it('reads every digit of an integer, however it is written [B-223]', () => {
    const wanted = 9007199254740993n;
    for (const digits of ['9007199254740993', '9007199254740993.0', '90071992547409930e-1']) {
      const filter = parseFilter(`{"acmecount":${digits}}`);
      expect(filter.matches(event({ acmecount: wanted }))).toBe(true);
      expect(filter.matches(event({ acmecount: wanted - 1n }))).toBe(false);
    }
    expect(parseFilter('{"acmecount":[-9007199254740993,1]}').text).toBe('{"acmecount":[-9007199254740993,1]}');
  });

  it('refuses a fraction of any size [B-125]', () => {
    for (const digits of ['0.5', '9007199254740993.5', '1e-1', '123456789012345678901234567890.1']) {
      expect(['invalid-predicate', 'inexact-integer']).toContain(refusal(`{"acmecount":${digits}}`).code);
    }
  });

  it('refuses an exponent that would cost memory', () => {
    for (const digits of ['1e999999999', '1e400', '-1e5000']) {
      expect(['invalid-json', 'invalid-predicate', 'too-large']).toContain(refusal(`{"acmecount":${digits}}`).code);
    }
  });

  it('keeps what the door said as the cause', () => {
    expect(refusal('{').cause).toMatchObject({ name: 'EnvelopeError', code: 'invalid-json' });
  });
});
