import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';

import * as root from '../src/index.js';

async function bundle(code: string): Promise<{ text: string; bytes: number }> {
  const result = await build({
    stdin: { contents: code, resolveDir: import.meta.dirname, loader: 'ts' },
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2023',
  });
  const { text, contents } = result.outputFiles[0]!;
  return { text, bytes: contents.length };
}

describe('the root entry', () => {
  it('exports these names', () => {
    expect(Object.keys(root).sort()).toEqual([
      'DEFAULT_MAX_EVENTS',
      'DEFAULT_MAX_ISSUES',
      'DEFAULT_MAX_REQUESTS',
      'DEFAULT_MAX_SESSIONS',
      'DEFAULT_MAX_UNITS',
      'GATE_ERROR_CODES',
      'GateError',
      'PAYLOAD_ISSUE_CODES',
      'STREAM_ISSUE_CODES',
      'StreamValidator',
      'checkEmission',
      'formOf',
      'gate',
      'gateData',
      'payloadOf',
      'payloadSchemas',
      'registry',
      'typeEntry',
      'validatePayload',
    ]);
  });

  it('has these defaults', () => {
    expect(root.DEFAULT_MAX_ISSUES).toBe(100);
    expect(root.DEFAULT_MAX_EVENTS).toBe(200_000);
    expect(root.DEFAULT_MAX_SESSIONS).toBe(20_000);
    expect(root.DEFAULT_MAX_UNITS).toBe(100_000);
    expect(root.DEFAULT_MAX_REQUESTS).toBe(50_000);
  });

  it('has these codes', () => {
    expect(root.GATE_ERROR_CODES).toEqual(['unknown-level', 'text-mismatch']);
    expect(root.PAYLOAD_ISSUE_CODES).toEqual([
      'missing-member',
      'wrong-type',
      'unknown-value',
      'out-of-range',
      'invalid-format',
      'unregistered-type',
      'reserved-type',
      'above-capture',
      'data-at-none',
      'missing-data',
      'missing-step',
      'low-severity',
      'misplaced-member',
      'missing-fields',
      'duplicate-id',
      'nested-answer',
      'invalid-currency',
      'missing-source',
      'several-offsets',
      'empty-token',
      'more',
    ]);
    expect(root.STREAM_ISSUE_CODES).toEqual([
      'id-collision',
      'position-taken',
      'position-not-increasing',
      'epoch-return',
      'second-run-terminal',
      'second-session-end',
      'second-attention-terminal',
      'open-attention',
      'missing-subject',
      'wrong-subject',
      'missing-cause',
      'wrong-cause',
      'second-ack',
      'not-a-choice',
      'wrong-answer',
      'unknown-field',
      'not-a-form',
      'ungated-answer',
      'missing-run',
      'second-tool-terminal',
      'unlinked-terminal',
      'unlinked-attention',
      'forgotten',
    ]);
  });

  it('reaches no built-in of Node and evaluates nothing', async () => {
    const { text } = await bundle(`export * from '../src/index.js';`);
    expect(text).not.toMatch(/node:|\brequire\(|\beval\(|new Function|\bprocess\.|\bBuffer\b/);
  });

  it('lets a bundler leave out what is not used', async () => {
    const gate = await bundle(`export { gate } from '../src/index.js';`);
    const validate = await bundle(`export { validatePayload } from '../src/index.js';`);
    expect(gate.text).not.toContain('is required');
    expect(gate.text).not.toContain('ISO 4217');
    expect(gate.bytes).toBeLessThan(8_000);
    expect(validate.text).not.toContain('is no type that AEP');
    expect(validate.bytes).toBeLessThan(36_000);
  });
});
