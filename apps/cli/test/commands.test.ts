import { writeFile } from 'node:fs/promises';

import { buildEvent, buildWire, tempDir } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { aepIn, lines, silentServer, startCollector } from './support.js';

describe('usage', () => {
  it.each([
    [['bogus']],
    [['tail', '--bogus']],
    [['tail', '--count', '0']],
    [['tail', '--count', 'x']],
    [['tail', '--capture', 'all']],
    [['tail', '--url', 'ftp://x']],
    [['tail', '--url', 'http://user:secret@127.0.0.1']],
    [['emit']],
    [['export', '--force']],
    [['export', '-', '--since', 'soon']],
    [['import']],
    [['import', '/nowhere']],
    [['emit', '--type', 'tool', '--session', 's']],
    [['emit', '--type', 'tool.bogus', '--session', 's']],
    [['emit', '--type', 'tool.completed']],
    [['emit', '--type', 'run.started', '--session', 's', '--data', '{']],
    [['validate']],
    [['validate', '/nowhere']],
    [['collector', '--port', '70000']],
    [['collector', '--host', '0.0.0.0']],
    [['collector', '--prot', '1']],
    [['collector', 'extra']],
    [['collector', '--config', '/nowhere']],
    [['collector', '--token-file', '/nowhere']],
    [['collector', '--tls-cert', '/nowhere']],
    [['demo', '--scenario', 'bogus']],
  ])('of %j exits with 2 and one line of reason, data staying empty', async (args) => {
    await using home = await tempDir();
    const { code, stdout, stderr } = await aepIn(home.path).run(args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^(aep|error): /);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(stderr).not.toContain('secret');
  });

  it('prints help and version', async () => {
    await using home = await tempDir();
    const aep = aepIn(home.path);
    expect((await aep.run(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    for (const verb of ['collector', 'tail', 'export', 'import', 'emit', 'validate', 'sessions', 'hook', 'demo']) {
      const help = await aep.run([verb, '--help']);
      expect([help.code, help.stdout]).toEqual([0, expect.stringContaining('Example')]);
      expect((await aep.run(['help', verb])).stdout).toBe(help.stdout);
    }
  });

  it('suggests a near miss', async () => {
    await using home = await tempDir();
    expect((await aepIn(home.path).run(['tial'])).stderr).toContain('tail');
  });

  it('says of a spool command that there is none, and which there are', async () => {
    await using home = await tempDir();
    const aep = aepIn(home.path);
    const unknown = { code: 2, stdout: '', stderr: expect.stringContaining("error: unknown command 'flsh' (spool has: status, flush)\n") as string };
    expect(await aep.run(['spool', 'flsh'])).toMatchObject(unknown);
    expect(await aep.run(['spool', '--json', 'flsh'])).toMatchObject(unknown);
    expect(await aep.run(['spool', 'status', 'flush'])).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining("error: too many arguments for 'status': flush\n") as string });
    expect(await aep.run(['spool', 'status', '--json'])).toMatchObject({ code: 0 });
  });

  it('names the flag whose number is wrong', async () => {
    await using home = await tempDir();
    expect((await aepIn(home.path).run(['tail', '--count', '0'])).stderr).toContain('--count');
  });

  it.each([['tail', '--no-follow'], ['export'], ['emit', '--type', 'progress.status', '--session', 's']])('lists the severities where %s is given none of them', async (...args) => {
    await using home = await tempDir();
    const { code, stderr } = await aepIn(home.path).run([...args, '--severity', 'loud', '--url', 'http://127.0.0.1:9']);
    expect([code, stderr]).toEqual([2, 'aep: --severity is one of debug, info, notice, warning, error, critical\n']);
  });

  it('says how a URL was meant that has no scheme, or the wrong one', async () => {
    await using home = await tempDir();
    const aep = aepIn(home.path);
    expect(await aep.run(['sessions', '--url', 'localhost:8787'])).toMatchObject({ code: 2, stderr: 'aep: not an http or https URL: localhost:8787; did you mean http://localhost:8787?\n' });
    const collector = await startCollector(aep, ['--data', home.file('data')]);
    const { code, stderr } = await aep.run(['sessions', '--url', collector.url.replace('http:', 'https:')]);
    expect([code, stderr]).toEqual([1, expect.stringContaining('/: it does not speak TLS; with http:// it may answer\n')]);
    await collector.process.stop();
  });

  it('says what an open address lacks in the names of the settings', async () => {
    await using home = await tempDir();
    const aep = aepIn(home.path);
    expect((await aep.run(['collector', '--host', '0.0.0.0'])).stderr).toContain('AEP_TOKEN');
    expect((await aep.run(['collector', '--host', '0.0.0.0'], { env: { AEP_TOKEN: 'a-token-of-the-test' } })).stderr).toContain('tls-proxy');
    expect((await aep.run(['collector', '--public-url', 'x'])).stderr).toContain('public-url takes');
    expect((await aep.run(['collector', '--allowed-origin', 'x'])).stderr).toContain('allowed-origin takes');
  });

  it('says when no collector answers', async () => {
    await using home = await tempDir();
    const aep = aepIn(home.path);
    for (const args of [['sessions'], ['demo'], ['export'], ['tail', '--no-follow'], ['emit', '--type', 'progress.status', '--session', 's']]) {
      const { code, stderr } = await aep.run([...args, '--url', 'http://127.0.0.1:9']);
      expect([code, stderr]).toEqual([1, expect.stringContaining('Is the collector running?')]);
      expect(stderr).toContain('http://127.0.0.1:9/');
    }
    const file = await aep.run(['emit', '-', '--url', 'http://127.0.0.1:9'], { input: `${buildWire().json}\n` });
    expect([file.code, file.stderr]).toEqual([1, expect.stringMatching(/^aep: 0 Events were accepted before, now: cannot reach http:\/\/127\.0\.0\.1:9\/.*aep collector$/m)]);
  });

  it.each(['x.acme.hello', 'x.acme', 'hello', 'tools.called'])('says which forms a type has where one is given as %s', async (type) => {
    await using home = await tempDir();
    const { code, stderr } = await aepIn(home.path).run(['emit', '--type', type, '--session', 's', '--dry-run']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('x.{vendor}.{category}.{name}')]);
    expect(stderr).toContain(' {category}.{name}');
  });

  it('says what it waits for when a collector takes the connection and does not answer', async () => {
    await using home = await tempDir();
    await using silent = await silentServer();
    const tail = aepIn(home.path).start(['tail', '--url', silent.url]);
    expect((await tail.output(/^waiting for (.*)$/m))[1]).toBe(`${silent.url}/`);
    expect((await tail.stop('SIGINT')).stdout).toBe('');
  });
});

