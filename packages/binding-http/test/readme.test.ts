import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';

import { Hub, memoryLog } from '@aepkit/hub';
import { ReplayBuffer } from '@aepkit/replay-buffer';
import { buildEvent } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { report } from './example-client.js';
import { listen } from './example-server.js';

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');
const readme = read('../README.md');

describe('README', () => {
  it('starts with two programs of at most ten lines that run here', async () => {
    for (const name of ['server', 'client']) {
      const program = read(`./example-${name}.ts`).replace(/'\.\.\/src\/(\w+)\.js'/, "'@aepkit/binding-http/$1'").trim();
      expect(readme).toContain(program);
      expect(program.split('\n').length).toBeLessThanOrEqual(10);
    }
    const hub = new Hub({ id: 'here', log: memoryLog(new ReplayBuffer({ perSession: 10, sessions: 10, bytes: 1_000_000 })) });
    const server = listen(hub, 0);
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    expect(await report(`http://127.0.0.1:${String(port)}`, [buildEvent(), buildEvent()])).toEqual({ accepted: 2, requests: 1 });
    const closed = new Promise((resolve) => server.close(resolve));
    if ('closeAllConnections' in server) server.closeAllConnections();
    await closed;
    await hub.close();
  });

  it('names every option, error and code, and stays short', () => {
    const options = [...`${read('../src/options.ts')}${read('../src/emitter-options.ts')}`.matchAll(/export const (DEFAULT_\w+)/g)].map(([, name]) => name ?? '');
    const camel = (name: string): string =>
      name
        .slice('DEFAULT_'.length)
        .toLowerCase()
        .replace(/_(.)/g, (_match, letter: string) => letter.toUpperCase());
    expect(options.length).toBeGreaterThan(14);
    for (const name of options) expect(readme).toContain(`\`${camel(name)}\``);
    const codes = [...read('../src/errors.ts').matchAll(/^ {2}\| '([a-z-]+)'/gm)].map(([, code]) => code ?? '');
    expect(codes).toHaveLength(13);
    for (const code of codes) expect(readme).toContain(`\`${code}\``);
    for (const [, error] of read('../src/error-table.ts').matchAll(/error: '([a-z-]+)'/g)) {
      if (error !== 'invalid-filter') expect(readme).toContain(`\`${String(error)}\``);
    }
    expect(Buffer.byteLength(readme)).toBeLessThanOrEqual(8_192);
  });
});
