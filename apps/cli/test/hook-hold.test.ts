import { connectSocket, type SocketClient } from '@aepkit/binding-ws/client';
import { createSender, type Sender } from '@aepkit/control';
import { ownerTokenFile } from '@aepkit/collector/data-folder';
import { readOwnerToken } from '@aepkit/endpoint/owner-token';
import type { AepEvent } from '@aepkit/envelope';
import { checkEmission, StreamValidator, validatePayload } from '@aepkit/taxonomy';
import { type Launched, launchNode, type TempDir, tempDir } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { type Aep, aepIn, cleanEnv, startCollector } from './support.js';

const CALL = { session_id: 's', prompt_id: 'p', tool_name: 'Bash', tool_input: { command: 'rm -rf build' } };
const payloads = {
  claude: { ...CALL, hook_event_name: 'PermissionRequest' },
  prompt: { session_id: 's', prompt_id: 'p', hook_event_name: 'UserPromptSubmit', prompt: 'tidy up' },
  tool: { ...CALL, hook_event_name: 'PreToolUse', tool_use_id: 't1' },
  done: { ...CALL, hook_event_name: 'PostToolUse', tool_use_id: 't1', tool_response: 'done' },
  codex: { ...CALL, turn_id: 'p', hook_event_name: 'PermissionRequest', tool_input: { command: 'rm -rf build' } },
};

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
  /** The request of the call that is held. */
  request(): Promise<AepEvent>;
}

async function bench({ flags = [], hold = '60', env = {} }: { flags?: readonly string[]; hold?: string; env?: Readonly<Record<string, string>> } = {}): Promise<Bench> {
  const home = await tempDir();
  const aep = aepIn(home.path);
  const collector = await startCollector(aep, ['--data', home.file('data'), ...(hold === '' ? [] : ['--hold', hold]), ...flags]);
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
        env: cleanEnv(home.path, { AEP_URL: collector.url, AEP_HOOK_TIMEOUT_MS: '20000', ...env, ...more }),
      }),
    request: () => desk.event(({ type }) => type === 'attention.requested'),
    async [Symbol.asyncDispose]() {
      await desk[Symbol.asyncDispose]();
      await collector.process.stop();
      await home[Symbol.asyncDispose]();
    },
  };
}

const reply = (behavior: string, message?: string) => ({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior, ...(message === undefined ? {} : { message }) } } });
const mine = (events: readonly AepEvent[]) => events.filter(({ type }) => /^(attention|control)\./.test(type));

