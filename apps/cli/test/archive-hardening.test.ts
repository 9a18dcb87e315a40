import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

import { buildSession, buildWire, launch, type Launched, tempDir } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { treeOf } from './corpus.js';
import { aepIn, cleanEnv, lines, startCollector } from './support.js';

const bin = fileURLToPath(new URL('../bin/aep.js', import.meta.url));

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

/** Says what a test wants it to say, request by request; the last answer is given again and again. */
async function fakeCollector(...answers: readonly Answer[]): Promise<AsyncDisposable & { readonly url: string; requests(): number }> {
  let requests = 0;
  const server = createServer((request, response) => {
    request.resume();
    answers[Math.min(requests, answers.length - 1)]?.(response, request);
    requests += 1;
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const text = buildSession(3).map(({ json }) => `${json}\n`).join('');
const HEADERS = { 'content-type': 'application/x-ndjson', 'aep-count': '3', 'aep-through': '9' };
const page =
  (headers: Readonly<Record<string, string | undefined>> = {}, body = text, status = 200): Answer =>
  (response) => {
    for (const [name, value] of Object.entries<string | undefined>({ ...HEADERS, ...headers })) if (value !== undefined) response.setHeader(name, value);
    response.writeHead(status).end(body);
  };
const first = page({ 'aep-next': '3' });
/** Half of a page, and then nothing: not even the end. */
const half: Answer = (response) => {
  response.writeHead(200, { ...HEADERS, 'content-length': String(text.length) });
  response.write(text.slice(0, text.length / 2));
};

describe('an export that does not come to its end', () => {
  it.each<[string, readonly Answer[]]>([
    ['breaks off in the first page', [(response) => { half(response, undefined as never); response.socket?.end(); }]],
    ['breaks off in a later page', [first, (response) => { half(response, undefined as never); response.socket?.end(); }]],
    ['is cut by something that mends lengths', [page({ 'aep-count': '4' })]],
    ['ends in the middle of a line', [page({}, text.slice(0, -1))]],
    ['has no Events in it', [page({}, '{}\n[]\n1\n')]],
    ['has lines of another version', [page({}, text.replace('"aep":"0.1"', '"aep":"1.0"'))]],
    ['is another kind of answer', [page({ 'content-type': 'text/html' })]],
    ['has another status', [page({}, text, 206)]],
    ['says nothing of its bound', [page({ 'aep-through': undefined })]],
    ['changes its bound', [first, page({ 'aep-through': '10' })]],
    ['leads nowhere', [page({ 'aep-next': '0' })]],
    ['leads round', [first, first]],
    ['leads beyond its bound', [page({ 'aep-next': '10' })]],
    ['has a mark that is none', [page({ 'aep-next': '1e9' })]],
    ['is refused', [page({}, '{"error":"unavailable"}', 503)]],
    ['is sent elsewhere', [page({ location: 'http://127.0.0.1:9/' }, '', 302)]],
    ['does not end', [(response) => { response.writeHead(200, HEADERS); const more = (): void => { if (response.destroyed) return; if (response.write('x'.repeat(1_048_576))) setImmediate(more); else response.once('drain', more); }; more(); }]],
  ])('fails where the answer %s, and leaves nothing', async (_, answers) => {
    await using home = await tempDir();
    await using fake = await fakeCollector(...answers);
    const { code, stdout, stderr } = await aepIn(home.path).run(['export', home.file('out'), '--url', fake.url]);
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(/^aep: [^\n]*127\.0\.0\.1[^\n]*\n$/)]);
    expect(readdirSync(home.path).filter((name) => name.startsWith('out'))).toEqual([]);
    expect(fake.requests()).toBe(answers.length);
  });

  it('leaves nothing under its name when it is killed, says so next time, and nothing at all when it is interrupted', { timeout: 60_000 }, async () => {
    await using home = await tempDir();
    const aep = aepIn(home.path);
    const large = buildSession(9000, { data: { text: 'x'.repeat(500) } }).map(({ json }) => `${json}\n`).join('');
    const started = async (): Promise<{ fake: Awaited<ReturnType<typeof fakeCollector>>; run: Launched }> => {
      let seen = (): void => undefined;
      const second = new Promise<void>((resolve) => {
        seen = resolve;
      });
      // Asked for the second page, it has written most of the first one.
      const fake = await fakeCollector(page({ 'aep-next': '3', 'aep-count': '9000' }, large), (response, request) => {
        half(response, request);
        seen();
      });
      const run = aep.start(['export', home.file('out'), '--url', fake.url]);
      await second;
      return { fake, run };
    };
    const killed = await started();
    expect((await killed.run.stop('SIGKILL')).signal).toBe('SIGKILL');
    await killed.fake[Symbol.asyncDispose]();
    const left = readdirSync(home.path).filter((name) => name.startsWith('out'));
    expect(left).toEqual([expect.stringMatching(/^out\.partial-[0-9a-f]{8}$/)]);
    expect((await treeOf(home.file(left[0] ?? ''))).size).toBe(1);
    // As one leaves it that is killed between the two renames that replace an export.
    mkdirSync(home.file('out.old-01234567'));
    const stopped = await started();
    const { code, stderr } = await stopped.run.stop('SIGINT');
    await stopped.fake[Symbol.asyncDispose]();
    expect([code, stderr]).toEqual([130, expect.stringContaining(left[0] ?? 'x')]);
    expect(stderr).toMatch(/about to replace the export that is in \S+out\.old-01234567 now/);
    rmdirSync(home.file('out.old-01234567'));
    expect(readdirSync(home.path).filter((name) => name.startsWith('out'))).toEqual(left);
  });

  it('leaves the old export as it was', async () => {
    await using home = await tempDir();
    await using fake = await fakeCollector(page(), first, page({ 'aep-count': '4' }));
    const aep = aepIn(home.path);
    expect((await aep.run(['export', home.file('out'), '--url', fake.url])).code).toBe(0);
    const tree = await treeOf(home.file('out'));
    expect((await aep.run(['export', home.file('out'), '--force', '--url', fake.url])).code).toBe(1);
    expect(await treeOf(home.file('out'))).toEqual(tree);
  });

  it('fails on a full disk, and gives its space back', async (context) => {
    await using home = await tempDir();
    const disk = home.file('disk');
    mkdirSync(disk);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', disk], { stdio: 'ignore' });
    } catch {
      context.skip('needs the right to mount a small tmpfs');
    }
    try {
      const events = buildSession(600, { data: { text: 'x'.repeat(500) } });
      await using fake = await fakeCollector(page({ 'aep-count': '600' }, events.map(({ json }) => `${json}\n`).join('')));
      const { code, stderr } = await aepIn(home.path).run(['export', `${disk}/out`, '--url', fake.url]);
      expect([code, stderr]).toEqual([1, expect.stringMatching(/^aep: cannot write the export: .*ENOSPC/)]);
      expect(readdirSync(disk)).toEqual([]);
      // A disk of its own cannot be renamed over.
      const mount = await aepIn(home.path).run(['export', disk, '--url', fake.url]);
      expect([mount.code, existsSync(disk)]).toEqual([1, true]);
    } finally {
      execFileSync('umount', ['-l', disk]);
      rmdirSync(disk);
    }
  });

  it('ends quietly when the reader of its stream has seen enough', async () => {
    await using home = await tempDir();
    const events = buildSession(2000, { data: { text: 'x'.repeat(500) } });
    await using fake = await fakeCollector(page({ 'aep-count': '2000' }, events.map(({ json }) => `${json}\n`).join('')));
    const run = aepIn(home.path).start(['export', '--url', fake.url]);
    await run.output(/\n/);
    run.child.stdout?.destroy();
    expect(await run.exit).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('an import that does not come to its end', () => {
  it('is repeated, and each Event is there once and in order', { timeout: 120_000 }, async () => {
    await using home = await tempDir();
    const aep = aepIn(home.path);
    const { url, process } = await startCollector(aep, ['--data', home.file('data')]);
    const events = buildSession(30_000, { session: 's', data: { text: 'x'.repeat(300) } }).map(({ json }) => `${json}\n`).join('');
    mkdirSync(home.file('logs', 'a1'), { recursive: true });
    writeFileSync(home.file('logs', 'a1', 's.jsonl'), events);
    const run = aep.start(['import', home.file('logs'), '--url', url]);
    const kept = async (): Promise<number> => Number((await fetch(`${url}/export?after=999999999`)).headers.get('aep-through'));
    while ((await kept()) === 0) expect(run.child.exitCode).toBe(null);
    await run.stop('SIGKILL');
    const before = await kept();
    expect(before).toBeLessThan(30_000);
    const again = await aep.run(['import', home.file('logs'), '--json', '--url', url]);
    const receipt = JSON.parse(again.stdout) as { accepted: number; new: number; duplicates: number };
    expect([again.code, receipt.accepted]).toEqual([0, 30_000]);
    expect(receipt.duplicates).toBeGreaterThan(0);
    expect((await aep.run(['export', home.file('out'), '--url', url])).code).toBe(0);
    expect(readFileSync(home.file('out', 'a1', 's.jsonl'), 'utf8') === events).toBe(true);
    await process.stop();
  });

  it('says what the other side is when that is no collector', async () => {
    await using home = await tempDir();
    const input = `${buildWire().json}\n`;
    for (const [status, reason] of [[404, 'takes no import'], [200, 'unexpected-answer'], [401, 'unauthorized']] as const) {
      await using fake = await fakeCollector((response) => response.writeHead(status).end('{}'));
      const { code, stderr } = await aepIn(home.path).run(['import', '-', '--url', fake.url], { input });
      expect([code, stderr]).toEqual([1, expect.stringContaining(reason)]);
    }
    await using odd = await fakeCollector((response) => response.writeHead(202, { 'aep-duplicates': '-5e999' }).end('not JSON'));
    const { code, stderr } = await aepIn(home.path).run(['import', '-', '--url', odd.url], { input });
    expect([code, stderr]).toEqual([0, '1 Event accepted: 1 new, 0 there already\n']);
  });
});

const TOTAL = Number(process.env.AEPKIT_EVENTS ?? 90_000);

describe(`${TOTAL.toLocaleString('en')} Events`, () => {
  it('go through import and export in a fraction of their size in memory, over many files', { timeout: 600_000 }, async () => {
    await using home = await tempDir();
    const aep = aepIn(home.path);
    const total = TOTAL;
    const many = total.toLocaleString('en');
    const file = createWriteStream(home.file('all.jsonl'));
    for (let at = 0; at < total; at += 1000) {
      const part = Array.from({ length: 1000 }, (_, n) => {
        const session = `s${(at + n) % 300}`;
        return `{"aep":"0.1","id":"m-${at + n}","type":"tool.requested","time":"2026-01-01T00:00:00Z","source":"aep://h/agent/a/session/${session}","agent":"a","session":"${session}","seq":${at + n},"data":{"tool":{"name":"shell"},"pad":"${'p'.repeat(450)}"}}\n`;
      });
      if (!file.write(part.join(''))) await once(file, 'drain');
    }
    file.end();
    await once(file, 'close');
    const { url, process: collector } = await startCollector(aep, ['--data', home.file('data')]);
    // The Events come to 54 MB. A heap of 48 MB ends the program if it gathers them; 100 open files are fewer than it writes.
    const run = async (...args: string[]): Promise<string> => {
      const limited = ['-c', 'ulimit -n 100; exec "$0" "$@"', process.execPath, '--max-old-space-size=48', bin, ...args];
      const { code, signal, stderr } = await launch('/bin/sh', { args: limited, env: cleanEnv(home.path) }).exit;
      expect([args[0], code, signal]).toEqual([args[0], 0, null]);
      return stderr;
    };
    expect(await run('import', home.file('all.jsonl'), '--url', url)).toBe(`${many} Events accepted: ${many} new, 0 there already\n`);
    expect(await run('export', home.file('live'), '--url', url)).toBe(`${many} Events in 300 files\n`);
    await collector.stop();
    expect(await run('export', home.file('stored'), '--data', home.file('data'))).toBe(`${many} Events in 300 files\n`);
    const one = readFileSync(home.file('live', 'a', 's7.jsonl'), 'utf8');
    expect(one === readFileSync(home.file('stored', 'a', 's7.jsonl'), 'utf8')).toBe(true);
    expect(lines(one).map((line) => (JSON.parse(line) as { seq: number }).seq)).toEqual(Array.from({ length: Math.ceil((total - 7) / 300) }, (_, n) => 7 + 300 * n));
  });
});
