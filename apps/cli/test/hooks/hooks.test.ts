import { createServer } from 'node:http';
import { once } from 'node:events';
import { chmod, link, lstat, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';

import { collectorSettings } from '@aepkit/collector/settings';
import { type Exit, tempDir } from '@aepkit/testkit';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { installHooks, uninstallHooks } from '../../src/commands/hooks.js';
import { wantedHooks } from '../../src/hooks/hook-plan.js';
import { GRANTED_HOLD_S, hookAgent, type HookAgentName } from '../../src/hooks/hook-agent.js';
import { type Aep, aepIn } from '../support.js';

const MODEL = '{\n  "model": "x",\n  "hooks": {\n    "Stop": [\n      { "matcher": "", "hooks": [{ "type": "command", "command": "mine", "timeout": 60 }] }\n    ]\n  }\n}\n';

/** Files in which nothing may change but for the hooks. */
const FILES: Readonly<Record<string, string | Buffer | undefined>> = {
  absent: undefined,
  empty: '',
  blank: ' \n',
  'an empty object': '{}',
  'an empty object over two lines': '{\n}\n',
  'an empty list of hooks': '{ "hooks": {} }\n',
  'an empty list of a hook': '{\n  "hooks": {\n    "Stop": []\n  }\n}\n',
  'hooks of others': MODEL,
  CRLF: MODEL.replaceAll('\n', '\r\n'),
  tabs: MODEL.replaceAll('  ', '\t'),
  'no final newline': MODEL.trimEnd(),
  'odd indentation': '{\n      "a": [1,\n 2],\n\t"hooks" : {\n "Stop":[\n\n]  ,\n   "PreToolUse": [ ] } }\n\n\n',
  comments: '// top\n{\n  "a": 1, // one\n  /* two */ "hooks": { // three\n  }, // four\n} // end\n',
  'a byte order mark': Buffer.from(`\ufeff${MODEL}`),
  'one line': JSON.stringify(JSON.parse(MODEL)),
};

async function at(home: string): Promise<{ aep: Aep; file: string; read(): Promise<Buffer | undefined> }> {
  const file = join(home, '.claude', 'settings.json');
  await mkdir(dirname(file));
  return { aep: aepIn(home), file, read: () => readFile(file).catch(() => undefined) };
}

const ok = (exit: Exit): Exit => {
  expect(exit).toMatchObject({ code: 0 });
  return exit;
};

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

describe('aep hooks install and uninstall', () => {
  it.each(Object.entries(FILES))('leave a file as it was to the byte: %s', async (_name, content) => {
    await using home = await tempDir();
    const { file, read } = await at(home.path);
    if (content !== undefined) await writeFile(file, content);
    const before = await read();
    // In this process: the commands themselves run below, and there are many files.
    vi.stubEnv('HOME', home.path);
    const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const install = async (): Promise<string> => {
      said.mockClear();
      expect(await installHooks('claude-code', {})).toBe(0);
      return said.mock.calls.map(([text]) => String(text)).join('');
    };
    const first = await install();
    const installed = await read();
    expect(installed?.toString()).toContain(' hook claude-code"');
    if (before !== undefined) expect(await readFile(/^the file as it was: (.*)$/m.exec(first)?.[1] ?? '')).toEqual(before);
    expect([await install(), await read()]).toEqual([expect.stringContaining('nothing to do'), installed]);
    expect(await uninstallHooks('claude-code', {})).toBe(0);
    expect(await read()).toEqual(before);
    expect((await readdir(dirname(file))).filter((name) => name !== 'settings.json')).toEqual([]);
  });

  it('go through other flags and back, and follow what a user changed meanwhile', async () => {
    await using home = await tempDir();
    const { aep, file, read } = await at(home.path);
    await writeFile(file, MODEL);
    ok(await aep.run(['hooks', 'install', 'claude-code']));
    const plain = await read();
    ok(await aep.run(['hooks', 'install', 'claude-code', '--hold', '55', '--command', join(home.path, 'my tool')]));
    const held = JSON.parse((await read())?.toString() ?? '') as { hooks: Record<string, { hooks: { command: string; timeout: number }[] }[]> };
    expect(held.hooks.PermissionRequest?.[0]?.hooks[0]).toMatchObject({ command: `'${home.path}/my tool' hook claude-code --hold 55`, timeout: 65 });
    expect(held.hooks.Stop?.[1]?.hooks[0]).toMatchObject({ command: `'${home.path}/my tool' hook claude-code`, timeout: 5 });
    ok(await aep.run(['hooks', 'install', 'claude-code']));
    expect(await read()).toEqual(plain);
    await writeFile(file, (plain?.toString() ?? '').replace('"model": "x"', '"model": "y"'));
    ok(await aep.run(['hooks', 'uninstall', 'claude-code']));
    expect((await read())?.toString()).toBe(MODEL.replace('"x"', '"y"'));
    expect(ok(await aep.run(['hooks', 'uninstall', 'claude-code'])).stderr).toContain('nothing to do');
  });

  it('show what they would do, and do nothing, with --dry-run', async () => {
    await using home = await tempDir();
    const { aep, file, read } = await at(home.path);
    await writeFile(file, MODEL);
    const { stdout, stderr } = ok(await aep.run(['hooks', 'install', 'claude-code', '--events', 'Stop', 'PreToolUse', '--dry-run']));
    expect(stdout).toContain(`--- ${file}\n+++ ${file}\n@@ `);
    expect(stdout).toMatch(/^\+ {4}"PreToolUse": \[$/m);
    expect(stdout.split('\n').filter((line) => /^-(?!--)/.test(line))).toHaveLength(1);
    expect(stderr).toContain('dry run: nothing was written');
    expect((await read())?.toString()).toBe(MODEL);
    expect(await readdir(home.path)).toEqual(['.claude']);
    ok(await aep.run(['hooks', 'install', 'claude-code', '--events', 'Stop']));
    expect(ok(await aep.run(['hooks', 'uninstall', 'claude-code', '--dry-run'])).stdout).toContain('-            "type": "command",');
    expect((await read())?.toString()).not.toBe(MODEL);
  });

  it.each<[string | Buffer, HookAgentName, string]>([
    ['{"a":', 'claude-code', 'is no JSON'],
    ['[]', 'claude-code', 'is no JSON object'],
    ['{"hooks":{"PreToolUse":{}}}', 'claude-code', 'something else than a list as hooks.PreToolUse'],
    [Buffer.from([0x7b, 0xff, 0x7d]), 'gemini-cli', 'is no UTF-8 text'],
  ])('refuse %j of %s and write nothing', async (content, agent, reason) => {
    await using home = await tempDir();
    const [folder, name] = agent === 'gemini-cli' ? ['.gemini', 'settings.json'] : ['.claude', 'settings.json'];
    await mkdir(home.file(folder));
    await writeFile(join(home.path, folder, name), content);
    vi.stubEnv('HOME', home.path);
    await expect(installHooks(agent, {})).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining(reason) as string });
    expect(await readFile(join(home.path, folder, name))).toEqual(Buffer.from(content));
    expect(await readdir(home.path)).toEqual([folder]);
  });

  it('follow links, keep permissions, and write a new file for its user alone', async () => {
    await using home = await tempDir();
    const { aep, file } = await at(home.path);
    const real = home.file('dotfiles.json');
    await writeFile(real, MODEL, { mode: 0o640 });
    await symlink('../dotfiles.json', file);
    ok(await aep.run(['hooks', 'install', 'claude-code']));
    expect((await lstat(file)).isSymbolicLink()).toBe(true);
    expect((await stat(real)).mode & 0o777).toBe(0o640);
    ok(await aep.run(['hooks', 'uninstall', 'claude-code']));
    expect([await readFile(real, 'utf8'), (await stat(real)).mode & 0o777]).toEqual([MODEL, 0o640]);
    ok(await aep.run(['hooks', 'install', 'gemini-cli']));
    expect((await stat(home.file('.gemini/settings.json'))).mode & 0o777).toBe(0o600);
    ok(await aep.run(['hooks', 'uninstall', 'gemini-cli']));
    expect(await readdir(home.path)).not.toContain('.gemini');
  });

  it('follow a link to a file that is not there yet, and refuse what is no file', async () => {
    await using home = await tempDir();
    const { aep, file } = await at(home.path);
    await symlink('../later.json', file);
    ok(await aep.run(['hooks', 'install', 'claude-code']));
    expect(await readFile(home.file('later.json'), 'utf8')).toContain('hook claude-code');
    ok(await aep.run(['hooks', 'uninstall', 'claude-code']));
    expect(await readdir(home.path)).not.toContain('later.json');
    await mkdir(home.file('later.json'));
    expect(await aep.run(['hooks', 'install', 'claude-code'])).toMatchObject({ code: 2, stderr: expect.stringContaining('is no file') as string });
  });

  it('write for the project in the current folder with --project, and warn of both', async () => {
    await using home = await tempDir();
    const aep = aepIn(home.path);
    await mkdir(home.file('work'));
    ok(await aep.run(['hooks', 'install', 'codex']));
    const exit = await aep.start(['hooks', 'install', 'codex', '--project'], {}, home.file('work')).exit;
    expect(exit).toMatchObject({ code: 0, stderr: expect.stringContaining('every call may be told twice') as string });
    const { hooks } = JSON.parse(await readFile(home.file('work/.codex/hooks.json'), 'utf8')) as { hooks: Record<string, object[]> };
    expect(hooks.SessionEnd).toEqual([{ hooks: [{ type: 'command', command: expect.stringMatching(/ hook codex$/) as string, timeout: 3 }] }]);
    expect(exit.stderr).toContain('/hooks');
    expect((await aep.start(['hooks', 'uninstall', 'codex', '--project'], {}, home.file('work')).exit).code).toBe(0);
    expect(await readdir(home.file('work'))).toEqual([]);
    expect(JSON.parse(await readFile(home.file('.codex/hooks.json'), 'utf8'))).toHaveProperty('hooks');
  });

  it('install commands that the shell of an agent can run', async () => {
    await using home = await tempDir();
    const aep = aepIn(home.path);
    ok(await aep.run(['hooks', 'install', 'gemini-cli', '--events', 'SessionStart']));
    const { hooks } = JSON.parse(await readFile(home.file('.gemini/settings.json'), 'utf8')) as { hooks: { SessionStart: { hooks: { command: string; timeout: number; name: string }[] }[] } };
    const [hook] = hooks.SessionStart[0]?.hooks ?? [];
    expect(hook).toMatchObject({ name: 'aepkit', timeout: 5000 });
    expect(hook?.command).toMatch(/^\/.*node \/.*bin\/aep\.js hook gemini-cli$/);
  });

  it.each([[['install', 'bogus']], [['install', 'claude-code', '--hold', '0']], [['status', 'bogus']], [['install', 'claude-code', '--command', 'a\nb']]])('take %j for wrong usage', async (args) => {
    await using home = await tempDir();
    expect(await aepIn(home.path).run(['hooks', ...args])).toMatchObject({ code: 2, stdout: '' });
    expect(await readdir(home.path)).toEqual([]);
  });

  it('say that a collector elsewhere has to be named to the agent as well', async () => {
    await using home = await tempDir();
    const aep = aepIn(home.path);
    const { stderr } = ok(await aep.run(['hooks', 'install', 'claude-code'], { env: { AEP_URL: 'http://127.0.0.1:9000' } }));
    expect(stderr).toContain('set AEP_URL=http://127.0.0.1:9000 where you start Claude Code, too.\n');
    expect(ok(await aep.run(['hooks', 'install', 'claude-code'])).stderr).not.toContain('AEP_URL');
  });

  it('hold with nothing said to the collector, and say where that is not enough', async () => {
    await using home = await tempDir();
    const { aep } = await at(home.path);
    expect(String(GRANTED_HOLD_S)).toBe(collectorSettings.hold.defaultText);
    expect(ok(await aep.run(['hooks', 'install', 'claude-code', '--hold', '600'])).stderr).not.toContain('AEP_HOLD');
    expect(ok(await aep.run(['hooks', 'install', 'claude-code', '--hold', '601'])).stderr).toContain('AEP_HOLD=claude-code=601');
  });

  it('refuse holds that an agent does not know or that last too long, and hooks that are none', async () => {
    const refused = { exitCode: 2 };
    await expect(wantedHooks(hookAgent('gemini-cli'), { hold: 5 })).rejects.toMatchObject(refused);
    await expect(wantedHooks(hookAgent('claude-code'), { hold: 3601 })).rejects.toMatchObject(refused);
    await expect(wantedHooks(hookAgent('claude-code'), { events: ['Stop', 'WorktreeCreate'] })).rejects.toMatchObject(refused);
  });

  it('respect a file that nobody may write, and one with two names', async () => {
    await using home = await tempDir();
    const { aep, file } = await at(home.path);
    await writeFile(file, MODEL);
    await link(file, home.file('other-name'));
    ok(await aep.run(['hooks', 'install', 'claude-code']));
    ok(await aep.run(['hooks', 'uninstall', 'claude-code']));
    expect(await readFile(file, 'utf8')).toBe(MODEL);
    if (process.getuid?.() === 0) return;
    await chmod(file, 0o444);
    expect(await aep.run(['hooks', 'install', 'claude-code'])).toMatchObject({ code: 1, stderr: expect.stringContaining('cannot be written') as string });
  });
});

