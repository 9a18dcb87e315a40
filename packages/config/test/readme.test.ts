import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

import * as api from '../src/index.js';
import { settle } from './example.js';

const read = (path: string): string => readFileSync(fileURLToPath(new URL(path, import.meta.url)), 'utf8');

describe('README', () => {
  it('starts with the program that runs here', () => {
    const body = read('./example.ts').replace("'../src/index.js'", "'@aepkit/config'").trim();
    expect(read('../README.md')).toContain(body);
    expect(settle({ APP_PORT: '80' }).values.port).toBe(80);
  });

  it('documents every error code', () => {
    const codes: Record<api.ConfigErrorCode, true> = {
      'invalid-file': true,
      'unknown-key': true,
      'invalid-value': true,
    };
    for (const code of Object.keys(codes)) expect(read('../README.md')).toContain(`\`${code}\``);
  });
});

it('exports what it says', () => {
  expect(Object.keys(api).sort()).toEqual(['ConfigError', 'describeSettings', 'flagUsage', 'referencePage', 'resolveSettings']);
});
