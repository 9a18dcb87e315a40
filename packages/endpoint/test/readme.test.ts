import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { describe, expect, it, vi } from 'vitest';

import { type EndpointErrorCode, MAX_CHAIN, MAX_HEAD_BYTES } from '../src/index.js';

const read = (name: string): string => readFileSync(fileURLToPath(new URL(name, import.meta.url)), 'utf8');
const readme = read('../README.md');

describe('README', () => {
  it('starts with the program that runs here', async () => {
    expect(readme).toContain(read('./example.ts').replace("'../src/index.js'", "'@aepkit/endpoint'").trim());
    const log = vi.spyOn(console, 'log').mockReturnValue();
    try {
      await import('./example.js');
      expect(log.mock.calls).toEqual([[200]]);
    } finally {
      log.mockRestore();
    }
  });

  it('names every error code and limit, and stays short', () => {
    const codes: Record<EndpointErrorCode, true> = {
      'config-unreadable': true,
      'token-file-unusable': true,
      'tls-unusable': true,
      'data-unusable': true,
      'address-unusable': true,
      'owner-token-unusable': true,
      'upstream-unusable': true,
    };
    for (const code of Object.keys(codes)) expect(readme).toContain(`\`${code}\``);
    for (const limit of [MAX_CHAIN, MAX_HEAD_BYTES]) expect(readme).toContain(limit.toLocaleString('en-US'));
    expect(readme.length).toBeLessThan(8192);
  });
});
