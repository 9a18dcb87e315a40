import { describe, expect, it } from 'vitest';

import { followJsonl, type FollowOptions } from '../src/follow.js';
import { resolveFollowOptions } from '../src/follow-options.js';

const place = { file: '1:2', offset: 3, line: 2, check: '00' };

describe('resolveFollowOptions', () => {
  it('fills in the documented defaults', () => {
    expect(resolveFollowOptions({})).toMatchObject({
      from: 'start',
      once: false,
      pollMs: 1_000,
      chunkBytes: 65_536,
      lateMs: 10_000,
      maxLateFiles: 16,
      reader: { maxLineBytes: 1_048_576, maxDepth: 64, maxVersions: 16 },
    });
    expect(resolveFollowOptions({}).watch).toBeTypeOf('function');
    expect(resolveFollowOptions({ watch: false }).watch).toBeUndefined();
  });

  it('takes Infinity for off, and a position', () => {
    const off = { pollMs: Infinity, lateMs: Infinity, maxLateFiles: Infinity, maxLineBytes: Infinity };
    expect(() => followJsonl('p', off)).not.toThrow();
    for (const from of [place, { ...place, late: [] }, { ...place, late: [place] }]) expect(resolveFollowOptions({ from }).from).toEqual(from);
  });

  it.each<[FollowOptions]>([[{ pollMs: 0 }], [{ pollMs: 2_147_483_648 }], [{ chunkBytes: 0 }], [{ chunkBytes: Infinity }], [{ lateMs: -1 }], [{ maxLateFiles: 0.5 }], [{ maxLineBytes: 0 }]])(
    'refuses %j at construction',
    (options) => {
      expect(() => followJsonl('p', options)).toThrow(RangeError);
    },
  );

  it.each<[unknown]>([
    ['middle'],
    [7],
    [{ ...place, file: 1 }],
    [{ ...place, offset: -1 }],
    [{ ...place, offset: 1.5 }],
    [{ ...place, offset: '3' }],
    [{ ...place, line: 0 }],
    [{ ...place, check: undefined }],
    [{ ...place, late: 'x' }],
    [{ ...place, late: [null] }],
    [{ ...place, late: [{ ...place, late: [place] }] }],
  ])('refuses %j as a place to begin', (from) => {
    expect(() => followJsonl('p', { from: from as never })).toThrow(expect.objectContaining({ name: 'JsonlFollowError', code: 'invalid-position' }));
  });

  it('refuses what is no path', () => {
    expect(() => followJsonl('')).toThrow(TypeError);
    expect(() => followJsonl('a\0')).toThrow(TypeError);
  });
});
