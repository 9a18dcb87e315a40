import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { dirname, join } from 'node:path';

import { connectSocket, type SocketClient } from '@aepkit/binding-ws/client';
import { createSender, type Sender } from '@aepkit/control';
import { ownerTokenFile } from '@aepkit/collector/data-folder';
import { holdKeyFile, holdProof } from '@aepkit/collector/hold-proof';
import { createOwnerToken, readOwnerToken, writeOwnerToken } from '@aepkit/endpoint/owner-token';
import type { AepEvent } from '@aepkit/envelope';
import { checkEmission, StreamValidator, validatePayload } from '@aepkit/taxonomy';
import { type Launched, launchNode, type TempDir, tempDir } from '@aepkit/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type Aep, aepIn, cleanEnv, startCollector } from './support.js';

const CALL = { prompt_id: 'p', tool_name: 'Bash', tool_input: { command: 'rm -rf build' } };
const asks = (session_id: string): object => ({ ...CALL, session_id, turn_id: 'p', hook_event_name: 'PermissionRequest' });
const requests = (session_id: string): object => ({ ...CALL, session_id, hook_event_name: 'PreToolUse', tool_use_id: 't1' });

/** A desk of the owner: sees every Event, answers requests. */
interface Desk extends AsyncDisposable {
  readonly sender: Sender;
  readonly client: SocketClient;
  readonly events: AepEvent[];
  /** The first Event that fits, of the past or the future. */
  event(fits: (event: AepEvent) => boolean): Promise<AepEvent>;
  answer(request: AepEvent, answer: Readonly<Record<string, string>>): Promise<unknown>;
}

async function deskOf(data: string, url: string): Promise<Desk> {
  const owner = await readOwnerToken(ownerTokenFile(data));
  if (owner === undefined) throw new Error('no owner token');
  const client = connectSocket({ url: `${url.replace('http', 'ws')}/socket`, token: owner.token, role: 'both', identity: { agent: 'desk' } });
  const sender = createSender({ source: 'aep://test/agent/desk', agent: 'desk' });
  const events: AepEvent[] = [];
  const waiting = new Set<() => void>();
  const subscription = client.subscribe({ from: 'all' });
  const over = (async () => {
    for await (const item of subscription) {
      if (item.type !== 'event') continue;
      sender.observe(item.event.event);
      events.push(item.event.event);
      for (const look of [...waiting]) look();
    }
  })();
  await subscription.opened;
  return {
    sender,
    client,
    events,
    event: (fits) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = events.find(fits);
          if (found === undefined) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
    async answer(request, answer) {
      const { wire, outcome, id } = sender.respond(request, answer);
      const receipt = await client.command(wire);
      if (receipt.type === 'refused') sender.refused({ cause: id, code: receipt.code });
      return await outcome;
    },
    async [Symbol.asyncDispose]() {
      await client.close();
      await over;
    },
  };
}

interface Bench extends AsyncDisposable {
  readonly aep: Aep;
  readonly home: TempDir;
  readonly collector: { readonly url: string; readonly process: Launched };
  readonly desk: Desk;
  /** Starts the shim of a call. */
  hook(agent: string, payload: object, args?: readonly string[], env?: Readonly<Record<string, string>>): Launched;
}

/** @param args settings of the collector. With none it holds what a hook asks for */
async function bench(args: readonly string[] = []): Promise<Bench> {
  const home = await tempDir();
  const aep = aepIn(home.path);
  const collector = await startCollector(aep, ['--data', home.file('data'), ...args]);
  const desk = await deskOf(home.file('data'), collector.url);
  return {
    aep,
    home,
    collector,
    desk,
    hook: (agent, payload, args = ['--hold', '60'], more = {}) =>
      launchNode(new URL('../bin/aep.js', import.meta.url).pathname, {
        args: ['hook', agent, ...args],
        input: JSON.stringify(payload),
        env: cleanEnv(home.path, { AEP_URL: collector.url, AEP_HOOK_TIMEOUT_MS: '20000', ...more }),
      }),
    async [Symbol.asyncDispose]() {
      await desk[Symbol.asyncDispose]();
      await collector.process.stop();
      await home[Symbol.asyncDispose]();
    },
  };
}

/** The requests of one session. */
const requestOf = (desk: Desk, session: string): Promise<AepEvent> => desk.event((event) => event.type === 'attention.requested' && event.session === session);
const of = (desk: Desk, session: string): AepEvent[] => desk.events.filter((event) => event.session === session);

const reply = (behavior: string, message?: string) => ({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior, ...(message === undefined ? {} : { message }) } } });
const mine = (events: readonly AepEvent[]) => events.filter(({ type }) => /^(attention|control)\./.test(type));

