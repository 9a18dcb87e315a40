import { buildWire } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { lineParseOptions, readLine } from '../src/read-line.js';

const options = lineParseOptions(1_000, 64);

describe('readLine', () => {
  it.each([
    [buildWire().json, { type: 'event' }],
    ['{"aep":"1.0"}', { type: 'version', version: '1.0' }],
    ['{"aep":"0.2"}', { type: 'version', version: '0.2' }],
    ['{"aep":""}', { type: 'version', version: '' }],
    [`{"aep":"${'1'.repeat(65)}"}`, { type: 'version', version: `${'1'.repeat(64)}…` }],
    [`{"aep":"3.0","x":${'['.repeat(70)}${']'.repeat(70)}}`, { type: 'version', version: '3.0' }],
    [`${'['.repeat(70)}${']'.repeat(70)}`, { type: 'bad', code: 'too-deep', path: '$' + '[0]'.repeat(10) }],
    [String.raw`{"aep":"0.1","x":"\udc00"}`, { type: 'bad', code: 'lone-surrogate' }],
    ['{"aep":"1.0","aep":"1.0"}', { type: 'bad', code: 'duplicate-member' }],
    ['{"__proto__":{"aep":"1.0"}}', { type: 'bad', code: 'missing-attribute', path: '$.aep' }],
    ['["1.0"]', { type: 'bad', code: 'not-an-object', path: '$' }],
  ])('reads %s', (text, expected) => {
    const verdict = readLine(text, options);
    expect(verdict).toMatchObject('path' in expected && expected.code === 'too-deep' ? { type: 'bad', code: 'too-deep' } : expected);
  });

  it('leaves size to whoever counts bytes', () => {
    const text = `${buildWire().json.slice(0, -1)},"run":"${'r'.repeat(1_048_576)}"}`;
    expect(readLine(text, lineParseOptions(2_000_000, 64)).type).toBe('event');
  });
});
