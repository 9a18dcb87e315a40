import { describe, expect, it } from 'vitest';
import * as attrMatch from '../src/index.js';

describe('@aepkit/attr-match', () => {
  it('exports these values', () => {
    expect(Object.keys(attrMatch).sort()).toEqual([
      'DEFAULT_MAX_KEYS',
      'DEFAULT_MAX_TEXT_BYTES',
      'DEFAULT_MAX_VALUES',
      'FILTERABLE_ATTRIBUTES',
      'FilterError',
      'FilterIndex',
      'compileFilter',
      'parseFilter',
    ]);
  });

  it('has these defaults', () => {
    expect(attrMatch.DEFAULT_MAX_TEXT_BYTES).toBe(65_536);
    expect(attrMatch.DEFAULT_MAX_KEYS).toBe(64);
    expect(attrMatch.DEFAULT_MAX_VALUES).toBe(1000);
  });

  it('has these error codes', () => {
    const wireCodes: Record<attrMatch.FilterErrorCode, string> = {
      'invalid-json': 'invalid-filter',
      'duplicate-key': 'invalid-filter',
      'not-an-object': 'invalid-filter',
      'not-filterable': 'invalid-filter',
      'invalid-key': 'invalid-filter',
      'invalid-predicate': 'invalid-filter',
      'inexact-integer': 'invalid-filter',
      'empty-inclusion': 'invalid-filter',
      'invalid-pattern': 'invalid-filter',
      'pattern-not-allowed': 'invalid-filter',
      'comparison-not-allowed': 'invalid-filter',
      'invalid-comparison': 'invalid-filter',
      'too-large': 'limit-exceeded',
      'too-many-keys': 'limit-exceeded',
      'too-many-values': 'limit-exceeded',
    };
    for (const [code, wireCode] of Object.entries(wireCodes)) {
      const error = new attrMatch.FilterError(code as attrMatch.FilterErrorCode, '$.agent', 'detail');
      expect(error).toMatchObject({ name: 'FilterError', code, path: '$.agent', message: '$.agent: detail', wireCode });
    }
  });
});
