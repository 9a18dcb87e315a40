import { describe, expect, it } from 'vitest';

import { EnvelopeError, parseEvent, parseJson, validateEvent, wireEvent, type AepEvent } from '../src/index.js';
import { oneLine } from '../src/one-line.js';
import { full, minimal, refusal, without } from './support.js';

const head = JSON.stringify(minimal.session).slice(0, -1);
const event = (data: string): string => `${head},"data":${data}}`;
const nested = (levels: number, open: string, close: string): string => open.repeat(levels) + close.repeat(levels);

/** Runs something that may be refused, but only properly. */
function survive(work: () => unknown): string {
  try {
    work();
    return 'taken';
  } catch (error) {
    expect(error).toBeInstanceOf(EnvelopeError);
    return (error as EnvelopeError).code;
  }
}

/**
 * Counts the characters that the code looks at while it works: every call of a string method counts as what it covers.
 * What JSON.parse does inside is not counted.
 */
function charactersRead(work: () => unknown): number {
  const prototype = String.prototype as unknown as Record<string, (...args: unknown[]) => unknown>;
  let read = 0;
  const covers: Record<string, (text: string, args: readonly unknown[], result: unknown) => number> = {
    charCodeAt: () => 1,
    indexOf: (text, args, result) => (result === -1 ? text.length : Number(result) + 1) - Number(args[1] ?? 0),
    includes: (text) => text.length,
    isWellFormed: (text) => text.length,
    slice: (_, __, result) => (result as string).length,
  };
  const kept = Object.keys(covers).map((name) => [name, prototype[name]] as const);
  for (const [name, method] of kept) {
    prototype[name] = function counted(this: string, ...args: unknown[]): unknown {
      const result = method?.apply(this, args);
      read += covers[name]?.(this, args, result) ?? 0;
      return result;
    };
  }
  try {
    survive(work);
  } finally {
    for (const [name, method] of kept) if (method !== undefined) prototype[name] = method;
  }
  return read;
}

