import { connectSocket, type SocketClient } from '@aepkit/binding-ws/client';
import { readOwnerToken } from '@aepkit/endpoint/owner-token';
import { type Launched, type TempDir, tempDir, buildWire } from '@aepkit/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { pauseOrResume, respond } from '../../src/commands/control.js';
import { inbox } from '../../src/commands/inbox.js';
import { type Aep, aepIn, lines, startCollector } from '../support.js';

let home: TempDir;
let collector: Awaited<ReturnType<typeof startCollector>>;
let aep: Aep;
/** As somebody else on the machine. */
let stranger: Aep;

beforeAll(async () => {
  home = await tempDir();
  const env = { AEP_DATA: home.file('data') };
  collector = await startCollector(aepIn(home.path), ['--data', env.AEP_DATA]);
  const at = (more: Readonly<Record<string, string>>): Aep => {
    const plain = aepIn(home.path);
    const all = { AEP_URL: collector.url, ...more };
    return { start: (args, extra) => plain.start(args, { ...all, ...extra }), run: (args, { input, env: extra } = {}) => plain.run(args, { ...(input === undefined ? {} : { input }), env: { ...all, ...extra } }) };
  };
  aep = at(env);
  stranger = at({ AEP_DATA: home.file('nothing') });
}, 30_000);

afterAll(async () => {
  await collector.process.stop();
  await home[Symbol.asyncDispose]();
});

interface Demo {
  readonly process: Launched;
  readonly session: string;
  /** The request that the demo asks as number `n`. */
  request(n: number): Promise<string>;
}

async function startDemo(): Promise<Demo> {
  const process = aep.start(['demo', '--accepts']);
  const session = (await process.output(/^session (\S+) takes commands/m))[1] ?? '';
  const request = async (n: number): Promise<string> => {
    const name = ['Bash', 'name', 'release'][n] ?? '';
    return (await process.output(new RegExp(`^${name}: aep respond (\\S+)`, 'm')))[1] ?? '';
  };
  return { process, session, request };
}

/** An agent that claims a session, says what it takes, and does nothing. */
async function claim(session: string, accepts: readonly string[], name: string): Promise<SocketClient> {
  const owner = await readOwnerToken(home.file('data/owner-token'));
  const client = connectSocket({ url: new URL('/socket', collector.url), token: owner?.token ?? '', role: 'emitter', identity: { agent: name }, capabilities: { control: { accepts, ack_window_ms: 200 } }, onCommand: () => undefined });
  await client.send([buildWire({ session, source: `aep://h/agent/${name}/session/${session}`, agent: name, type: 'session.started', seq: 0, data: {} })]);
  return client;
}

const events = async (session: string): Promise<{ id: string; type: string; cause?: string; subject?: string }[]> =>
  lines((await aep.run(['tail', '--session', session, '--json', '--no-follow', '--no-resume'])).stdout).map((line) => JSON.parse(line) as never);

