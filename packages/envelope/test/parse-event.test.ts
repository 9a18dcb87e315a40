import { describe, expect, it } from 'vitest';

import { parseEvent, positionOf, wireEvent, type EnvelopeErrorCode } from '../src/index.js';
import { full, minimal, refusal } from './support.js';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = JSON.stringify(full);
/** The minimal session Event with raw JSON members behind it. */
const withMembers = (members: string): string => `${JSON.stringify(minimal.session).slice(0, -1)},${members}}`;

describe('parseEvent', () => {
  it('gives the Event and its text', () => {
    const wire = parseEvent(text);
    expect(wire.event).toEqual(full);
    expect(wire.json).toBe(text);
    expect(wire).not.toHaveProperty('received');
  });

  it('gives one verdict whatever binding the object came by [E-001]', () => {
    const invalid = text.replace('"seq":1', '"seq":-1');
    for (const carried of [(line: string) => line, utf8, (line: string) => `${line}\n`, (line: string) => `${line}\r\n`, (line: string) => utf8(` ${line} `)]) {
      expect(parseEvent(carried(text))).toEqual({ event: full, json: text });
      expect(refusal(() => parseEvent(carried(invalid)))).toMatchObject({ code: 'invalid-attribute', path: '$.seq' });
    }
  });

  it('keeps the text byte for byte: digits, escapes, order, inner blanks', () => {
    const members = '"acmebig":12345678901234567890,"data":{"id":2512292042121000001,"e":1.50e+1,"u":"\\u0041\\/ü","b":[ 1 ,\t2 ]},"acmelast":1.0';
    const received = withMembers(members);
    for (const input of [received, utf8(received)]) expect(parseEvent(input).json).toBe(received);
  });

  it('gives the same string where the text needs no change', () => {
    const spaced = '{ "aep" :\t"0.1", "id":"1","type":"agent.started","time":"2026-01-01T00:00:00Z","source":"a:b","agent":"a" }';
    expect(parseEvent(spaced).json).toBe(spaced);
  });

  it('removes white space around the object and runs of it with a line break, and nothing else', () => {
    const pretty = JSON.stringify({ ...full, data: { note: 'two\nlines \t end', 'sp  ace': '  ' } }, null, 2).replaceAll('\n', '\r\n');
    const { event, json } = parseEvent(`\n\t ${pretty} \r\n`);
    expect(json).not.toMatch(/[\r\n]/);
    expect(json).toContain('"note": "two\\nlines \\t end"');
    expect(json).toContain('"sp  ace": "  "');
    expect(JSON.parse(json)).toEqual(event);
    expect(parseEvent(json).json).toBe(json);
  });

  it('keeps what a command was received as beside its line (AEP-0004 §4.4)', () => {
    const command = JSON.stringify(minimal.command, null, 2);
    const wire = parseEvent(`${command}\n`);
    expect(wire.received).toBe(`${command}\n`);
    expect(wire.json).toBe(command.replaceAll(/\n */g, ''));
    expect(parseEvent(JSON.stringify(minimal.command))).not.toHaveProperty('received');
    expect(parseEvent(`${JSON.stringify(minimal.session)}\n`)).not.toHaveProperty('received');
    expect(parseEvent(`${JSON.stringify(minimal.routed)}\n`)).not.toHaveProperty('received');
  });

  it('takes unregistered types of known categories and vendor types [E-067, E-068]', () => {
    for (const type of ['progress.some_future_member', 'tool.a.b.c.d', 'x.claude-code.session.config_change', 'x.acme.oddity.happened']) {
      expect(parseEvent(JSON.stringify({ ...minimal.session, type })).event.type).toBe(type);
    }
  });

  it('keeps unknown attributes of legal form [E-057]', () => {
    const { event } = parseEvent(withMembers('"acmenode":"n","acmecount":-3,"acmeflag":false,"acmeempty":""'));
    expect(event).toMatchObject({ acmenode: 'n', acmecount: -3, acmeflag: false, acmeempty: '' });
  });

  it('makes an integer extension beyond 2^53-1 an exact bigint', () => {
    const cases: readonly (readonly [string, bigint | number])[] = [
      ['9007199254740991', 9007199254740991],
      ['9007199254740992', 9007199254740992n],
      ['9007199254740993', 9007199254740993n],
      ['-9007199254740993', -9007199254740993n],
      ['2512292042121000001', 2512292042121000001n],
      ['9007199254740993.000', 9007199254740993n],
      ['9.007199254740993e15', 9007199254740993n],
      ['900719925474099300e-2', 9007199254740993n],
      ['1e22', 10n ** 22n],
      ['123456789012345678901234567890', 123456789012345678901234567890n],
      ['1e308', 10n ** 308n],
    ];
    for (const [digits, value] of cases) {
      const received = withMembers(`"acmebig":${digits},"data":{"big":${digits}}`);
      const { event, json } = parseEvent(received);
      expect(event.acmebig).toBe(value);
      expect(json).toBe(received);
      expect(parseEvent(withMembers(`"acmebig" : ${digits}`)).event.acmebig).toBe(value);
    }
  });

  it('refuses an extension number whose digits are a fraction, though its double is whole', () => {
    expect(refusal(() => parseEvent(withMembers('"acmebig":9007199254740993.5')))).toMatchObject({ code: 'invalid-extension', path: '$.acmebig' });
    expect(refusal(() => parseEvent(withMembers('"acmebig":1e999')))).toMatchObject({ code: 'invalid-extension', path: '$.acmebig' });
  });

  it('refuses seq and epoch beyond 2^53-1 and names them', () => {
    for (const name of ['seq', 'epoch']) {
      for (const digits of ['9007199254740992', '9007199254740993', '1e16', '1e300']) {
        const received = JSON.stringify({ ...minimal.session, epoch: 1 }).replace(new RegExp(`"${name}":1`), `"${name}":${digits}`);
        expect(refusal(() => parseEvent(received))).toMatchObject({ code: 'unsafe-integer', path: `$.${name}` });
      }
    }
    expect(parseEvent(text.replace('"seq":1', '"seq":9007199254740991')).event.seq).toBe(Number.MAX_SAFE_INTEGER);
  });

  it('counts -0, 1e3 and 7.0 as integers [E-023]', () => {
    for (const [digits, value] of [['-0', 0], ['-0.0', 0], ['1e3', 1000], ['1E+3', 1000], ['7.0', 7], ['70e-1', 7]] as const) {
      const { event } = parseEvent(text.replace('"seq":1', `"seq":${digits}`).replace('"epoch":3', `"epoch":${digits}`));
      expect(positionOf(event)).toEqual({ session: 's', epoch: value, seq: value });
      expect(parseEvent(withMembers(`"acmecount":${digits}`)).event.acmecount).toBeCloseTo(value);
    }
  });

  it('refuses negative, fractional, boolean and string values of seq and epoch [E-023]', () => {
    for (const name of ['seq', 'epoch']) {
      for (const value of [-1, 1.5, true, '1', [1]]) {
        const error = refusal(() => parseEvent(JSON.stringify({ ...minimal.session, [name]: value })));
        expect(error).toMatchObject({ code: 'invalid-attribute', path: `$.${name}` });
      }
    }
  });

  it('refuses a member named twice, at any depth and however it is spelled', () => {
    const cases: readonly (readonly [string, string])[] = [
      ['"capture":"full","capture":"none"', '$.capture'],
      ['"capture":"full","\\u0063apture":"none"', '$.capture'],
      ['"c\\u0061pture":"full","capture":"full"', '$.capture'],
      ['"data":{"roles":["_admin"],"roles":[]}', '$.data.roles'],
      ['"data":{"a":[0,{"b":1},{"c":{"d":1,"d":1}}]}', '$.data.a[2].c.d'],
      ['"data":{"":1,"":2}', '$.data[""]'],
      ['"data":{"__proto__":1,"__proto__":2}', '$.data.__proto__'],
      ['"data":{"a b":1,"x":{},"a b":{}}', '$.data["a b"]'],
      ['"data":{},"data":{}', '$.data'],
      ['"data":{"a":":","a":":"}', '$.data.a'],
      ['"data" : { "a" : 1 , "a" : 2 }', '$.data.a'],
      ['"data"\t:\r\n{"\\u0061"\n:1,"a"\n:2}', '$.data.a'],
      ['"data":{"a":"\\\\","a":"\\":"}', '$.data.a'],
      ['"seq":2', '$.seq'],
      ['"data":{"x":1000,"x":1e3}', '$.data.x'],
      ['"data":{"x":{"y":1},"x":{"y":1}}', '$.data.x'],
    ];
    for (const [members, path] of cases) {
      const error = refusal(() => parseEvent(withMembers(members)));
      expect({ members, code: error.code, path: error.path }).toEqual({ members, code: 'duplicate-member', path });
    }
  });

  it('takes equal names in different objects and names that differ in case', () => {
    const { event } = parseEvent(withMembers('"data":{"a":{"a":1},"A":1,"b":[{"a":1},{"a":2}],"c":":","d":"\\":","e":"x\\\\"}'));
    expect(event.data).toEqual({ a: { a: 1 }, A: 1, b: [{ a: 1 }, { a: 2 }], c: ':', d: '":', e: 'x\\' });
  });

  it('reports a member named twice ahead of what is wrong with one of the readings', () => {
    expect(refusal(() => parseEvent(withMembers('"severity":"loud","severity":"info"')))).toMatchObject({ code: 'duplicate-member', path: '$.severity' });
    expect(refusal(() => parseEvent(withMembers('"severity":"info","severity":"loud"')))).toMatchObject({ code: 'duplicate-member', path: '$.severity' });
  });

  it('refuses half of a surrogate pair in names and values, raw or escaped', () => {
    const cases: readonly (readonly [string, string])[] = [
      ['"subject":"\\ud83d"', '$.subject'],
      ['"subject":"\\uDE00x"', '$.subject'],
      ['"subject":"\\ude00\\ud83d"', '$.subject'],
      ['"subject":"\\\\\\ud83d"', '$.subject'],
      ['"subject":"\\ud83dx\\ude00"', '$.subject'],
      ['"subject":"\ud83d"', '$.subject'],
      ['"subject":"\ud83d\\ude00"', '$.subject'],
      ['"data":{"a":["\\ud800"]}', '$.data.a[0]'],
      ['"data":{"\\udfff":1}', '$.data["\ufffd"]'],
      ['"data":{"\ud83d":1}', '$.data["\ufffd"]'],
      ['"acmenote":"\\ud83d"', '$.acmenote'],
    ];
    for (const [members, path] of cases) {
      const error = refusal(() => parseEvent(withMembers(members)));
      expect({ members, code: error.code, path: error.path }).toEqual({ members, code: 'lone-surrogate', path });
    }
  });

  it('takes pairs and texts that only look like escapes', () => {
    const { event } = parseEvent(withMembers('"subject":"\\ud83d\\ude00 😀 \\\\ud83d \\ud55c"'));
    expect(event.subject).toBe('😀 😀 \\ud83d 한');
  });

  it('treats __proto__ and its kin as ordinary names inside data', () => {
    const { event, json } = parseEvent(withMembers('"data":{"__proto__":{"polluted":true},"constructor":{"prototype":1}}'));
    expect(Object.keys(event.data ?? {})).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(event.data)).toBe(Object.prototype);
    expect(event.data).not.toHaveProperty('polluted');
    expect(json).toContain('"__proto__":{"polluted":true}');
    expect(refusal(() => parseEvent(withMembers('"__proto__":{"session":"s"}')))).toMatchObject({ code: 'invalid-name', path: '$.__proto__' });
  });

  it('refuses a byte-order mark with a code of its own', () => {
    for (const input of [`\ufeff${text}`, utf8(`\ufeff${text}`), '\ufeff', '\ufeff[']) {
      expect(refusal(() => parseEvent(input))).toMatchObject({ code: 'byte-order-mark', path: '$', section: 'AEP-0001 §5' });
    }
    expect(refusal(() => parseEvent(` \ufeff${text}`)).code).toBe('invalid-json');
    expect(parseEvent(text.replace('"Bash"', '"\ufeffBash"')).event.subject).toBe('\ufeffBash');
  });

  it('refuses everything that is no single JSON object', () => {
    const cases: readonly (readonly [string, EnvelopeErrorCode])[] = [
      ['', 'invalid-json'],
      [' ', 'invalid-json'],
      ['{', 'invalid-json'],
      [`${text}${text}`, 'invalid-json'],
      [`${text}\u00a0`, 'invalid-json'],
      [text.replace('"seq":1', '"seq":01'), 'invalid-json'],
      [text.replace('"seq":1', '"seq":NaN'), 'invalid-json'],
      [`${text.slice(0, -1)},}`, 'invalid-json'],
      [text.replace('Bash', 'Ba\nsh'), 'invalid-json'],
      ['null', 'not-an-object'],
      ['"x"', 'not-an-object'],
      ['1', 'not-an-object'],
      [`[${text}]`, 'not-an-object'],
      ['{}', 'missing-attribute'],
    ];
    for (const [input, code] of cases) expect({ input, code: refusal(() => parseEvent(input)).code }).toEqual({ input, code });
  });

  it('names the place in the message and no value', () => {
    const error = refusal(() => parseEvent(JSON.stringify({ ...minimal.session, severity: 'top-secret' })));
    expect(error.message).toBe('$.severity: none of the six severities (AEP-0001 §5.1)');
    expect(refusal(() => parseEvent('{"token":"hunter2"')).message).not.toContain('hunter2');
    expect(refusal(() => parseEvent('{"token":"hunter2"')).cause).toBeUndefined();
  });

  it('gives what wireEvent wrote back unchanged', () => {
    const wire = wireEvent(full);
    expect(parseEvent(wire.json)).toEqual(wire);
  });
});
