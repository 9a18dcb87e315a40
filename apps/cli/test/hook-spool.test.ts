import { once } from 'node:events';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { setImmediate } from 'node:timers/promises';

import { openSpool } from '@aepkit/spool';
import { hasLines } from '@aepkit/spool/peek';
import { type Launched, tempDir } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { type Aep, aepIn, freePort, lines } from './support.js';
import { recordedSessions } from './recorded.js';

async function collectorAt(aep: Aep, port: number, data: string, more: readonly string[] = []): Promise<Launched> {
  const process = aep.start(['collector', '--port', String(port), '--data', data, '--log-level', 'info', ...more]);
  await process.output(/ready at/);
  return process;
}

/** Types and positions of what a collector keeps, by session. */
async function stories(aep: Aep, port: number): Promise<Map<string, string[]>> {
  const { stdout } = await aep.run(['tail', '--json', '--no-follow', '--no-resume', '--url', `http://127.0.0.1:${port}`]);
  const found = new Map<string, string[]>();
  for (const line of lines(stdout)) {
    const { session, seq, type } = JSON.parse(line) as { session: string; seq: number; type: string };
    found.set(session, [...(found.get(session) ?? []), `${seq} ${type}`]);
  }
  return found;
}

const STORY = [
  '0 session.started',
  '1 run.started',
  '2 tool.requested',
  '3 attention.requested',
  '4 attention.answered',
  '5 attention.resolved',
  '6 tool.completed',
  '7 x.claude-code.session.post_tool_batch',
  '8 run.finished',
  '9 x.claude-code.session.message_display',
  '10 session.ended',
];
const approved = recordedSessions[2] ?? [];
const session = approved[0]?.session_id ?? '';

describe('hook calls without a collector', () => {
  it('are there when it starts: the session complete, in order, each Event once', { timeout: 120_000 }, async () => {
    await using home = await tempDir();
    const aep = aepIn(home.path);
    const port = await freePort();
    const env = { AEP_URL: `http://127.0.0.1:${port}` };
    for (const payload of approved) {
      const { code, stdout, stderr } = await aep.run(['hook', 'claude-code'], { input: JSON.stringify(payload), env });
      expect([code, stdout, stderr]).toEqual([0, '', '']);
    }
    const folder = home.file(`.local/state/aepkit/spool/hooks/local-${port}`);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    const content = (await Promise.all((await readdir(folder)).map((name) => readFile(`${folder}/${name}`, 'utf8')))).join('');
    // A request says what is asked, redacted; nothing else tells of content.
    const rest = content.split('\n').filter((line) => !line.includes('"hook":"PermissionRequest"')).join('\n');
    for (const text of ['touch', 'Say hello', 'greeting', '/home/', 'transcript']) expect(rest).not.toContain(text);
    expect(content).not.toMatch(/\/home\/|transcript|permission_suggestions/);
    const status = await aep.run(['spool']);
    expect([status.code, status.stdout]).toEqual([0, `local-${port}  ${approved.length} waiting  ${approved.length * 4096} bytes  0 dropped\n`]);

    const collector = await collectorAt(aep, port, home.file('data'));
    await collector.output(/had waited/);
    expect(await stories(aep, port)).toEqual(new Map([[session, STORY]]));
    expect(hasLines(folder)).toBe(false);
    await collector.stop();
  });

  it('go on behind it while it is up, also when it is killed in between', { timeout: 120_000 }, async () => {
    await using home = await tempDir();
    const aep = aepIn(home.path);
    const port = await freePort();
    const env = { AEP_URL: `http://127.0.0.1:${port}` };
    const hook = (payload: object): Promise<unknown> => aep.run(['hook', 'claude-code'], { input: JSON.stringify(payload), env });
    let collector: Launched | undefined;
    for (const [index, payload] of approved.entries()) {
      // Away for three calls, there for two, killed, and so on.
      if (index % 5 === 3) collector = await collectorAt(aep, port, home.file('data'));
      if (index % 5 === 0 && collector !== undefined) await collector.stop('SIGKILL');
      await hook(payload);
    }
    await collector?.stop('SIGKILL');
    collector = await collectorAt(aep, port, home.file('data'));
    while (hasLines(home.file(`.local/state/aepkit/spool/hooks/local-${port}`))) await setImmediate();
    expect(await stories(aep, port)).toEqual(new Map([[session, STORY]]));
    await collector.stop();
  });

  it('are there once when the collector took a call and was too slow to say so', { timeout: 60_000 }, async () => {
    await using home = await tempDir();
    const aep = aepIn(home.path);
    const port = await freePort();
    const collector = await collectorAt(aep, port, home.file('data'));
    const env = { AEP_URL: `http://127.0.0.1:${port}`, AEP_HOOK_TIMEOUT_MS: '100' };
    collector.child.kill('SIGSTOP');
    for (const payload of approved.slice(0, 3)) expect((await aep.run(['hook', 'claude-code'], { input: JSON.stringify(payload), env })).code).toBe(0);
    collector.child.kill('SIGCONT');
    // What follows comes behind them, by whatever way.
    for (const payload of approved.slice(3)) await aep.run(['hook', 'claude-code'], { input: JSON.stringify(payload), env: { ...env, AEP_HOOK_TIMEOUT_MS: '5000' } });
    while (hasLines(home.file(`.local/state/aepkit/spool/hooks/local-${port}`))) await setImmediate();
    expect(await stories(aep, port)).toEqual(new Map([[session, STORY]]));
    await collector.stop();
  });

  it('wait for a collector that this user runs with another spool, and are flushed by hand', { timeout: 60_000 }, async () => {
    await using home = await tempDir();
    const aep = aepIn(home.path);
    const port = await freePort();
    const env = { AEP_URL: `http://127.0.0.1:${port}` };
    for (const payload of approved) await aep.run(['hook', 'claude-code'], { input: JSON.stringify(payload), env });
    expect(await aep.run(['spool', 'flush'], { env })).toMatchObject({ code: 1, stderr: expect.stringMatching(/^aep: cannot reach .*ECONNREFUSED.*Is the collector running/) as string });
    const collector = await collectorAt(aep, port, home.file('data'), ['--spool', 'off']);
    expect(await aep.run(['spool', 'flush'], { env })).toMatchObject({ code: 0, stderr: `${approved.length} delivered to ${env.AEP_URL}/\n` });
    expect(await aep.run(['spool', 'flush', '--url', env.AEP_URL])).toMatchObject({ code: 0, stderr: `nothing waits for ${env.AEP_URL}/\n` });
    expect(await stories(aep, port)).toEqual(new Map([[session, STORY]]));
    await collector.stop();
  });
});

