import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

import { tempDir } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { MAX_INPUT_MS } from '../src/hook-shim.js';
import { aepIn, lines, startCollector } from './support.js';

const payload = JSON.stringify({ session_id: 's', hook_event_name: 'UserPromptSubmit', prompt: 'the content of a prompt', prompt_id: 'p' });

describe('aep hook', () => {
  it('brings a call to the collector, without its content', async () => {
    await using home = await tempDir();
    const aep = aepIn(home.path);
    const collector = await startCollector(aep, ['--data', home.file('data')]);
    const { code, stdout, stderr } = await aep.run(['hook', 'claude-code'], { input: payload, env: { AEP_URL: collector.url } });
    expect([code, stdout, stderr]).toEqual([0, '', '']);
    const tail = await aep.run(['tail', '--json', '--no-follow', '--url', collector.url]);
    expect(lines(tail.stdout)).toHaveLength(1);
    expect(tail.stdout).toContain('"run.started"');
    expect(tail.stdout).not.toContain('content of a prompt');
    await collector.process.stop();
  });

  it.each([
    ['nobody listens', { AEP_URL: 'http://127.0.0.1:9' }, payload],
    ['the address is none', { AEP_URL: 'no url' }, payload],
    ['the token cannot be sent', { AEP_TOKEN: 'a\nb' }, payload],
    ['there is no payload', {}, ''],
    ['the payload is not JSON', {}, '\u0000\u0001'],
  ])('exits with 0 and prints nothing when %s', async (_, env, input) => {
    await using home = await tempDir();
    const { code, stdout, stderr } = await aepIn(home.path).run(['hook', 'claude-code'], { input, env: { AEP_URL: 'http://127.0.0.1:9', ...env } });
    expect([code, stdout, stderr]).toEqual([0, '', '']);
  });

  it('brings a call whose payload is too large for the collector', async () => {
    await using home = await tempDir();
    const aep = aepIn(home.path);
    const collector = await startCollector(aep, ['--data', home.file('data'), '--max-body-bytes', '1024']);
    const call = JSON.stringify({ session_id: 's', hook_event_name: 'PreToolUse', tool_name: 't', tool_input: { text: 'x'.repeat(2000) } });
    await aep.run(['hook', 'claude-code'], { input: call, env: { AEP_URL: collector.url } });
    const tail = await aep.run(['tail', '--json', '--no-follow', '--url', collector.url]);
    expect(lines(tail.stdout)).toEqual([expect.stringContaining('"tool.requested"')]);
    await collector.process.stop();
  });

  it('does not wait when there is too much of a payload', async () => {
    await using home = await tempDir();
    const began = performance.now();
    const { code, stdout, stderr } = await aepIn(home.path).run(['hook', 'claude-code'], { input: ' '.repeat(16_777_217), env: { AEP_HOOK_DEBUG: '1' } });
    expect([code, stdout, stderr]).toEqual([0, '', expect.stringContaining('more than 16777216 bytes')]);
    expect(performance.now() - began).toBeLessThan(MAX_INPUT_MS);
  });

  it('ends when the disk hangs', { timeout: 60_000 }, async () => {
    await using home = await tempDir();
    const hang = "import fs from 'node:fs'; import { syncBuiltinESMExports } from 'node:module'; fs.promises.readdir = () => new Promise(() => setInterval(() => undefined, 1000)); syncBuiltinESMExports();";
    const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hang)}`, AEP_URL: 'http://127.0.0.1:9' };
    const { code, signal, stdout } = await aepIn(home.path).run(['hook', 'claude-code'], { input: payload, env });
    expect([code, signal, stdout]).toEqual([null, 'SIGKILL', '']);
  });

  it.each([
    [['claude'], 'one of claude-code, codex, gemini-cli'],
    [['claude-code', 'extra'], '--hold SECONDS'],
    [['claude-code', '--hold', '99999'], '--hold SECONDS'],
  ])('takes no word for an error, since agents take that for an answer: %j', async (args, reason) => {
    await using home = await tempDir();
    const aep = aepIn(home.path);
    const env = { AEP_URL: 'http://127.0.0.1:9' };
    // More than a pipe holds.
    const input = payload.padEnd(200_000);
    expect(await aep.run(['hook', ...args], { input, env })).toMatchObject({ code: 0, stdout: '', stderr: '' });
    expect(await aep.run(['hook', ...args], { input, env: { ...env, AEP_HOOK_DEBUG: '1' } })).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining(reason) as string });
    // A call of a known agent is passed all the same.
    expect((await aep.run(['spool', 'status', '--json'], { env })).stdout.includes('"lines":2')).toBe(args[0] === 'claude-code');
  });

  it('runs under Node 20, which the other commands refuse', async () => {
    await using home = await tempDir();
    const older = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.0.0' } });";
    const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(older)}`, AEP_URL: 'http://127.0.0.1:9', AEP_HOOK_DEBUG: '1' };
    const aep = aepIn(home.path);
    expect((await aep.run(['hook', 'claude-code'], { input: payload, env })).stderr).toContain('ECONNREFUSED');
    expect(await aep.run(['sessions'], { env })).toMatchObject({ code: 2, stderr: expect.stringContaining('needs Node.js 22.13') as string });
  });

  it('tells the reason of a refusal when asked to', async () => {
    await using home = await tempDir();
    const aep = aepIn(home.path);
    const collector = await startCollector(aep, ['--data', home.file('data')]);
    const { code, stderr } = await aep.run(['hook', 'claude-code'], { input: '{}', env: { AEP_URL: collector.url, AEP_HOOK_DEBUG: '1' } });
    expect([code, stderr]).toEqual([0, expect.stringContaining('400: {"error":"invalid-payload"')]);
    await collector.process.stop();
  });

  it('says what went wrong when asked to', async () => {
    await using home = await tempDir();
    const { code, stdout, stderr } = await aepIn(home.path).run(['hook', 'claude-code'], { input: payload, env: { AEP_URL: 'http://127.0.0.1:9', AEP_HOOK_DEBUG: '1' } });
    expect([code, stdout, stderr]).toEqual([0, '', expect.stringContaining('ECONNREFUSED')]);
    expect(stderr).toMatch(/^aep hook: the call waits in \/.*; aep spool shows what does$/m);
  });

  it('gives up on a collector that takes the call and never answers', async () => {
    await using home = await tempDir();
    const silent = createServer((socket) => socket.resume().on('error', () => undefined));
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const { code, stderr } = await aepIn(home.path).run(['hook', 'claude-code'], { input: payload, env: { AEP_URL: url, AEP_HOOK_DEBUG: '1', AEP_HOOK_TIMEOUT_MS: '50' } });
    expect([code, stderr]).toEqual([0, expect.stringContaining('within 50 ms')]);
    silent.close();
  });
});