describe('a held permission request', { timeout: 60_000 }, () => {
  it.each([
    ['claude-code', 'claude'],
    ['codex', 'codex'],
  ] as const)('of %s is answered through control, and the agent is told [C-007, C-017, C-051, C-058, C-060, C-061]', async (agent, name) => {
    await using it = await bench();
    const hook = it.hook(agent, payloads[name]);
    const request = await it.request();
    expect(request).toMatchObject({ severity: 'notice', data: { kind: 'permission', options: [{ id: 'allow' }, { id: 'deny' }], respond_via: ['control'] } });
    expect(await it.desk.client.roster()).toEqual([expect.objectContaining({ session: 's', agent, control: { accepts: ['control.attention.respond'], ack_window_ms: 10_000 } })]);
    expect(await it.desk.answer(request, { option: 'allow' })).toMatchObject({ type: 'accepted' });
    const { code, stdout, stderr } = await hook.exit;
    expect([code, JSON.parse(stdout), stderr]).toEqual([0, reply('allow'), '']);
    const resolved = await it.desk.event(({ type }) => type === 'attention.resolved');
    const [, command, ack, answered] = mine(it.desk.events);
    expect(mine(it.desk.events).map(({ type }) => type)).toEqual(['attention.requested', 'control.attention.respond', 'control.accepted', 'attention.answered', 'attention.resolved']);
    expect(ack).toMatchObject({ cause: command?.id, session: 's', agent, source: request.source });
    expect(answered).toMatchObject({ subject: request.id, cause: command?.id, data: { answer: { option: 'allow' }, by: 'desk', via: 'control' } });
    expect(resolved).toMatchObject({ subject: request.id, cause: answered?.id, data: { resolution: 'answered' } });
    const seqs = it.desk.events.flatMap(({ seq }) => (seq === undefined ? [] : [seq]));
    expect(seqs).toEqual(seqs.map((_, at) => at));
    const validator = new StreamValidator();
    expect(it.desk.events.flatMap((event) => validator.push(event)).filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  it('draws the same ack again for a retry, and answers the agent once [C-019, C-020]', async () => {
    await using it = await bench();
    const acks: string[] = [];
    const watch = it.desk.client.subscribe({ filter: { type: 'control.accepted' }, redeliveries: true });
    const watching = (async () => {
      for await (const item of watch) {
        if (item.type !== 'event') continue;
        acks.push(item.event.json);
        if (acks.length === 2) break;
      }
    })();
    await watch.opened;
    const hook = it.hook('claude-code', payloads.claude);
    const { wire, outcome } = it.desk.sender.respond(await it.request(), { option: 'deny', text: 'not today' });
    await it.desk.client.command(wire);
    await outcome;
    expect(JSON.parse((await hook.exit).stdout)).toEqual(reply('deny', 'not today'));
    await it.desk.client.command(wire);
    await watching;
    expect(new Set(acks).size).toBe(1);
    expect(it.desk.events.filter(({ type }) => type === 'attention.answered')).toHaveLength(1);
  });

  it('takes a corrected answer after a wrong one, and no text for a permission [C-018, C-030]', async () => {
    await using it = await bench();
    const hook = it.hook('claude-code', payloads.claude);
    const request = await it.request();
    expect(await it.desk.answer(request, { option: 'always' })).toMatchObject({ type: 'rejected', reason: 'invalid' });
    expect(await it.desk.answer({ ...request, id: 'another' }, { option: 'allow' })).toMatchObject({ type: 'rejected', reason: 'invalid' });
    expect(await it.desk.answer(request, { text: 'well, yes' })).toMatchObject({ type: 'accepted' });
    expect(JSON.parse((await hook.exit).stdout)).toEqual(reply('deny', 'well, yes'));
    expect(await it.desk.answer(request, { option: 'allow' })).toMatchObject({ type: 'rejected', reason: 'invalid' });
  });

  it('expires: the request times out, the hook prints nothing, and the agent asks by itself', async () => {
    await using it = await bench({ hold: 'claude-code=1' });
    const { code, stdout, stderr } = await it.hook('claude-code', payloads.claude).exit;
    expect([code, stdout, stderr]).toEqual([0, '', '']);
    const request = await it.request();
    expect(await it.desk.event(({ type }) => type === 'attention.timeout')).toMatchObject({ subject: request.id, cause: request.id });
    expect(Date.parse(request.data?.expires_at as string)).toBeGreaterThan(Date.parse(request.time));
    expect(await it.desk.answer(request, { option: 'allow' })).toMatchObject({ type: 'rejected', reason: 'invalid' });
  });

  it('waits no longer than the shim does', async () => {
    await using it = await bench();
    expect(await it.hook('claude-code', payloads.claude, ['--hold', '1']).exit).toMatchObject({ code: 0, stdout: '' });
    await it.desk.event(({ type }) => type === 'attention.timeout');
  });

  it('ends when the agent goes on: the request is closed by what it reports', async () => {
    await using it = await bench();
    for (const payload of [payloads.prompt, payloads.tool]) await it.hook('claude-code', payload, []).exit;
    const hook = it.hook('claude-code', payloads.claude);
    const request = await it.request();
    await it.hook('claude-code', payloads.done, []).exit;
    expect(await hook.exit).toMatchObject({ code: 0, stdout: '' });
    expect(await it.desk.event(({ type }) => type === 'attention.resolved')).toMatchObject({ subject: request.id });
    expect(it.desk.events.some(({ type }) => type === 'attention.timeout')).toBe(false);
  });

  it('ends when the hook is killed: an answer is refused, and the request is over in time', async () => {
    await using it = await bench({ hold: '3' });
    const hook = it.hook('claude-code', payloads.claude);
    const request = await it.request();
    await hook.stop('SIGKILL');
    let outcome: unknown;
    // The collector learns it from the socket, a moment later.
    do outcome = await it.desk.client.command(it.desk.sender.command('control.attention.respond', { session: 's', subject: request.id, data: { answer: { option: 'none' } } }).wire);
    while (it.desk.events.findLast(({ type }) => type === 'control.rejected')?.data?.reason !== 'refused');
    expect(outcome).toBeDefined();
    expect(await it.desk.answer(request, { option: 'allow' })).toMatchObject({ type: 'rejected', reason: 'refused' });
    expect(await it.desk.event(({ type }) => type === 'attention.timeout')).toMatchObject({ subject: request.id });
  });

  it.each(['SIGTERM', 'SIGKILL'] as const)('ends when the collector does, by %s: nothing is printed, and the call is kept once', async (signal) => {
    await using it = await bench();
    const hook = it.hook('claude-code', payloads.claude);
    const request = await it.request();
    await it.collector.process.stop(signal);
    expect(await hook.exit).toMatchObject({ code: 0, stdout: '', stderr: '' });
    const again = await startCollector(it.aep, ['--data', it.home.file('data')]);
    const tail = await it.aep.run(['tail', '--json', '--no-follow', '--url', again.url]);
    expect(tail.stdout.split('\n').filter((line) => line.includes('attention.requested'))).toEqual([expect.stringContaining(request.id)]);
    await again.process.stop();
  });

  it.each([
    ['the collector is not told to', { hold: '' }, ['--hold', '60']],
    ['another agent is', { hold: 'codex=60' }, ['--hold', '60']],
    ['the hook does not ask for it', {}, []],
  ])('is none where %s: the hook ends at once, and the request is answered elsewhere', async (_, options, args) => {
    await using it = await bench(options);
    expect(await it.hook('claude-code', payloads.claude, args).exit).toMatchObject({ code: 0, stdout: '', stderr: '' });
    expect((await it.request()).data?.respond_via).toEqual(['oob']);
  });

  it('is none where the call asks nothing', async () => {
    await using it = await bench();
    expect(await it.hook('claude-code', payloads.tool).exit).toMatchObject({ code: 0, stdout: '', stderr: '' });
  });

  it('needs authentication: without a token nothing flows, and the sender is told [C-026, C-036]', async () => {
    await using it = await bench();
    const hook = it.hook('claude-code', payloads.claude);
    const request = await it.request();
    const stranger = connectSocket({ url: `${it.collector.url.replace('http', 'ws')}/socket`, role: 'both', identity: { agent: 'stranger' } });
    const { wire } = it.desk.sender.respond(request, { option: 'allow' });
    expect(await stranger.command(wire)).toMatchObject({ type: 'refused', code: 'unauthorized' });
    await stranger.close();
    expect(await it.desk.answer(request, { option: 'deny' })).toMatchObject({ type: 'accepted' });
    expect(JSON.parse((await hook.exit).stdout)).toEqual(reply('deny'));
    expect(it.desk.events.filter(({ type }) => type === 'control.attention.respond')).toHaveLength(1);
  });

  it.each(['none', 'metadata', 'redacted', 'full'] as const)('is answered at ceiling %s, and shows no more than that allows', async (capture) => {
    await using it = await bench({ flags: ['--capture', capture] });
    const secret = 'AKIAIOSFODNN7EXAMPLE';
    const hook = it.hook('claude-code', payloads.claude);
    const request = await it.request();
    expect(await it.desk.answer(request, { option: 'deny', text: `use ${secret} instead` })).toMatchObject({ type: 'accepted' });
    expect(JSON.parse((await hook.exit).stdout)).toEqual(reply('deny', `use ${secret} instead`));
    await it.desk.event(({ type }) => type === 'attention.resolved');
    const made = it.desk.events.filter(({ agent }) => agent === 'claude-code');
    expect(made.flatMap((event) => [...validatePayload(event), ...checkEmission(event)]).filter(({ severity }) => severity === 'error')).toEqual([]);
    const text = JSON.stringify(made);
    expect([text.includes(secret), text.includes('instead'), text.includes('"option":"deny"')]).toEqual([capture === 'full', capture === 'full' || capture === 'redacted', capture !== 'none']);
  });
});
