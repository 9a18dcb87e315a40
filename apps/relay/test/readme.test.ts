import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import type { Setting } from '@aepkit/config';
import type { EndpointErrorCode } from '@aepkit/endpoint';
import { describe, expect, it, vi } from 'vitest';

import * as api from '../src/index.js';

const read = (name: string): string => readFileSync(fileURLToPath(new URL(name, import.meta.url)), 'utf8');
const readme = read('../README.md');

describe('README', () => {
  it('starts with the program that runs here', async () => {
    expect(readme).toContain(read('./example.ts').replace("'../src/index.js'", "'@aepkit/relay'").trim());
    const log = vi.spyOn(console, 'log').mockReturnValue();
    try {
      await import('./example.js');
      expect(log.mock.calls).toEqual([[expect.stringMatching(/^listening on http:\/\/127\.0\.0\.1:\d+$/)]]);
    } finally {
      log.mockRestore();
    }
  });

  it('names every setting and every error code, and stays short', () => {
    const codes: Record<Exclude<EndpointErrorCode, 'data-unusable'>, true> = {
      'config-unreadable': true,
      'token-file-unusable': true,
      'tls-unusable': true,
      'address-unusable': true,
      'owner-token-unusable': true,
      'upstream-unusable': true,
    };
    for (const code of Object.keys(codes)) expect(readme).toContain(`\`${code}\``);
    for (const key of Object.keys(api.relaySettings)) expect(readme, key).toContain(`\`${key}\``);
    expect(readme.length).toBeLessThan(8192);
  });

  it('states the defaults that are in force', () => {
    const mib = (bytes: number): string => `${bytes / 1_048_576} MiB`;
    const at = (key: keyof typeof api.relaySettings): number => (api.relaySettings[key] as Setting & { default: number }).default;
    for (const text of [`\`${at('port')}\``, `${at('buffer')} Events per session`, `| ${at('sessions')} |`, mib(at('buffer-bytes')), mib(at('max-event-bytes')), mib(at('max-body-bytes')), `${at('max-batch')} Events`, `${at('max-connections')}, ${mib(at('queue-bytes'))}`, `${at('heartbeat-ms')}, ${at('shutdown-ms')}`]) {
      expect(readme).toContain(text);
    }
    expect(readme).toContain(`at most ${api.DEFAULT_MAX_BACKOFF_MS / 1000} s later`);
  });
});

it('exports what it says', () => {
  expect(Object.keys(api).sort()).toEqual(['DEFAULT_MAX_BACKOFF_MS', 'DEFAULT_MAX_SESSIONS', 'DEFAULT_MIN_BACKOFF_MS', 'DEFAULT_RECHECK_MS', 'defaultValues', 'relaySettings', 'runRelay', 'startRelay']);
  expect([api.DEFAULT_MIN_BACKOFF_MS, api.DEFAULT_MAX_BACKOFF_MS, api.DEFAULT_RECHECK_MS, api.DEFAULT_MAX_SESSIONS]).toEqual([250, 15_000, 10_000, 10_000]);
});