const HOSTILE: readonly (readonly [string, (n: number) => string])[] = [
  ['levels of arrays', (n) => nested(n, '[', ']')],
  ['levels of objects', (n) => nested(n, '{"a":', '}').replace(':}', ':1}')],
  ['levels that never close', (n) => '['.repeat(n)],
  ['objects that never close', (n) => '{"a":'.repeat(n)],
  ['members', (n) => event(`{${Array.from({ length: n }, (_, i) => `"k${String(i)}":${String(i)}`).join(',')}}`)],
  ['members with white space', (n) => event(`{${Array.from({ length: n }, (_, i) => `"k${String(i)}" : ${String(i)}`).join(' , ')}}`)],
  ['members named twice at the end', (n) => event(`{${Array.from({ length: n }, (_, i) => `"k${String(i)}":0`).join(',')},"k0":0}`)],
  ['extension attributes', (n) => `${head},${Array.from({ length: n }, (_, i) => `"k${String(i)}":${String(i)}`).join(',')}}`],
  ['blanks ahead of one colon', (n) => event(`{"a"${' '.repeat(n)}:1}`)],
  ['blanks ahead of many colons', (n) => event(`{${Array.from({ length: n }, (_, i) => `"${String(i)}"   \t\n  :1`).join(',')}}`)],
  ['blanks and colons inside a string', (n) => event(`{"a":"${' '.repeat(n)}:${' :'.repeat(n)}"}`)],
  ['colons inside a string', (n) => event(`{"a":"${':'.repeat(n)}"}`)],
  ['values that start with a colon', (n) => event(`{"a":[${Array.from({ length: n }, () => '":"').join(',')}]}`)],
  ['quotes and colons inside a string', (n) => event(`{"a":"${'\\":'.repeat(n)}"}`)],
  ['backslashes ahead of a quote', (n) => event(`{"a":"${'\\\\'.repeat(n)}","b":1 }`)],
  ['backslashes ahead of a colon', (n) => event(`{"a":"${'\\\\'.repeat(n)}\\":"}`)],
  ['names with backslashes', (n) => event(`{${Array.from({ length: n }, (_, i) => `"${'\\\\'.repeat(9)}${String(i)}":":"`).join(',')}}`)],
  ['escaped pairs', (n) => event(`{"a":"${'\\ud83d\\ude00'.repeat(n)}"}`)],
  ['escaped backslashes that look like pairs', (n) => event(`{"a":"${'\\\\ud83d'.repeat(n)}"}`)],
  ['escaped halves at the end', (n) => event(`{"a":"${'\\ud83d\\ude00'.repeat(n)}\\ud83d"}`)],
  ['line breaks between tokens', (n) => event(`{"a":[1${'\n'.repeat(n)},2]}`)],
  ['blanks around line breaks', (n) => event(`{"a":[${Array.from({ length: n }, () => '1  \n  ').join(',')}]}`)],
  ['blanks around the object', (n) => ' '.repeat(n) + event('{}') + '\n'.repeat(n)],
  ['blanks inside a string', (n) => `\n${event(`{"a":"${' '.repeat(n)}"}`)}`],
  ['a long name', (n) => event(`{"${'n'.repeat(n)}":1,"${'n'.repeat(n)}":1}`)],
  ['a long attribute name', (n) => `${head},"${'n'.repeat(n)}":1}`],
  ['a long type', (n) => event('{}').replace('tool.completed', `tool${'.a'.repeat(n)}-`)],
  ['a long vendor type', (n) => event('{}').replace('tool.completed', `x.${'a-'.repeat(n)}${'.a'.repeat(n)}.`)],
  ['a long source', (n) => event('{}').replace('aep://host', `aep://${'h'.repeat(n)} `)],
  ['a long time', (n) => event('{}').replace('.678Z', `.${'1'.repeat(n)}`)],
  ['digits', (n) => `${head},"acmebig":${'9'.repeat(n)}}`],
  ['digits of a fraction', (n) => `${head},"acmebig":9007199254740993.${'0'.repeat(n)}}`],
  ['zeros in front of digits', (n) => `${head},"acmebig":0.${'0'.repeat(n)}9007199254740993e${String(n + 16)}}`],
  ['large numbers beside an exact extension', (n) => `${event(`{"a":[${Array.from({ length: n }, () => '1e20').join(',')}]}`).slice(0, -1)},"acmebig":9007199254740993}`],
  ['text that is no JSON', (n) => 'x'.repeat(n)],
  ['a string that never ends', (n) => `{"a":"${'\\"'.repeat(n)}`],
];

describe('hostile texts', () => {
  it.each(HOSTILE)('cost no more than twice for twice the %s', (_, make) => {
    for (const work of [(text: string) => parseEvent(text, { maxBytes: Infinity }), (text: string) => parseJson(text, { maxBytes: Infinity, bigints: true })]) {
      const once = charactersRead(() => work(make(2000)));
      const twice = charactersRead(() => work(make(4000)));
      expect(twice).toBeLessThan(2.2 * once + 2000);
      expect(twice).toBeLessThan(12 * make(4000).length + 2000);
    }
  });

  it.each(HOSTILE)('are taken or refused with a code: %s', (_, make) => {
    for (const size of [1, 100, 30_000]) {
      const outcome = survive(() => parseEvent(make(size)));
      expect(survive(() => parseEvent(new TextEncoder().encode(make(size))))).toBe(outcome);
      survive(() => parseJson(make(size), { bigints: true }));
    }
  });

  it('refuse 20,000 levels as too deep, never with an error of the engine', () => {
    for (const text of [nested(20_000, '[', ']'), nested(20_000, '{"a":[', ']}'), event(`{"a":${nested(20_000, '[', ']')}}`), '['.repeat(20_000), '[{"a":'.repeat(20_000)]) {
      for (const work of [() => parseEvent(text), () => parseJson(text), () => parseEvent(new TextEncoder().encode(text))]) expect(refusal(work).code).toBe('too-deep');
    }
  });

  it('go through 200,000 levels where the limit is off', () => {
    const text = nested(200_000, '[', ']');
    expect(parseJson(text, { maxDepth: Infinity, maxBytes: Infinity })).toBeInstanceOf(Array);
    expect(survive(() => parseEvent(text, { maxDepth: Infinity, maxBytes: Infinity }))).toBe('not-an-object');
  });

  it('report a bounded message, whatever the names', () => {
    for (const name of ['n'.repeat(100_000), '\\u0000'.repeat(10_000), '😀'.repeat(10_000), '\\ud800'.repeat(10_000)]) {
      for (const text of [`${head},"${name}":1}`, event(`{"${name}":1,"${name}":1}`), event(`{"a":{"${name}":{"${name}":["\\ud800"]}}}`)]) {
        const error = refusal(() => parseEvent(text));
        expect(error.message.length).toBeLessThan(600);
        expect(error.message.isWellFormed()).toBe(true);
        expect(error.message).not.toMatch(/[\r\n]/);
      }
    }
  });
});

