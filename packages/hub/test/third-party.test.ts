import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo, Server } from 'node:net';
import { fileURLToPath } from 'node:url';

import { Access, type TokenEntry } from '@aepkit/access';
import { Hub, memoryLog } from '@aepkit/hub';
import { ReplayBuffer } from '@aepkit/replay-buffer';
import { buildSession, type RawClient, rawClient } from '@aepkit/testkit';
import { afterEach, describe, expect, it } from 'vitest';

import { lineBinding } from './third-party/line-binding.js';

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const source = readFileSync(path('./third-party/line-binding.ts'), 'utf8');

let server: Server | undefined;
let hub: Hub;
const clients: RawClient[] = [];

async function start(tokens: readonly TokenEntry[] = []): Promise<() => Promise<RawClient>> {
  hub = new Hub({ log: memoryLog(new ReplayBuffer({})), id: 'lines' });
  const listening = lineBinding(hub, new Access({ host: '127.0.0.1', tokens }));
  server = listening;
  listening.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  return async () => {
    const client = await rawClient((listening.address() as AddressInfo).port);
    clients.push(client);
    return client;
  };
}

afterEach(async () => {
  if (server === undefined) return;
  await hub.close();
  for (const client of clients.splice(0)) client.destroy();
  server.close();
  server = undefined;
});

describe('the binding that CONTRIBUTING shows', () => {
  it('is the file that runs here, in under 100 lines, on hub, access and envelope alone', () => {
    expect(readFileSync(path('../../../CONTRIBUTING.md'), 'utf8')).toContain(source.trim());
    expect(source.trim().split('\n').length).toBeLessThan(100);
    expect([...source.matchAll(/from '(@aepkit\/[^']+)'/g)].map((match) => match[1])).toEqual(['@aepkit/access', '@aepkit/envelope', '@aepkit/hub']);
  });

  it('takes Events and gives those that a filter matches, bytes unchanged', async () => {
    const connect = await start();
    const consumer = await connect();
    consumer.write('\n?{"session":"wanted"}\n');
    const emitter = await connect();
    const [other, first, second] = [...buildSession(1, { session: 'other' }), ...buildSession(2, { session: 'wanted', subject: 'é 👩' })].map(({ json }) => json);
    // The subscription has to be there first: the server handles lines of one socket in order, and tells a second one so.
    consumer.write('?{"session":"wanted"}\n');
    await consumer.until(/# invalid-filter /);
    emitter.write(`\n${other}\n${first}\n${second}\n`);
    const match = await consumer.until(/\{"aep"[^]*\n\{"aep".*\n/);
    expect(Buffer.from(match[0], 'latin1').toString('utf8')).toBe(`${first}\n${second}\n`);
  });

  it('refuses a bad line by code and goes on', async () => {
    const connect = await start();
    const client = await connect();
    client.write('\n{"aep":"0.1","aep":"0.1"}\n?{"seq":1}\n');
    await client.until(/# duplicate-member .*\n# invalid-filter .*\n/);
    client.write(`${buildSession(1)[0]!.json}\n?{}\n`);
    client.write('?{}\n');
    await client.until(/# invalid-filter .*\n# invalid-filter /);
    expect(hub.stats().admitted).toBe(1);
  });

  it('lets nobody in without the token, and ends a line that does not end', async () => {
    const token = 'a-token-that-is-long-enough-0123456789';
    const connect = await start([{ name: 't', token, scopes: ['emit', 'observe'] }]);
    const stranger = await connect();
    stranger.write('wrong\n?{}\n');
    expect(await stranger.closed()).toMatch(/^# refused /);
    const known = await connect();
    known.write(`${token}\n${'x'.repeat(1_048_577)}`);
    expect(await known.closed()).toMatch(/^# refused .*1048576 bytes/);
  });
});
