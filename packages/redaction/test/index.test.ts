import { describe, expect, it } from 'vitest';
import * as redaction from '../src/index.js';

describe('@aepkit/redaction', () => {
  it('exports these values', () => {
    expect(Object.keys(redaction).sort()).toEqual(['DEFAULT_LOOKAHEAD', 'DEFAULT_MAX_DEPTH', 'MIN_NAME_LENGTH', 'RedactionError', 'createRedactor', 'redactionRules']);
  });

  it('has these defaults', () => {
    expect([redaction.DEFAULT_LOOKAHEAD, redaction.DEFAULT_MAX_DEPTH, redaction.MIN_NAME_LENGTH]).toEqual([16_384, 512, 4]);
  });

  it('has these rules', () => {
    expect(redaction.redactionRules.filter(({ step }) => step !== 'secret').map(({ id }) => id)).toEqual(['configured-name', 'home-path', 'e-mail', 'phone']);
    expect(redaction.redactionRules.length).toBeGreaterThanOrEqual(45);
  });
});