describe('hostile values', () => {
  const deep = (levels: number): object => {
    let value: object = {};
    for (let level = 1; level < levels; level += 1) value = { a: value };
    return value;
  };

  it('refuse any depth without an error of the engine', () => {
    for (const levels of [64, 300, 100_000]) {
      const value = { ...minimal.session, data: deep(levels) } as unknown as AepEvent;
      expect(validateEvent(value)?.code).toBe('too-deep');
      expect(refusal(() => wireEvent(value)).code).toBe('too-deep');
    }
    expect(validateEvent({ ...minimal.session, data: deep(100_000) }, { maxDepth: Infinity })).toBeUndefined();
  });

  it('take keys that name parts of every object', () => {
    const names = ['__proto__', 'constructor', 'prototype', 'toString', 'valueOf', 'hasOwnProperty', 'toJSON', '__defineGetter__', 'length', 'then', '0', '-1'];
    const text = event(`{${names.map((name) => `"${name}":{"${name}":1}`).join(',')}}`);
    const { event: parsed, json } = parseEvent(text);
    expect(json).toBe(text);
    expect(Object.keys(parsed.data ?? {}).sort()).toEqual([...names].sort());
    expect(({} as Record<string, unknown>)['1']).toBeUndefined();
    expect(Object.prototype).not.toHaveProperty('0');
    for (const name of names) {
      const outcome = survive(() => parseEvent(`${head},"${name}":1}`));
      expect(outcome).toBe(/^[a-z0-9]{1,20}$/.test(name) ? 'taken' : 'invalid-name');
      expect(survive(() => parseEvent(event(`{"${name}":1,"${name}":1}`)))).toBe('duplicate-member');
    }
  });

  it('give one verdict when Object.prototype has been given attributes', () => {
    const names = ['aep', 'id', 'type', 'time', 'source', 'agent', 'session', 'seq'];
    for (const name of names) {
      const broken = JSON.stringify(without(full, name));
      Object.defineProperty(Object.prototype, name, { value: (full as unknown as Record<string, unknown>)[name], enumerable: true, configurable: true, writable: true });
      try {
        expect(refusal(() => parseEvent(broken))).toMatchObject({ code: 'missing-attribute', path: `$.${name}` });
        expect(validateEvent(JSON.parse(broken))).toMatchObject({ code: 'missing-attribute', path: `$.${name}` });
        expect(refusal(() => wireEvent(JSON.parse(broken) as AepEvent)).path).toBe(`$.${name}`);
        expect(parseEvent(JSON.stringify(full)).json).toBe(JSON.stringify(full));
      } finally {
        Reflect.deleteProperty(Object.prototype, name);
      }
    }
  });

  it('survive getters that throw and proxies', () => {
    const trap = new Proxy({ ...full }, { get: () => 'x', ownKeys: () => [], getOwnPropertyDescriptor: () => undefined });
    expect(validateEvent(trap)?.code).toBe('unsupported-version');
    const getter = Object.defineProperty({ ...full }, 'id', { get: () => { throw new TypeError('mine'); }, enumerable: true });
    expect(() => validateEvent(getter)).toThrow('mine');
  });
});

describe('white space', () => {
  it('costs no more than twice for twice the line breaks', () => {
    for (const make of [(n: number) => `[${' '.repeat(n)}\n1]`, (n: number) => `[1${' \n'.repeat(n)}]`, (n: number) => `["${' '.repeat(n)}"\n]`, (n: number) => `[${'1 ,\n'.repeat(n)}1]`]) {
      const once = charactersRead(() => oneLine(make(2000)));
      const twice = charactersRead(() => oneLine(make(4000)));
      expect(twice).toBeLessThan(2.2 * once + 500);
    }
  });
});
