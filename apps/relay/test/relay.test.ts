import { mkdir, readdir, stat } from 'node:fs/promises';

import { connectSocket } from '@aepkit/binding-ws/client';
import { readOwnerToken } from '@aepkit/endpoint/owner-token';
import { buildSession, buildWire, tempDir, turn } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { relaySettings, runRelay, startRelay } from '../src/index.js';
import { launchRelay, post, seqs, stream } from './support.js';

const socketOf = (url: string): string => `${url.replace('http', 'ws')}/socket`;
const cancel = (id: string, session = 's1') => buildWire({ type: 'control.cancel', seq: undefined, session, source: 'aep://test/ops', agent: 'ops', id, data: { reason: 'x' } });

describe('a relay', () => {
  it('takes Events by POST and WebSocket, and serves them by SSE and WebSocket, as it got them [B-049, B-051]', async () => {
    const relay = await startRelay({ port: 0 });
    const events = buildSession(4);
    expect(await post(relay.url, events.slice(0, 2))).toBe(202);
    const emitter = connectSocket({ url: socketOf(relay.url), role: 'emitter', identity: { agent: 'a1' } });
    await emitter.send(events.slice(2));
    expect(await (await stream(relay.url, { from: 'all' })).until((all) => all.length === 4)).toEqual(events.map(({ json }) => json));
    const consumer = connectSocket({ url: socketOf(relay.url) });
    const got: string[] = [];
    for await (const item of consumer.subscribe({ from: 'all' })) {
      if (item.type === 'event' && got.push(item.event.json) === 4) break;
    }
    expect(got).toEqual(events.map(({ json }) => json));
    expect(await (await fetch(`${relay.url}/events`)).json()).toMatchObject({ role: 'relay', endpoints: { events: '/events', stream: '/stream', socket: '/socket' } });
    expect((await fetch(`${relay.url}/healthz`)).status).toBe(200);
    await Promise.all([emitter.close(), consumer.close()]);
    await relay.close();
  });

  it('holds as many Events of a session as it says, and marks what is gone [B-097, B-099]', async () => {
    const relay = await startRelay({ port: 0, buffer: 3 });
    await post(relay.url, buildSession(9));
    const { capabilities } = (await (await fetch(`${relay.url}/events`)).json()) as { capabilities: { replay: unknown } };
    expect(capabilities.replay).toEqual({ buffer: 3, all: true });
    const back = await stream(relay.url, { from: JSON.stringify([{ session: 's1', epoch: 0, seq: 2 }]) });
    expect(seqs(await back.until((all) => all.length === 4))).toEqual([': replay-exhausted s1 0:6', 6, 7, 8]);
    await relay.close();
  });

  it('routes no command and announces none where nobody can authenticate [C-026, B-212]', async () => {
    const relay = await startRelay({ port: 0 });
    const { capabilities } = (await (await fetch(`${relay.url}/events`)).json()) as { capabilities: object };
    expect(capabilities).not.toHaveProperty('control');
    const handed: string[] = [];
    const target = connectSocket({ url: socketOf(relay.url), role: 'both', identity: { agent: 'a1' }, capabilities: { control: { accepts: ['control.cancel'] } }, onCommand: ({ event }) => void handed.push(event.id) });
    await target.send(buildSession(1));
    const refused: string[] = [];
    const sender = connectSocket({ url: socketOf(relay.url), onRefused: ({ code, cause }) => void refused.push(`${code} ${cause}`) });
    await sender.command(cancel('c1'));
    await sender.subscribe().opened;
    await target.send(buildSession(1, { first: 1 }));
    expect([handed, refused, relay.stats().admitted]).toEqual([[], ['unauthorized c1'], 2]);
    await Promise.all([target.close(), sender.close()]);
    await relay.close();
  });

  it('routes those of its owner, where it is told where to leave the token [C-035, C-037, C-043, C-044]', async () => {
    await using dir = await tempDir();
    const file = dir.file('owner');
    const relay = await startRelay({ port: 0, 'owner-token': file });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const { token = '' } = (await readOwnerToken(file, { url: relay.url })) ?? {};
    const { capabilities } = (await (await fetch(`${relay.url}/events`)).json()) as { capabilities: object };
    expect(capabilities).toMatchObject({ control: { accepts: [] }, roster: {} });
    const handed: string[] = [];
    const target = connectSocket({ url: socketOf(relay.url), token, role: 'both', identity: { agent: 'a1', instance: 'i1' }, capabilities: { control: { accepts: ['control.cancel'] } }, onCommand: ({ json }) => void handed.push(json) });
    await target.send(buildSession(1));
    const refused: string[] = [];
    const sender = connectSocket({ url: socketOf(relay.url), token, onRefused: ({ code, cause }) => void refused.push(`${code} ${cause}`) });
    expect(await sender.roster()).toEqual([{ session: 's1', agent: 'a1', instance: 'i1', control: { accepts: ['control.cancel'] } }]);
    await sender.command(cancel('c1'));
    await sender.command(cancel('c2', 'unknown'));
    await sender.subscribe().opened;
    await target.send(buildSession(1, { first: 1 }));
    expect([handed, refused]).toEqual([[cancel('c1').json], ['no-route c2']]);
    expect((await (await stream(relay.url, { from: 'all' })).until((all) => all.length === 3)).filter((line) => line.includes('control.cancel'))).toEqual([cancel('c1').json]);
    await Promise.all([target.close(), sender.close()]);
    await relay.close();
    expect(await readdir(dir.path)).toEqual([]);
  });

  it('hands a command to nobody where two claim its session, and to the one that is left [C-040, C-046, E-125]', async () => {
    await using dir = await tempDir();
    const relay = await startRelay({ port: 0, 'owner-token': dir.file('owner') });
    const { token = '' } = (await readOwnerToken(dir.file('owner'))) ?? {};
    const handed: string[] = [];
    const target = (name: string) =>
      connectSocket({ url: socketOf(relay.url), token, role: 'both', identity: { agent: 'a1', instance: name }, capabilities: { control: { accepts: ['control.cancel'] } }, onCommand: ({ event }) => void handed.push(`${name} ${event.id}`) });
    const [one, two] = [target('one'), target('two')];
    await one.send(buildSession(1));
    await two.send(buildSession(1, { first: 1 }));
    const refused: string[] = [];
    const sender = connectSocket({ url: socketOf(relay.url), token, onRefused: ({ code, cause }) => void refused.push(`${code} ${cause}`) });
    await sender.command(cancel('c1'));
    await sender.subscribe().opened;
    expect([handed, refused]).toEqual([[], ['ambiguous c1']]);
    await two.close();
    // The claim is gone when the roster says so.
    while ((await sender.roster()).length > 1) await turn();
    await sender.command(cancel('c1'));
    await one.send(buildSession(1, { first: 2 }));
    expect([handed, refused]).toEqual([['one c1'], ['ambiguous c1']]);
    await Promise.all([one.close(), sender.close()]);
    await relay.close();
  });

  it('does not start where it cannot leave the token', async () => {
    await using dir = await tempDir();
    await mkdir(dir.file('owner'));
    await expect(startRelay({ port: 0, 'owner-token': dir.file('owner') })).rejects.toMatchObject({ code: 'owner-token-unusable' });
  });

  it.each(['0.0.0.0', '::'])('does not listen on %s without a token [B-172]', async (host) => {
    await using dir = await tempDir();
    await expect(startRelay({ host, port: 0, 'owner-token': dir.file('owner') })).rejects.toMatchObject({ name: 'AccessConfigError', code: 'token-required' });
    expect(await readdir(dir.path)).toEqual([]);
  });
});

