import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { AccessConfigError, parseTokenFile, singleToken } from '../src/index.js';

const hashed = (token: string) => `sha256:${createHash('sha256').update(token).digest('hex')}`;

describe('a token file', () => {
  it('has one name, scopes and token per line, and comments', () => {
    const text = [
      '\uFEFF# who   what            secret',
      '',
      'hooks   emit            emit-token-0123456789',
      '\tboard\temit,observe\tobserve-token-0123456789  \r',
      '  # owner',
      `owner   all             ${hashed('all-token-0123456789')}`,
    ].join('\n');
    expect(parseTokenFile(text)).toEqual([
      { name: 'hooks', token: hashed('emit-token-0123456789'), scopes: ['emit'] },
      { name: 'board', token: hashed('observe-token-0123456789'), scopes: ['emit', 'observe'] },
      { name: 'owner', token: hashed('all-token-0123456789'), scopes: ['emit', 'observe', 'control'] },
    ]);
  });

  it('may be empty', () => {
    expect(parseTokenFile('')).toEqual([]);
    expect(parseTokenFile('\n# nobody\n')).toEqual([]);
  });

  it.each([
    ['hooks emit', 'invalid-line', 1],
    ['ok emit good-token-0123456789\nhooks', 'invalid-line', 2],
    ['hooks emit secret-token-0123456789 # mine', 'invalid-line', 1],
    ['hooks emit, observe secret-token-0123456789', 'invalid-line', 1],
    ['hooks emit,, secret-token-0123456789', 'invalid-scope', 1],
    ['hooks Emit secret-token-0123456789', 'invalid-scope', 1],
    ['hooks emit,all secret-token-0123456789', 'invalid-scope', 1],
    ['hooks __proto__ secret-token-0123456789', 'invalid-scope', 1],
    ['\n\nhooks emit secret-secret-1', 'invalid-token', 3],
    ['hooks emit sécret-token-0123456789', 'invalid-token', 1],
    [`hooks emit ${'x'.repeat(1025)}`, 'invalid-token', 1],
    ['ho/oks emit secret-token-0123456789', 'invalid-name', 1],
    ['anonymous emit secret-token-0123456789', 'invalid-name', 1],
    [`${'n'.repeat(65)} emit secret-token-0123456789`, 'invalid-name', 1],
    ['a emit secret-token-0123456789\n#\na emit secret-token-9876543210', 'duplicate-name', 3],
    ['a emit secret-token-0123456789\nb emit secret-token-0123456789', 'duplicate-token', 2],
    [`a emit secret-token-0123456789\nb emit ${hashed('secret-token-0123456789')}`, 'duplicate-token', 2],
  ])('%j is refused with %s on line %i, and no secret in the error', (text, code, line) => {
    let caught: unknown;
    try {
      parseTokenFile(text);
    } catch (error) {
      caught = error;
    }
    expect(caught).toBeInstanceOf(AccessConfigError);
    const error = caught as AccessConfigError;
    expect([error.code, error.line]).toEqual([code, line]);
    expect(error.message).not.toMatch(/secret|sécret|xxxx|nnnn/);
    expect(error.message).toContain(`line ${line}`);
  });
});

describe('a single token', () => {
  it('has every right and is kept as a digest', () => {
    expect(singleToken('all-token-0123456789')).toEqual({ name: 'default', token: hashed('all-token-0123456789'), scopes: ['emit', 'observe', 'control'] });
    expect(singleToken('all-token-0123456789', 'env').name).toBe('env');
  });

  it('is refused when it is short or unusable', () => {
    for (const token of ['', 'x'.repeat(15), 'white space 0123456789', 'tab\tin-token-0123456789']) {
      expect(() => singleToken(token)).toThrow(expect.objectContaining({ code: 'invalid-token' }) as Error);
    }
    expect(() => singleToken('x'.repeat(16))).not.toThrow();
  });
});