describe('aep hooks status', () => {
  it('says what is installed, with which command, and whether a collector answers', async () => {
    await using home = await tempDir();
    const { aep } = await at(home.path);
    const none = await aep.run(['hooks', 'status', 'claude-code'], { env: { AEP_URL: 'http://127.0.0.1:9' } });
    expect([none.code, none.stdout]).toEqual([1, expect.stringContaining('not installed')]);
    ok(await aep.run(['hooks', 'install', 'claude-code', '--hold', '30']));
    const server = createServer((_request, response) => response.end('{}'));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { stdout } = ok(await aep.run(['hooks', 'status', 'claude-code'], { env: { AEP_URL: url } }));
    server.close();
    expect(stdout).toMatch(/^claude-code {2}user {2}.*\.claude\/settings\.json: \d\d hooks$/m);
    expect(stdout).toMatch(/^ {2}PermissionRequest: .*node .*aep\.js hook claude-code --hold 30$/m);
    expect(stdout).toContain(`collector  ${url}/: answers`);
    const json = JSON.parse(ok(await aep.run(['hooks', 'status', '--json'])).stdout) as { scopes: { agent: string; scope: string; hooks: object[]; problems: string[] }[] };
    expect(json.scopes.map(({ agent, scope, hooks }) => [agent, scope, hooks.length > 0])).toEqual(
      ['claude-code', 'codex', 'gemini-cli'].flatMap((agent) => [[agent, 'user', agent === 'claude-code'], [agent, 'project', false]]),
    );
  });

  it('names what keeps hooks from working', async () => {
    await using home = await tempDir();
    const { aep, file } = await at(home.path);
    ok(await aep.run(['hooks', 'install', 'claude-code', '--command', '/nowhere/aep', '--hold', '30']));
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace('{', '{ "disableAllHooks": true, // x\n').replaceAll('"timeout": 5', '"timeout": 100000').replace('"timeout": 40', '"timeout": 30'));
    const { code, stdout } = await aep.run(['hooks', 'status', 'claude-code']);
    expect(code).toBe(1);
    for (const part of ['/nowhere/aep does not exist', 'takes neither comments', 'disableAllHooks', 'the timeout of Stop is 100000 seconds', 'the timeout of PermissionRequest is not longer than its --hold']) expect(stdout).toContain(part);
  });

  it('tells how Codex trusts hooks, and which of them are', async () => {
    await using home = await tempDir();
    const aep = aepIn(home.path);
    ok(await aep.run(['hooks', 'install', 'codex', '--events', 'Stop', 'PreToolUse']));
    expect(ok(await aep.run(['hooks', 'status', 'codex'])).stdout).toContain('0 of 2 were trusted in Codex');
    const hooks = home.file('.codex/hooks.json');
    await writeFile(home.file('.codex/config.toml'), ['stop', 'pre_tool_use'].map((event) => `[hooks.state."${hooks}:${event}:0:0"]\ntrusted_hash = "sha256:x"\n`).join(''));
    expect(ok(await aep.run(['hooks', 'status', 'codex'])).stdout).toContain('all of them were trusted');
    await writeFile(home.file('.codex/config.toml'), '[features]\nhooks = false\n[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "x"\n');
    const off = await aep.run(['hooks', 'status', 'codex']);
    expect([off.code, off.stdout]).toEqual([1, expect.stringContaining('hooks are turned off in config.toml')]);
    expect(off.stdout).toContain('runs those of both');
  });
});
