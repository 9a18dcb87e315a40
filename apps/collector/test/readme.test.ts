import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { tempDir } from '@aepkit/testkit';
import { describe, expect, it, vi } from 'vitest';

import type { Setting } from '@aepkit/config';
import type { EndpointErrorCode } from '@aepkit/endpoint';

import * as api from '../src/index.js';

const read = (name: string): string => readFileSync(fileURLToPath(new URL(name, import.meta.url)), 'utf8');
const readme = read('../README.md');

describe('README', () => {
  it('starts with the program that runs here', async () => {
    expect(readme).toContain(read('./example.ts').replace("'../src/index.js'", "'@aepkit/collector'").trim());
    await using dir = await tempDir();
    const before = process.cwd();
    const log = vi.spyOn(console, 'log').mockReturnValue();
    process.chdir(dir.path);
    try {
      await import('./example.js');
      expect(log.mock.calls).toEqual([[expect.stringMatching(/^listening on http:\/\/127\.0\.0\.1:\d+$/)]]);
    } finally {
      process.chdir(before);
      log.mockRestore();
    }
  });

  it('names every setting and every error code, and stays short', () => {
    const codes: Record<Exclude<EndpointErrorCode, 'upstream-unusable'>, true> = {
      'config-unreadable': true,
      'token-file-unusable': true,
      'tls-unusable': true,
      'data-unusable': true,
      'address-unusable': true,
      'owner-token-unusable': true,
    };
    for (const code of Object.keys(codes)) expect(readme).toContain(`\`${code}\``);
    for (const key of Object.keys(api.collectorSettings)) if (key !== 'token') expect(readme, key).toContain(`\`${key}\``);
    expect(readme.length).toBeLessThan(8192);
  });

  it('states the defaults that are in force', () => {
    const mib = (bytes: number): string => `${bytes / 1_048_576} MiB`;
    const at = (key: keyof typeof api.collectorSettings): number => (api.collectorSettings[key] as Setting & { default: number }).default;
    for (const text of [String(at('port')), String(at('buffer')), mib(at('max-event-bytes')), mib(at('max-body-bytes')), `${at('max-batch')} Events`, `${at('max-connections')}, ${mib(at('queue-bytes'))}`, `${at('heartbeat-ms')}, ${at('shutdown-ms')}`]) {
      expect(readme).toContain(text);
    }
  });
});

it('exports what it says', () => {
  expect(Object.keys(api).sort()).toMatchInlineSnapshot(`
    [
      "DEFAULT_SESSIONS_PAGE",
      "MAX_SESSIONS_PAGE",
      "collectorApp",
      "collectorSettings",
      "defaultDataFolder",
      "defaultValues",
      "loadSettings",
      "ownerTokenFile",
      "runCollector",
      "startCollector",
    ]
  `);
});