/** Answers every request with one status, and tells what it got. */
async function answering(status: number): Promise<AsyncDisposable & { url: string; got: string[] }> {
  const got: string[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      got.push(chunk.toString());
      socket.end(`HTTP/1.1 ${status} Whatever\r\ncontent-length: 2\r\n\r\n{}`);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    got,
    [Symbol.asyncDispose]: async () => {
      server.close();
      await once(server, 'close');
    },
  };
}

describe('the shim', () => {
  const payload = '{"session_id":"s","hook_event_name":"UserPromptSubmit","prompt":"secret"}';
  const waiting = async (home: string): Promise<string[]> => {
    const root = `${home}/.local/state/aepkit/spool/hooks`;
    const [name] = await readdir(root).catch(() => []);
    if (name === undefined) return [];
    const got: string[] = [];
    await (await openSpool({ path: `${root}/${name}` })).drain((batch) => (got.push(...batch), Promise.resolve()));
    return got;
  };

  it.each([
    [200, 0], [202, 0], [400, 0], [401, 0], [404, 0], [413, 0], [408, 1], [429, 1], [500, 1], [503, 1], [302, 1],
  ])('that is answered with %d leaves %d calls', async (status, left) => {
    await using home = await tempDir();
    await using server = await answering(status);
    await aepIn(home.path).run(['hook', 'claude-code'], { input: payload, env: { AEP_URL: server.url } });
    expect(await waiting(home.path)).toHaveLength(left);
  });

  it('sends the key that the record has', async () => {
    await using home = await tempDir();
    await using server = await answering(503);
    await aepIn(home.path).run(['hook', 'claude-code'], { input: payload, env: { AEP_URL: server.url } });
    const key = /idempotency-key: ([0-9A-Z]{26})\r\n/.exec(server.got.join(''))?.[1];
    const [record = '{}'] = await waiting(home.path);
    expect((JSON.parse(record) as { key: string }).key).toBe(key);
    expect(record).not.toContain('secret');
  });

  it('reads calls itself where the ceiling is lower than that of the collector, or is a word it does not know', async () => {
    for (const capture of ['none', 'everything']) {
      await using home = await tempDir();
      await using server = await answering(202);
      await aepIn(home.path).run(['hook', 'claude-code'], { input: payload, env: { AEP_URL: server.url, AEP_CAPTURE: capture } });
      expect(server.got.join('')).toContain('application/x-ndjson');
      expect(server.got.join('')).toContain('"ceiling":"none"');
      expect(server.got.join('')).not.toContain('secret');
    }
  });

  it('keeps nothing when the spool is off, and stays within its bound', async () => {
    await using home = await tempDir();
    const aep = aepIn(home.path);
    const env = { AEP_URL: 'http://127.0.0.1:9', AEP_HOOK_DEBUG: '1' };
    await aep.run(['hook', 'claude-code'], { input: payload, env: { ...env, AEP_SPOOL: 'off' } });
    expect(await readdir(home.path)).not.toContain('.local');
    await aep.run(['hook', 'claude-code'], { input: payload, env: { ...env, AEP_SPOOL_BYTES: '4096' } });
    expect((await aep.run(['hook', 'claude-code'], { input: payload, env: { ...env, AEP_SPOOL_BYTES: '4096' } })).stderr).toContain('the spool is full');
    expect((await aep.run(['spool', '--json'])).stdout).toBe('{"target":"local-9","lines":1,"bytes":4096,"dropped":1}\n');
    expect(await aep.run(['spool'], { env: { AEP_SPOOL: 'off' } })).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('turned off') as string });
  });

  it('tells of every spool although something else lies among them', async () => {
    await using home = await tempDir();
    const aep = aepIn(home.path);
    await aep.run(['hook', 'claude-code'], { input: payload, env: { AEP_URL: 'http://127.0.0.1:9', AEP_SPOOL: home.file('spool') } });
    await writeFile(home.file('spool', 'hooks', '.DS_Store'), '');
    const { code, stdout, stderr } = await aep.run(['spool', '--json'], { env: { AEP_SPOOL: home.file('spool') } });
    expect([code, lines(stdout).length, stderr]).toEqual([0, 1, expect.stringContaining('.DS_Store')]);
  });

  it('never ends with another code than 0 when the spool cannot be used', async () => {
    await using home = await tempDir();
    const { code, stdout, stderr } = await aepIn(home.path).run(['hook', 'claude-code'], { input: payload, env: { AEP_URL: 'http://127.0.0.1:9', AEP_SPOOL: '/dev/null', AEP_HOOK_DEBUG: '1' } });
    expect([code, stdout, stderr]).toEqual([0, '', expect.stringContaining('is no folder')]);
  });
});
