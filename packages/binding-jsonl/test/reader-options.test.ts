import { describe, expect, it } from 'vitest';

import { JsonlReader, type JsonlReaderOptions } from '../src/reader.js';
import { resolveReaderOptions } from '../src/reader-options.js';

describe('resolveReaderOptions', () => {
  it('fills in the documented defaults', () => {
    expect(resolveReaderOptions({})).toEqual({ maxLineBytes: 1_048_576, maxDepth: 64, maxVersions: 16, offset: 0, line: 1 });
  });

  it('takes Infinity for off', () => {
    const off = { maxLineBytes: Infinity, maxDepth: Infinity, maxVersions: Infinity };
    expect(resolveReaderOptions(off)).toMatchObject(off);
  });

  it.each<[JsonlReaderOptions]>([
    [{ maxLineBytes: 0 }],
    [{ maxLineBytes: 1.5 }],
    [{ maxDepth: Number.NaN }],
    [{ maxVersions: -1 }],
    [{ offset: -1 }],
    [{ offset: Infinity }],
    [{ line: 0 }],
    [{ line: '1' as never }],
  ])('refuses %j at construction', (options) => {
    expect(() => new JsonlReader(options)).toThrow(RangeError);
  });
});
