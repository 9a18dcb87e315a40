import { tempDir } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { aepIn, lines, startCollector } from './support.js';

describe('aep relay', () => {
  it('draws from a collector, as many upstreams as the flag names, and serves the other commands', { timeout: 60_000 }, async () => {
    await using home = await tempDir();
    const aep = aepIn(home.path);
    const [one, two] = await Promise.all([startCollector(aep, ['--data', home.file('one')]), startCollector(aep, ['--data', home.file('two')])]);
    const relay = aep.start(['relay', '--port', '0', '--upstream', one.url, '--upstream', two.url]);
    const [, url = ''] = await relay.output(/^relay ready at (http:\/\/127\.0\.0\.1:\d+), drawing from http:\S+, http:\S+$/m);
    await relay.output(/"msg":"drawing from upstream"[^]*"msg":"drawing from upstream"/);
    const tail = aep.start(['tail', '--json', '--no-resume', '--count', '2', '--url', url]);
    for (const [session, each] of Object.entries({ s1: one, s2: two })) {
      expect((await aep.run(['emit', '--type', 'progress.status', '--session', session, '--data', '{"phase":"build"}', '--url', each.url])).code).toBe(0);
    }
    const { code, stdout } = await tail.exit;
    expect([code, lines(stdout).map((line) => (JSON.parse(line) as { session: string }).session).sort()]).toEqual([0, ['s1', 's2']]);
    expect((await relay.stop()).code).toBe(0);
    await Promise.all([one.process.stop(), two.process.stop()]);
  });

  it('says of a relay what only a collector does', { timeout: 60_000 }, async () => {
    await using home = await tempDir();
    const aep = aepIn(home.path);
    const relay = aep.start(['relay', '--port', '0']);
    const [, url = ''] = await relay.output(/^relay ready at (http:\/\/127\.0\.0\.1:\d+)/m);
    expect(await aep.run(['sessions', '--url', url])).toMatchObject({ code: 1, stderr: `aep: ${url}/ has no list of sessions: it is no collector, or an older one\n` });
    expect((await aep.run(['demo', '--scenario', 'success', '--url', url])).stderr).toContain(`aep: ${url}/ takes no hook calls: it is no collector`);
    const { stdout } = await aep.run(['hooks', 'status'], { env: { AEP_URL: url } });
    expect(stdout).toContain(`collector  ${url}/: is a relay, which takes no hook calls: they are lost; let AEP_URL name a collector\n`);
    await relay.stop();
  });

  it.each([
    [['--upstream', '127.0.0.1:8787'], /did you mean http:\/\/127\.0\.0\.1:8787\?/],
    [['--upstream', 'here'], /such as http:/],
    [['--upstream', 'http://elsewhere.example'], /another machine: use https/],
    [['--upstream-token-file', '/nowhere'], /token file/],
    [['--data', 'x'], /unknown option/],
    [['--host', '0.0.0.0'], /needs a token/],
  ])('refuses %s with 2', async (args, message) => {
    await using home = await tempDir();
    const { code, stderr } = await aepIn(home.path).run(['relay', '--port', '0', ...args]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(message) as string]);
  });

  it('has a reference of its settings of its own', async () => {
    await using home = await tempDir();
    const aep = aepIn(home.path);
    expect((await aep.run(['config', 'reference', 'relay'])).stdout).toContain('`upstream`');
    expect((await aep.run(['config', 'reference'])).stdout).not.toContain('`upstream`');
    expect((await aep.run(['config', 'check', 'relay'], { env: { AEP_UPSTREAM: 'http://127.0.0.1:1', AEP_DATA: '/x' } })).stdout).toMatch(/^upstream = \["http:\/\/127\.0\.0\.1:1"\] \(environment\)/m);
    expect((await aep.run(['config', 'check', 'elsewhere'])).code).toBe(2);
  });
});
