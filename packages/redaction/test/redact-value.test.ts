import type { JsonValue } from '@aepkit/envelope';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor } from '../src/index.js';
import { fragments } from './fragments.js';

const R = '[REDACTED:secret]';
const redactor = createRedactor({ names: ['NAME!x'] });
const value = (input: JsonValue): JsonValue => redactor.value(input);

const key = fc.oneof(fc.constantFrom('password', 'Token', 'name', 'value', 'x', '__proto__', 'constructor', 'DB_PASSWORD', 'max_tokens', 'pass'), fragments(3));
const json = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fragments(6),
    fc.constantFrom(null, true, false, 0, -1.5, 1e21, '--password', '-u', 'DB_PASSWORD', 'a:b'),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(key, tie('value')), { maxLength: 4 }).map((entries) => Object.fromEntries(entries) as JsonValue),
  ),
})).value;

describe('a JSON value', () => {
  it('has every text at any depth redacted; numbers, booleans, null and names stay [T-230]', () => {
    expect(value({ a: [{ b: 'token=x' }, 3, true, null], n: 1.5, 'plain name': 'bob@example.com' })).toEqual({ a: [{ b: `token=${R}` }, 3, true, null], n: 1.5, 'plain name': '[REDACTED:pii]' });
  });

  it('loses whatever stands under the name of a credential, but null [T-230]', () => {
    for (const name of ['password', 'PASSWD', 'secret', 'api_key', 'apiKey', 'API-KEY', 'token', 'Authorization', 'credential', 'private_key', 'privateKey', 'access_key', 'Access-Key', 'credentials', 'client_secret', 'cookie']) {
      for (const held of ['x', 5, true, { a: 1 }, ['b'], '1']) expect(value({ [name]: held, n: 2 })).toEqual({ [name]: R, n: 2 });
      expect(value({ [name]: null })).toEqual({ [name]: null });
    }
  });

  it('loses texts under names that end so, and keeps numbers', () => {
    expect(value({ DB_PASSWORD: 'x', userToken: 'y', eos_token: 7, api_keys: ['a', 1], max_tokens: 5, tokens: ['a'], token_count: 'three', passwordField: 'input' })).toEqual({
      DB_PASSWORD: R, userToken: R, eos_token: 7, api_keys: [R, 1], max_tokens: 5, tokens: ['a'], token_count: 'three', passwordField: 'input',
    });
  });

  it('loses values whose name stands beside them, in lists of variables and of headers', () => {
    expect(value([{ name: 'DB_PASSWORD', value: 'x' }, { name: 'PORT', value: '80' }, { key: 'token', value: 'x' }])).toEqual([{ name: 'DB_PASSWORD', value: R }, { name: 'PORT', value: '80' }, { key: 'token', value: R }]);
    expect(value(['Accept', 'x', 'Authorization', 'Basic abc', 'X-Api-Key', 'k'])).toEqual(['Accept', 'x', 'Authorization', R, 'X-Api-Key', R]);
  });

  it('loses arguments of commands', () => {
    expect(value(['tool', '--password', 'x', '--force', '--token', '--y', '-u', 'me:pw', '-u', '1000:1000', '--api-key=z'])).toEqual(['tool', '--password', R, '--force', '--token', '--y', '-u', `me:${R}`, '-u', '1000:1000', `--api-key=${R}`]);
    expect(value({ required: ['username', 'password', 'email'] })).toEqual({ required: ['username', 'password', 'email'] });
  });

  it('lets names decide that say less, as they do in a text', () => {
    expect(value({ pass: 'hunter22', pwd: '/srv/app', auth: 'dXNlcjpwYXNz', primary_key: 'id' })).toEqual({ pass: R, pwd: '/srv/app', auth: R, primary_key: 'id' });
  });

  it('has secrets in names of members replaced, without losing a member', () => {
    const token = ['gh', 'p_q7Gw2ZtK9vXb4LmR1sYc8PnH5dJf3AeU6iVo'].join('');
    expect(value({ [token]: 1, [`${token}X`]: 2, '/home/al/a.ts': 3, [R]: 4 })).toEqual({ [`${R} 2`]: 1, [`${R} 3`]: 2, '~/a.ts': 3, [R]: 4 });
    expect(redactor.scanValue({ [token]: { x: 'token=y' } }).findings).toEqual([
      { rule: 'github-token', start: 0, end: 40, path: '$' },
      { rule: 'named-value', start: 6, end: 7, path: `$["${R}"].x` },
    ]);
  });

  it('keeps members called like those of Object.prototype', () => {
    const hostile = JSON.parse('{"__proto__":{"password":"x"},"constructor":"token=y","hasOwnProperty":1}') as JsonValue;
    expect(JSON.stringify(value(hostile))).toBe(`{"__proto__":{"password":"${R}"},"constructor":"token=${R}","hasOwnProperty":1}`);
  });

  it('says where, and never what', () => {
    const scan = redactor.scanValue({ a: ['x', 'token=hunter2x'], password: 'hunter2y' });
    expect(scan.findings).toEqual([
      { rule: 'named-value', start: 6, end: 14, path: '$.a[1]' },
      { rule: 'named-value', start: 0, end: 8, path: '$.password' },
    ]);
    expect(JSON.stringify(scan)).not.toContain('hunter2');
  });

  it('keeps its shape, stays JSON, and gives the same again', () => {
    const shape = (input: JsonValue): unknown => (Array.isArray(input) ? input.map(shape) : typeof input === 'object' && input !== null ? Object.values(input).map(shape) : typeof input);
    fc.assert(
      fc.property(json, (input) => {
        const once = redactor.value(input);
        expect(JSON.parse(JSON.stringify(once))).toEqual(once);
        expect(redactor.value(once)).toEqual(once);
        expect(redactor.scanValue(input).value).toEqual(once);
        if (!(/"(?:password|Token|cookie|secret)|Cookie|secret|token|Authorization|password|api_key|jwt/i.exec(JSON.stringify(input)))) expect(shape(once)).toEqual(shape(input));
      }),
      { numRuns: 500 },
    );
  });

  it('does not change what it is given', () => {
    const input = Object.freeze({ a: Object.freeze(['token=x']) });
    expect(value(input)).toEqual({ a: [`token=${R}`] });
    expect(input).toEqual({ a: ['token=x'] });
  });

  it('refuses what nests too deep, and what is no JSON, without telling what it is', () => {
    const nested = (levels: number): JsonValue => (levels === 0 ? 'x' : [nested(levels - 1)]);
    const limited = createRedactor({ maxDepth: 3 });
    expect(limited.value(nested(3))).toEqual(nested(3));
    expect(() => limited.value(nested(4))).toThrow(expect.objectContaining({ name: 'RedactionError', code: 'too-deep', path: '$' }));
    for (const wrong of [undefined, 1n, () => 1, Symbol('x')]) expect(() => value({ a: wrong } as never)).toThrow(expect.objectContaining({ code: 'not-json' }));
  });

});