describe('the program', () => {
  it('tells streams and sockets, ends with 0 at a signal, and touches no disk', async () => {
    await using dir = await tempDir();
    const before = process.cwd();
    process.chdir(dir.path);
    let relay: Awaited<ReturnType<typeof launchRelay>>;
    try {
      relay = await launchRelay();
    } finally {
      process.chdir(before);
    }
    await post(relay.url, buildSession(3));
    const lines = await stream(relay.url, { from: 'all' });
    await lines.until((all) => all.length === 3);
    const closed = Promise.withResolvers<string | undefined>();
    const client = connectSocket({
      url: socketOf(relay.url),
      onStatus: (status) => {
        if (status.type === 'closed') closed.resolve(status.detail);
      },
    });
    await client.subscribe().opened;
    const exit = await relay.process.stop('SIGTERM');
    expect(exit.code).toBe(0);
    await expect(lines.until(() => false)).rejects.toThrow(/the stream ended/);
    expect(await closed.promise).toBe('shutdown');
    await client.close();
    expect(await readdir(dir.path)).toEqual([]);
  });

  it('refuses settings that it does not know, and says which was meant', async () => {
    await expect(runRelay({ flags: { upsteam: 'http://127.0.0.1:1' }, env: {} })).rejects.toMatchObject({ code: 'unknown-key', suggestion: 'upstream' });
    await expect(runRelay({ flags: { upstream: 'http://elsewhere.example' }, env: {} })).rejects.toMatchObject({ code: 'upstream-unusable' });
    expect(Object.keys(relaySettings)).not.toContain('data');
  });
});
