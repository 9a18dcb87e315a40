import { mkdir, readdir, stat } from 'node:fs/promises';

import { connectSocket } from '@aepkit/binding-ws/client';
import { readOwnerToken } from '@aepkit/endpoint/owner-token';
import { buildSession, buildWire, tempDir } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { ownerTokenFile, startCollector } from '../src/index.js';
import { launchCollector, post, readReplay } from './support.js';

describe('a collector without configured tokens', () => {
  it('lets its owner control, and nobody else, and everybody on this machine what they could before [C-026, B-212]', async () => {
    await using dir = await tempDir();
    const collector = await startCollector({ port: 0, data: dir.path, spool: 'off' });
    const owner = await readOwnerToken(ownerTokenFile(dir.path), { url: collector.url });
    expect((await stat(ownerTokenFile(dir.path))).mode & 0o777).toBe(0o600);
    expect(await post(collector.url, `${buildWire().json}\n`).then(({ status }) => status)).toBe(202);
    expect(await post(collector.url, `${buildWire().json}\n`, { authorization: 'Bearer a-wrong-token-0123456789' }).then(({ status }) => status)).toBe(401);
    const url = `${collector.url.replace('http', 'ws')}/socket`;
    const capabilities = { control: { accepts: ['control.cancel'] } };
    const handed: string[] = [];
    const target = connectSocket({ url, token: owner?.token ?? '', role: 'both', identity: { agent: 'a1' }, capabilities, onCommand: ({ event }) => void handed.push(event.id) });
    await target.send(buildSession(1, { session: 'run' }));
    const command = (id: string) => buildWire({ type: 'control.cancel', seq: undefined, session: 'run', source: 'aep://test/ops', agent: 'ops', id, data: { reason: 'x' } });
    const refused: string[] = [];
    const stranger = connectSocket({ url, onRefused: ({ code }) => void refused.push(code) });
    await stranger.command(command('c1'));
    await stranger.subscribe().opened;
    expect(refused).toEqual(['unauthorized']);
    const mine = connectSocket({ url, token: owner?.token ?? '' });
    await mine.command(command('c2'));
    await target.send(buildSession(1, { session: 'run', first: 1 }));
    expect(handed).toEqual(['c2']);
    expect((await readReplay(collector.url)).data.filter((line) => line.includes('control.cancel'))).toEqual([command('c2').json]);
    await Promise.all([target, stranger, mine].map((client) => client.close()));
    await collector.close();
    expect(await readdir(dir.path)).not.toContain('owner-token');
  });

  it('has another token after a restart, also behind a kill, and leaves no other behind', async () => {
    await using dir = await tempDir();
    const first = await launchCollector({ data: dir.path, spool: 'off' });
    const old = await readOwnerToken(ownerTokenFile(dir.path));
    await first.process.stop('SIGKILL');
    expect(await readOwnerToken(ownerTokenFile(dir.path))).toBeUndefined();
    const second = await launchCollector({ data: dir.path, spool: 'off' });
    const fresh = await readOwnerToken(ownerTokenFile(dir.path), { url: second.url });
    expect(fresh?.token).not.toBe(old?.token);
    const at = async (token = ''): Promise<number> => (await fetch(`${second.url}/sessions`, { headers: { authorization: `Bearer ${token}` } })).status;
    expect([await at(old?.token), await at(fresh?.token)]).toEqual([401, 200]);
    await second.process.stop();
    expect(await readdir(dir.path)).not.toContain('owner-token');
  });

  it('writes none where tokens are configured', async () => {
    await using dir = await tempDir();
    const collector = await startCollector({ port: 0, data: dir.path, spool: 'off', token: 'a-configured-token-0123456789' });
    expect(await readdir(dir.path)).not.toContain('owner-token');
    await collector.close();
  });

  it('does not start where it cannot write it, and leaves the port and the folder free', async () => {
    await using dir = await tempDir();
    await mkdir(ownerTokenFile(dir.path));
    await expect(startCollector({ port: 0, data: dir.path, spool: 'off' })).rejects.toMatchObject({ code: 'owner-token-unusable', message: expect.stringContaining(dir.path) as string });
    const collector = await startCollector({ port: 0, data: dir.path, spool: 'off', token: 'a-configured-token-0123456789' });
    await collector.close();
  });
});

it('announces where commands go, in the same words in both places [B-050, B-077]', async () => {
  await using dir = await tempDir();
  const collector = await startCollector({ port: 0, data: dir.path, spool: 'off' });
  const discovered = (await (await fetch(`${collector.url}/events`)).json()) as { endpoints: object; capabilities: object };
  expect(discovered.endpoints).toMatchObject({ socket: '/socket' });
  expect(discovered.capabilities).toMatchObject({ control: { accepts: [] }, roster: {} });
  const client = connectSocket({ url: `${collector.url.replace('http', 'ws')}/socket` });
  await client.subscribe().opened;
  expect(client.endpoint?.capabilities).toEqual(discovered.capabilities);
  await client.close();
  await collector.close();
});