describe('a held permission request', { timeout: 60_000 }, () => {
  let shared: Bench;
  beforeAll(async () => {
    shared = await bench(['--hold', 'codex=2']);
  });
  afterAll(() => shared[Symbol.asyncDispose]());

  it.each(['claude-code', 'codex'])('of %s is answered through control, and the agent is told [C-007, C-017, C-044, C-051, C-058, C-060, C-061]', async (agent) => {
    const { desk, hook } = shared;
    const held = hook(agent, asks(agent));
    const request = await requestOf(desk, agent);
    expect(request).toMatchObject({ severity: 'notice', data: { kind: 'permission', options: [{ id: 'allow' }, { id: 'deny' }], respond_via: ['control'] } });
    expect(await desk.client.roster()).toContainEqual(expect.objectContaining({ session: agent, agent, control: { accepts: ['control.attention.respond'], ack_window_ms: 10_000 } }));
    expect(await desk.answer(request, { option: 'always' })).toMatchObject({ type: 'rejected', reason: 'invalid' });
    expect(await desk.answer(request, { option: 'allow' })).toMatchObject({ type: 'accepted' });
    const { code, stdout, stderr } = await held.exit;
    expect([code, JSON.parse(stdout), stderr]).toEqual([0, reply('allow'), '']);
    await desk.event(({ type, session }) => type === 'attention.resolved' && session === agent);
    const [, , , command, ack, answered, resolved] = of(desk, agent);
    expect(mine(of(desk, agent)).map(({ type }) => type)).toEqual([
      'attention.requested',
      'control.attention.respond',
      'control.rejected',
      'control.attention.respond',
      'control.accepted',
      'attention.answered',
      'attention.resolved',
    ]);
    expect(ack).toMatchObject({ cause: command?.id, agent, source: request.source });
    expect(answered).toMatchObject({ subject: request.id, cause: command?.id, data: { answer: { option: 'allow' }, by: 'desk', via: 'control' } });
    expect(resolved).toMatchObject({ subject: request.id, cause: answered?.id, data: { resolution: 'answered' } });
    const seqs = of(desk, agent).flatMap(({ seq }) => (seq === undefined ? [] : [seq]));
    expect(seqs).toEqual(seqs.map((_, at) => at));
    const validator = new StreamValidator();
    expect(of(desk, agent).flatMap((event) => [...validatePayload(event), ...checkEmission(event), ...validator.push(event)]).filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  it('of an agent with ceilings of its own is read at once, and answered all the same', async () => {
    const { desk, hook } = shared;
    const held = hook('claude-code', asks('here'), ['--hold=60'], { AEP_CAPTURE: 'metadata' });
    const request = await requestOf(desk, 'here');
    expect([request.capture, JSON.stringify(request).includes('rm -rf')]).toEqual(['metadata', false]);
    expect(await desk.answer(request, { text: 'not on a Friday' })).toMatchObject({ type: 'accepted' });
    const { code, stdout } = await held.exit;
    expect([code, JSON.parse(stdout)]).toEqual([0, reply('deny', 'not on a Friday')]);
  });

  it('expires: the request times out, the hook prints nothing, and the agent asks by itself', async () => {
    const { desk, hook } = shared;
    const { code, stdout, stderr } = await hook('codex', asks('late')).exit;
    expect([code, stdout, stderr]).toEqual([0, '', '']);
    const request = await requestOf(desk, 'late');
    expect(await desk.event(({ type, session }) => type === 'attention.timeout' && session === 'late')).toMatchObject({ subject: request.id, cause: request.id });
  });

  it('ends when the hook is killed: an answer is refused then', async () => {
    const { desk, hook } = shared;
    const held = hook('claude-code', asks('killed'));
    const request = await requestOf(desk, 'killed');
    await held.stop('SIGKILL');
    let outcome: unknown;
    // The collector learns it from the socket, a moment later; until then an option that was not offered is invalid.
    do outcome = await desk.answer(request, { option: 'none' });
    while ((outcome as { reason?: string }).reason === 'invalid');
    expect(outcome).toMatchObject({ type: 'rejected', reason: 'refused' });
  });

  it('needs authentication: without a token nothing flows, and the sender is told [C-026, C-036]', async () => {
    const { desk, hook, collector } = shared;
    const held = hook('claude-code', asks('auth'));
    const request = await requestOf(desk, 'auth');
    const stranger = connectSocket({ url: `${collector.url.replace('http', 'ws')}/socket`, role: 'both', identity: { agent: 'stranger' } });
    const { wire } = desk.sender.respond(request, { option: 'allow' });
    expect(await stranger.command(wire)).toMatchObject({ type: 'refused', code: 'unauthorized' });
    await stranger.close();
    expect(await desk.answer(request, { option: 'deny' })).toMatchObject({ type: 'accepted' });
    expect(JSON.parse((await held.exit).stdout)).toEqual(reply('deny'));
    expect(of(desk, 'auth').filter(({ type }) => type === 'control.attention.respond')).toHaveLength(1);
  });

  it.each([
    ['the hook does not ask for it', 'claude-code', asks('plain'), [], ['oob']],
    ['the call asks nothing', 'claude-code', requests('tool'), ['--hold', '60'], undefined],
  ])('is none where %s: the hook ends at once', async (_, agent, payload, args, respondVia) => {
    const { desk, hook } = shared;
    expect(await hook(agent, payload, args).exit).toMatchObject({ code: 0, stdout: '', stderr: '' });
    const { session_id } = payload as { session_id: string };
    const event = await desk.event(({ session, type }) => session === session_id && type.endsWith("requested"));
    expect(event.data?.respond_via).toEqual(respondVia);
  });
});

describe('a collector that ends', { timeout: 60_000 }, () => {
  it.each(['SIGTERM', 'SIGKILL'] as const)('by %s lets the hook go: nothing is printed, and the call is kept once', async (signal) => {
    await using it = await bench();
    const held = it.hook('claude-code', asks('s'));
    const request = await requestOf(it.desk, 's');
    await it.desk[Symbol.asyncDispose]();
    await it.collector.process.stop(signal);
    expect(await held.exit).toMatchObject({ code: 0, stdout: '', stderr: '' });
    if (signal === 'SIGTERM') return;
    const again = await startCollector(it.aep, ['--data', it.home.file('data')]);
    const tail = await it.aep.run(['tail', '--json', '--no-follow', '--url', again.url]);
    expect(tail.stdout.split('\n').filter((line) => line.includes('attention.requested'))).toEqual([expect.stringContaining(request.id)]);
    await again.process.stop();
  });
});

describe('somebody else on the port of the collector', { timeout: 60_000 }, () => {
  const key = createOwnerToken();
  const print = JSON.stringify(reply('allow'));
  const interim = 'HTTP/1.1 102 Processing\r\n\r\n';

  /** Answers a hook call like a collector that holds it. */
  async function impostor(said: (call: string) => string, { pieces = [interim], dropped = 0 }: { pieces?: string[]; dropped?: number } = {}): Promise<{ url: string; close: () => void }> {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', (chunk) => {
        const call = /idempotency-key: (\S+)/.exec(chunk.toString())?.[1] ?? '';
        for (const piece of pieces) socket.write(piece);
        const body = Buffer.from(said(call));
        socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${String(body.length)}\r\n\r\n`);
        socket.end(body.subarray(0, body.length - dropped));
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return { url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`, close: () => void server.close() };
  }

  async function heardFrom(server: () => Promise<{ url: string; close: () => void }>, withKey = true): Promise<string> {
    await using home = await tempDir();
    const { url, close } = await server();
    const spool = join(home.path, '.local/state/aepkit/spool/hooks', `local-${new URL(url).port}`);
    if (withKey) {
      await mkdir(dirname(holdKeyFile(spool)), { recursive: true });
      await writeOwnerToken(holdKeyFile(spool), { url, token: key, pid: process.pid });
    }
    const { code, stdout, stderr } = await aepIn(home.path).run(['hook', 'claude-code', '--hold', '60'], { input: JSON.stringify(asks('s')), env: { AEP_URL: url, AEP_HOOK_TIMEOUT_MS: '20000' } });
    close();
    expect([code, stderr]).toEqual([0, '']);
    return stdout;
  }
  const proven = (call: string): string => JSON.stringify({ accepted: 1, held: 'answered', print, proof: holdProof(key, call, print) });

  it('would be believed with the key of the collector', async () => {
    expect(await heardFrom(() => impostor(proven))).toBe(`${print}\n`);
  });

  it.each([
    ['proves nothing', () => impostor(() => JSON.stringify({ held: 'answered', print })), true],
    ['proves it with another key', () => impostor((call) => JSON.stringify({ held: 'answered', print, proof: holdProof(createOwnerToken(), call, print) })), true],
    ['repeats what was proven for another call', () => impostor(() => proven('01K00000000000000000000000')), true],
    ['answers a hook that has no key', () => impostor(proven), false],
    ['says no JSON', () => impostor(() => print), true],
    ['says too much', () => impostor(() => ' '.repeat(300_000)), true],
    ['breaks off', () => impostor(proven, { dropped: 1 }), true],
    ['ends behind the interim answer', () => impostor(() => '', { pieces: [interim, interim] }), true],
  ])('permits nothing when it %s', async (_, server, withKey) => {
    expect(await heardFrom(server, withKey)).toBe('');
  });
});
