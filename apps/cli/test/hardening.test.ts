import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

import { buildSession, buildWire, launch, tempDir } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { aepIn, cleanEnv, lines, startCollector } from './support.js';

const bin = fileURLToPath(new URL('../bin/aep.js', import.meta.url));
const FULL = '/dev/full';

describe('aep validate', () => {
  it('takes a byte-order mark in the middle of a file for an error: the Event behind it would be lost', async () => {
    await using home = await tempDir();
    const [first, second] = buildSession(2, { session: 's' });
    const file = home.file('glued.jsonl');
    await writeFile(file, `${first?.json ?? ''}\n\uFEFF${second?.json ?? ''}\n`);
    const { code, stdout } = await aepIn(home.path).run(['validate', file]);
    expect([code, stdout]).toEqual([1, expect.stringContaining(':2: error: byte-order-mark')]);
    await writeFile(file, `\uFEFF${first?.json ?? ''}\n${second?.json ?? ''}\n`);
    const marked = await aepIn(home.path).run(['validate', file]);
    expect([marked.code, marked.stdout, marked.stderr]).toEqual([
      0,
      expect.stringContaining(':1: warning: byte-order-mark'),
      expect.stringContaining('2 Events'),
    ]);
  });
});

describe('aep emit', () => {
  it('counts what was accepted of a batch that had to be halved', async () => {
    const answers = [413, 202, 400];
    const server = createServer((request, response) => {
      request.resume().on('end', () => {
        response.writeHead(answers.shift() ?? 500, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ accepted: 1, error: 'invalid-event', detail: 'no' }));
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    await using home = await tempDir();
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { code, stderr } = await aepIn(home.path).run(['emit', '-', '--url', url], { input: buildSession(2).map(({ json }) => `${json}\n`).join('') });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/; 1 Events were accepted before$/m)]);
    server.close();
  });

  it('says how much of a file with a bad line was accepted, and from which line on nothing was', async () => {
    await using home = await tempDir();
    const aep = aepIn(home.path);
    const { url, process } = await startCollector(aep);
    const events = buildSession(510, { session: 's' });
    const file = home.file('events.jsonl');
    // The mark is tolerated here as it is by validate.
    await writeFile(file, `\uFEFF${events.map(({ json }) => `${json}\n`).join('')}{"bad":1}\n${buildWire({ session: 't' }).json}\n`);
    const { code, stderr } = await aep.run(['emit', file, '--url', url]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/:511: .*nothing from line 501 on was sent; 500 Events were accepted before/);
    const held = await aep.run(['tail', '--json', '--no-follow', '--url', url]);
    expect(lines(held.stdout)).toHaveLength(500);
    await process.stop();
  });
});

describe.runIf(existsSync(FULL))('standard output on a full disk', () => {
  it('ends in failure with a reason, and the next run shows what this one could not', async () => {
    await using home = await tempDir();
    const aep = aepIn(home.path);
    const { url, process: collector } = await startCollector(aep);
    const events = buildSession(20, { session: 's' });
    await aep.run(['emit', '-', '--url', url], { input: events.map(({ json }) => `${json}\n`).join('') });
    for (const verb of [['tail', '--no-follow'], ['sessions']]) {
      const script = `exec "$0" "$@" > ${FULL}`;
      const args = ['-c', script, process.execPath, bin, ...verb, '--url', url];
      const { code, stderr } = await launch('/bin/sh', { args, env: cleanEnv(home.path) }).exit;
      expect([code, stderr]).toEqual([1, expect.stringMatching(/^aep: cannot write to standard output: .*ENOSPC/m)]);
    }
    expect(lines((await aep.run(['tail', '--no-follow', '--json', '--url', url])).stdout)).toHaveLength(20);
    await collector.stop();
  });
});