describe('emit --dry-run', () => {
  it('names the place of what it refuses once', async () => {
    await using home = await tempDir();
    const { code, stderr } = await aepIn(home.path).run(['emit', '--type', 'tool.requestd', '--session', 's', '--dry-run']);
    expect([code, stderr]).toEqual([2, 'aep: $.type: is no type that AEP 0.1 registers\n']);
  });

  it('shows the Event it would send, valid and in an epoch of its own', async () => {
    await using home = await tempDir();
    const { code, stdout } = await aepIn(home.path).run(['emit', '--type', 'progress.status', '--session', 's 1', '--data', '{"phase":"build"}', '--dry-run']);
    const event = JSON.parse(stdout) as Record<string, unknown>;
    expect([code, event]).toEqual([0, expect.objectContaining({ aep: '0.1', type: 'progress.status', session: 's 1', seq: 0, source: 'aep://localhost/agent/aep-cli/session/s%201', data: { phase: 'build' } })]);
    expect(event.epoch).toBeGreaterThan(1_700_000_000_000);
  });

  it('gives a position to no Event that must have none', async () => {
    await using home = await tempDir();
    const { stdout } = await aepIn(home.path).run(['emit', '--type', 'agent.heartbeat', '--dry-run']);
    const event = JSON.parse(stdout) as Record<string, unknown>;
    expect([event.seq, event.epoch, event.session]).toEqual([undefined, undefined, undefined]);
  });
});

