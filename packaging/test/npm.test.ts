import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, inject, it } from 'vitest';

import { command, insist } from '../src/command.js';
import { tarballOf } from '../src/lab.js';
import { specifier } from '../src/workspace.js';

const lab = inject('lab');

it('all packages install together with npm, from an empty home, and load', { timeout: 150_000 }, async ({ skip }) => {
  const packages = inject('packages');
  const folder = join(lab, 'npm');
  mkdirSync(folder);
  const tarballs = Object.fromEntries(packages.map((each) => [each.name, `file:${tarballOf(lab, each)}`]));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'everything', private: true, type: 'module', dependencies: tarballs, overrides: tarballs }));
  const home = mkdtempSync(join(lab, 'home-'));
  // The registry of the machine, whom it trusts and its proxy, and nothing of the user's settings. The file of the machine is named, since npm looks for
  // it beside the Node it runs under, which is another one here.
  const passed = Object.entries(process.env).filter(([name]) => /^(PATH|SystemRoot|TEMP|TMP|TMPDIR|npm_config_(registry|globalconfig|cafile|ca|strict_ssl)|(https?|no)_proxy|NODE_EXTRA_CA_CERTS)$/i.test(name));
  const env = { ...Object.fromEntries(passed), HOME: home, USERPROFILE: home, npm_config_cache: join(home, 'cache') };
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--engine-strict', '--loglevel=error', '--fetch-retries=5', '--update-notifier=false'];
  try {
    await insist('npm', ['install', ...flags], { cwd: folder, env, timeoutMs: 90_000, shell: process.platform === 'win32' }, 1);
  } catch (error) {
    // A registry that does not answer says nothing about the packages. Whatever else npm says does.
    if (/ended with a signal|ETIMEDOUT|ECONNRESET|ECONNREFUSED|EAI_AGAIN|ERR_SOCKET_TIMEOUT/.test(String(error))) skip('the npm registry did not answer in time');
    throw error;
  }

  const entries = packages.flatMap((each) => each.entries.map((entry) => specifier(each.name, entry)));
  const program = `${entries.map((name, index) => `import * as entry${index} from '${name}';`).join('\n')}
console.log([${entries.map((_, index) => `entry${index}`).join(', ')}].filter((entry) => Object.keys(entry).length > 0).length);`;
  writeFileSync(join(folder, 'load.js'), program);
  const { stdout, stderr } = await command(process.execPath, ['load.js'], { cwd: folder, env });
  expect(stderr).toBe('');
  expect(stdout.trim()).toBe(String(entries.length));
});
