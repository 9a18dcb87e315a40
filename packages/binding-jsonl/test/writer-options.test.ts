import { describe, expect, it } from 'vitest';

import { JsonlLog, JsonlOutput, JsonlWriter, type JsonlLogOptions } from '../src/writer.js';
import { resolveWriterOptions } from '../src/writer-options.js';

describe('resolveWriterOptions', () => {
  it('fills in the documented defaults', () => {
    expect(resolveWriterOptions({})).toMatchObject({
      fsync: 'never',
      tornTail: 'newline',
      rotateBytes: Infinity,
      maxLineBytes: 1_048_576,
      maxBatchBytes: 262_144,
      maxQueuedBytes: 67_108_864,
      fileMode: 0o600,
      directoryMode: 0o700,
    });
    expect(resolveWriterOptions({}).suffix()).toMatch(/^[0-9a-f]{12}$/);
  });

  it('takes Infinity for off', () => {
    const off = { rotateBytes: Infinity, maxLineBytes: Infinity, maxBatchBytes: Infinity, maxQueuedBytes: Infinity };
    expect(resolveWriterOptions(off)).toMatchObject(off);
    expect(() => new JsonlLog({ root: 'r', maxOpenFiles: Infinity })).not.toThrow();
  });

  it('keeps what a callback throws away from the writing', () => {
    const settings = resolveWriterOptions({
      onError: () => {
        throw new Error('no');
      },
      onRotate: () => {
        throw new Error('no');
      },
    });
    expect(() => {
      settings.onError({} as never);
      settings.onRotate({} as never);
    }).not.toThrow();
  });

  it.each<[Partial<JsonlLogOptions>]>([
    [{ fsync: 0 }],
    [{ fsync: Infinity }],
    [{ fsync: 'often' as never }],
    [{ rotateBytes: 0 }],
    [{ maxLineBytes: 0 }],
    [{ maxBatchBytes: 1.5 }],
    [{ maxQueuedBytes: Number.NaN }],
    [{ fileMode: 0o10000 }],
    [{ directoryMode: -1 }],
    [{ maxOpenFiles: 0 }],
  ])('refuses %j at construction', (options) => {
    expect(() => new JsonlLog({ root: 'r', ...options })).toThrow(RangeError);
    if (options.maxOpenFiles === undefined) expect(() => new JsonlWriter({ path: 'p', ...options })).toThrow(RangeError);
  });

  it('refuses what is no path, and no way to treat a torn end', () => {
    for (const path of ['', 'a\0b', undefined as never]) {
      expect(() => new JsonlWriter({ path })).toThrow(TypeError);
      expect(() => new JsonlLog({ root: path })).toThrow(TypeError);
    }
    expect(() => new JsonlWriter({ path: 'p', tornTail: 'keep' as never })).toThrow(TypeError);
    expect(() => new JsonlOutput(process.stderr, { maxQueuedBytes: 0 })).toThrow(RangeError);
  });
});