describe('validate', () => {
  it('names line, code and place of each fault, and exits with 1', async () => {
    await using home = await tempDir();
    const first = buildWire({ seq: 1 }).json;
    const file = [
      first,
      '{"aep":"0.1"',
      buildWire({ seq: 2, data: { tool: {} } }).json,
      buildWire({ seq: 3, type: 'tool.bogus' }).json,
      JSON.stringify(buildEvent({ seq: 4, session: '' })),
      buildWire({ seq: 1 }).json,
      '{"aep":"0.1","aep":"0.1"}',
    ].join('\n');
    await writeFile(home.file('log.jsonl'), file);
    const aep = aepIn(home.path);
    const { code, stdout } = await aep.run(['validate', home.file('log.jsonl'), '--json']);
    const found = lines(stdout).map((line) => JSON.parse(line) as { line: number; severity: string; code: string; path: string });
    expect(code).toBe(1);
    expect([...new Set(found.filter(({ severity }) => severity === 'error').map(({ line }) => line))]).toEqual([2, 3, 4, 5, 6, 7]);
    expect(found.find(({ line }) => line === 3)?.path).toBe('$.data.tool.name');
    const text = await aep.run(['validate', home.file('log.jsonl')]);
    expect(lines(text.stdout)[0]).toMatch(/log\.jsonl:2: error: invalid-json at \$: (?!\$)/);
    expect(text.stderr).toMatch(/^\d+ Events, \d+ errors, \d+ warnings\n$/);
  });

  it('accepts what is right, from standard input too', async () => {
    await using home = await tempDir();
    const { code, stdout, stderr } = await aepIn(home.path).run(['validate', '-'], { input: `${buildWire({ seq: 1 }).json}\n` });
    expect([code, stdout, stderr]).toEqual([0, '', '1 Event, 0 errors, 0 warnings\n']);
  });
});

describe('config', () => {
  it('says what is in force and where it comes from, and hides the token', async () => {
    await using home = await tempDir();
    await writeFile(home.file('c.toml'), 'port = 9000\n');
    const { code, stdout } = await aepIn(home.path).run(['config', 'check', '--config', home.file('c.toml')], { env: { AEP_TOKEN: 'hunter2hunter2hunter2' } });
    expect(code).toBe(0);
    expect(stdout).toContain('port = 9000 (file)');
    expect(stdout).toContain('token = (set) (environment)');
    expect(stdout).not.toContain('hunter2');
  });

  it('names the folders of the history and the spool, and leaves the variables of the other commands alone', async () => {
    await using home = await tempDir();
    const env = { AEP_HOOK_DEBUG: '1', AEP_HOOK_TIMEOUT_MS: '9', AEP_STATE: '/s', AEP_URL: 'http://x' };
    const { code, stdout } = await aepIn(home.path).run(['config', 'check'], { env });
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^data = ".*aepkit" \(default\)$/m)]);
    expect(stdout).toMatch(/^spool = ".*aepkit.*spool" \(default\)$/m);
    for (const spool of ['off', '/elsewhere']) {
      expect((await aepIn(home.path).run(['config', 'check'], { env: { AEP_SPOOL: spool } })).stdout).toContain(`\nspool = "${spool}" (environment)\n`);
    }
  });

  it('refuses a misspelt key with a suggestion', async () => {
    await using home = await tempDir();
    await writeFile(home.file('c.toml'), 'prot = 9000\n');
    const { code, stderr } = await aepIn(home.path).run(['config', 'check', '--config', home.file('c.toml')]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('did you mean port?')]);
  });

  it('prints the reference', async () => {
    await using home = await tempDir();
    expect((await aepIn(home.path).run(['config', 'reference'])).stdout).toContain('| `buffer` | `--buffer <n>` | `AEP_BUFFER` |');
  });
});