describe('commands to an agent', { timeout: 60_000 }, () => {
  it('answer a request: accepted, answered, resolved, all linked; the same id again draws the same ack and does nothing [T-119]', async () => {
    const demo = await startDemo();
    const request = await demo.request(0);
    const response = await fetch(new URL(`/stream?filter=${encodeURIComponent('{"type":"control.accepted"}')}`, collector.url));
    const reader = (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
    const acks: string[] = [];
    const acksCame = async (count: number): Promise<void> => {
      for (let text = ''; acks.length < count; ) {
        text += (await reader.read()).value ?? '';
        acks.splice(0, acks.length, ...lines(text).filter((line) => line.startsWith('data:') && line.includes(demo.session)));
      }
    };
    const listed = await aep.run(['inbox']);
    expect(listed.stdout).toContain(`${request}  aep-demo  session ${demo.session}`);
    expect(listed.stdout).toContain('rm -r build');
    expect(lines((await aep.run(['inbox', '--json', '--session', demo.session])).stdout).map((line) => (JSON.parse(line) as { id: string }).id)).toEqual([request]);

    const exit = await aep.run(['respond', request, '--option', 'allow', '--json', '--wait', '20']);
    expect(exit.code).toBe(0);
    const [result, outcome] = lines(exit.stdout).map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(result).toMatchObject({ result: 'accepted', session: demo.session, ack: { type: 'control.accepted', cause: result?.command } });
    expect(outcome).toMatchObject({ type: 'attention.resolved', subject: request, data: { resolution: 'answered' } });

    const again = await aep.run(['respond', demo.session, request, '--option', 'allow', '--id', String(result?.command)]);
    expect([again.code, again.stdout]).toEqual([0, `accepted  ${String(result?.command)}\n`]);
    await acksCame(2);
    expect(acks[1]).toBe(acks[0]);
    await reader.cancel();

    const found = await events(demo.session);
    const byType = (type: string): (typeof found)[number] | undefined => found.find((event) => event.type === type);
    const [command, ack, answered, resolved] = ['control.attention.respond', 'control.accepted', 'attention.answered', 'attention.resolved'].map(byType);
    expect(found.filter(({ type }) => type.startsWith('control.') || type === 'attention.answered')).toHaveLength(3);
    expect([command?.subject, ack?.cause, answered?.subject, answered?.cause, resolved?.subject, resolved?.cause]).toEqual([request, command?.id, request, command?.id, request, answered?.id]);
    expect(command).toMatchObject({ data: { answer: { option: 'allow' } } });
    await demo.process.stop('SIGINT');
    const valid = await aep.run(['validate', '-'], { input: (await aep.run(['tail', '--session', demo.session, '--json', '--no-follow', '--no-resume'])).stdout });
    expect([valid.code, valid.stdout]).toEqual([0, '']);
  });

  it('without a token are refused as unauthorized, and nothing of them is kept', async () => {
    const demo = await startDemo();
    const exit = await stranger.run(['respond', await demo.request(0), '--option', 'allow']);
    expect([exit.code, exit.stdout, exit.stderr]).toEqual([3, '', expect.stringMatching(/^aep: refused: unauthorized: .*AEP_TOKEN/)]);
    expect((await events(demo.session)).some(({ type }) => type.startsWith('control.'))).toBe(false);
    await demo.process.stop('SIGINT');
  });

  it('are refused at once where nobody has the session, and where two say that it is theirs', async () => {
    const none = await aep.run(['cancel', 'nobody']);
    expect([none.code, none.stderr]).toEqual([3, expect.stringContaining('no-route')]);
    await using one = { client: await claim('both', ['control.pause'], 'one'), [Symbol.asyncDispose]: () => one.client.close() };
    await using two = { client: await claim('both', ['control.pause'], 'two'), [Symbol.asyncDispose]: () => two.client.close() };
    const both = await aep.run(['pause', 'both']);
    expect([both.code, both.stderr]).toEqual([3, expect.stringContaining('ambiguous')]);
    expect((await events('both')).map(({ type }) => type)).toEqual(['session.started', 'session.started']);
    const roster = lines((await aep.run(['roster'])).stdout).filter((line) => line.startsWith('both '));
    expect(roster).toEqual([expect.stringMatching(/^both {2}one {2}\S+ {2}pause$/), expect.stringMatching(/^both {2}two {2}\S+ {2}pause$/)]);
  });

  it('end with 3 where the agent does not take them, and with 4 and their id where it is silent', async () => {
    await using mute = { client: await claim('mute', ['control.pause'], 'mute'), [Symbol.asyncDispose]: () => mute.client.close() };
    expect(await aep.run(['resume', 'mute'])).toMatchObject({ code: 3, stderr: expect.stringContaining('unsupported') as string });
    const silent = await aep.run(['pause', 'mute', '--retries', '1', '--id', '01JC8Z5W3V0000000000000000']);
    expect([silent.code, silent.stdout, silent.stderr]).toEqual([4, '', expect.stringContaining('--id 01JC8Z5W3V0000000000000000')]);
    expect(await aep.run(['pause', 'mute', '--ack-window', '1', '--retries', '0', '--json'])).toMatchObject({ code: 4, stdout: expect.stringContaining('"result":"timeout"') as string });
  });

  it('pause, resume and cancel, each seen to have its effect in an Event that names the command [C-055]', async () => {
    const demo = await startDemo();
    await demo.request(0);
    expect((await aep.run(['pause', demo.session, '--wait', '20'])).stdout).toContain('phase=paused');
    expect((await aep.run(['resume', demo.session, '--wait', '20'])).stdout).toContain('phase=working');
    const exit = await aep.run(['cancel', demo.session, '--reason', 'enough', '--wait', '20']);
    expect([exit.code, exit.stdout]).toEqual([0, expect.stringMatching(/session\.ended/)]);
    expect((await demo.process.exit).code).toBe(0);
    const valid = await aep.run(['validate', '-'], { input: (await aep.run(['tail', '--session', demo.session, '--json', '--no-follow', '--no-resume'])).stdout });
    expect([valid.code, valid.stdout]).toEqual([0, '']);
    expect(await aep.run(['inbox', '--session', demo.session])).toMatchObject({ code: 0, stdout: '', stderr: 'nobody waits for an answer\n' });
  });

  it('refuse flags that make no sense', async () => {
    const usage = (message: string): object => ({ exitCode: 2, message: expect.stringContaining(message) as string });
    await expect(respond(['r'], {})).rejects.toMatchObject(usage('say what to answer'));
    await expect(respond(['a', 'b', 'c'], { option: 'x' })).rejects.toMatchObject(usage('its session and the request'));
    await expect(respond(['r'], { values: '[' })).rejects.toMatchObject(usage('no JSON object'));
    await expect(inbox({ interactive: true, json: true })).rejects.toMatchObject(usage('--interactive goes with neither'));
    await expect(pauseOrResume('control.pause', 's', { tokenFile: '/nowhere' })).rejects.toMatchObject(usage('cannot read /nowhere'));
  });

  it('say when there is no endpoint, or no such request', async () => {
    expect(await aep.run(['pause', 's', '--url', 'http://127.0.0.1:9'])).toMatchObject({ code: 1, stderr: expect.stringMatching(/[^.]\. Is the collector running\?/) as string });
    expect(await aep.run(['respond', 'no-such-request', '--option', 'x'])).toMatchObject({ code: 1, stderr: expect.stringContaining('no request no-such-request is held') as string });
  });
});

describe('aep inbox', { timeout: 60_000 }, () => {
  it('asks, takes answers of every kind, again where one does not fit, and waits for more', async () => {
    const demo = await startDemo();
    await demo.request(0);
    const asked = await aep.run(['inbox', '-i', '--watch', '--session', demo.session], { input: 'maybe\n1 go ahead\nAda\ny\n3\nbeta\n\nsoon\n' });
    expect([asked.code, asked.stderr]).toEqual([0, expect.stringContaining('nobody else waits')]);
    expect(asked.stdout).toContain('maybe is none of them');
    expect(asked.stdout).toContain('that does not fit');
    expect(asked.stdout.match(/accepted/g)).toHaveLength(3);
    const { code, stderr } = await demo.process.exit;
    expect([code, stderr]).toEqual([0, expect.stringContaining('answered: {"option":"allow","text":"go ahead"}')]);
    expect(stderr).toContain('answered: {"text":"Ada"}');
    expect(stderr).toContain('answered: {"values":{"target":"beta","note":"soon"}}');
  });

  it('gives a question up when somebody else answers it', async () => {
    const demo = await startDemo();
    const request = await demo.request(0);
    const asking = aep.start(['inbox', '-i', '--session', demo.session]);
    await asking.output(/answer \(1-2/);
    const none = await aep.run(['respond', request, '--option', 'maybe']);
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining(': allow, deny\n')]);
    expect((await aep.run(['respond', request, '--option', 'deny'])).code).toBe(0);
    await asking.output(/answered elsewhere/);
    await asking.stop('SIGINT');
    await demo.process.stop('SIGINT');
  });
});
