import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { buildWire } from '@aepkit/testkit';
import { describe, expect, it, vi } from 'vitest';

import type { SseConsumerErrorCode } from '../src/client.js';
import type { SseRefusalError } from '../src/server.js';
import { follow } from './example-client.js';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');
const readme = read('../README.md');
const program = (path: string): string => read(path).replace(/'\.\.\/src\/(server|client)\.js'/, "'@aepkit/binding-sse/$1'");

describe('README', () => {
  it('shows two programs that are compiled and work with each other', async () => {
    for (const path of ['./example-server.ts', './example-client.ts']) expect(readme).toContain(`\`\`\`ts\n${program(path)}\`\`\``);
    vi.stubEnv('PORT', '0');
    const { hub, server } = await import('./example-server.js');
    vi.unstubAllEnvs();
    if (!server.listening) await once(server, 'listening');
    const events = [buildWire({ severity: 'warning', seq: 0 }), buildWire({ severity: 'info', seq: 1 }), buildWire({ severity: 'notice', seq: 2 })];
    await hub.ingest(events, { principal: { name: 'test', scopes: new Set(['emit'] as const), authenticated: false }, via: 'post' });
    const lines: string[] = [];
    await follow(`http://127.0.0.1:${(server.address() as AddressInfo).port}/stream`, (line) => lines.push(line));
    expect(lines).toEqual([events[0]!.json, events[2]!.json]);
    await hub.close();
    (server as Server).closeAllConnections();
    server.close();
  });

  it('documents every error code', () => {
    const refusals: Record<SseRefusalError, true> = {
      'invalid-filter': true,
      'limit-exceeded': true,
      unauthorized: true,
      'not-acceptable': true,
      'method-not-allowed': true,
      unavailable: true,
      'internal-error': true,
    };
    const errors: Record<SseConsumerErrorCode, true> = { 'already-running': true, 'store-failed': true };
    for (const code of Object.keys({ ...refusals, ...errors })) expect(readme).toContain(`\`${code}\``);
  });

  it('fits into 8 KB', () => {
    expect(Buffer.byteLength(readme)).toBeLessThanOrEqual(8192);
  });
});
