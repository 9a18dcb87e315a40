// Runs where the package is installed alone: see packaging/README.md. The commands are those at the start of the README.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const bin = (name) => fileURLToPath(new URL(`node_modules/.bin/${name}`, import.meta.url));

function start(args, env) {
  return spawn(bin('aep'), args, { stdio: ['pipe', 'pipe', 'pipe'], env: { ...process.env, ...env }, shell: process.platform === 'win32' });
}

async function aep(args, env = {}, input = '') {
  const child = start(args, env);
  child.stdin.end(input);
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (out += text));
  child.stderr.resume();
  const [code] = await once(child, 'close');
  return { code, out };
}

export const expected = { version: 0, hook: 0, emit: 0, sessions: 0, named: ['s1'], types: ['progress.status'], valid: 0, stopped: 0 };

export async function run() {
  const version = (await aep(['--version'])).code;
  const hook = (await aep(['hook', 'claude-code'], { AEP_URL: 'http://127.0.0.1:9' }, '{"session_id":"try","hook_event_name":"SessionStart"}')).code;
  const collector = start(['collector', '--port', '0', '--data', './data'], {});
  let url;
  for await (const line of createInterface({ input: collector.stderr })) {
    url = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
    if (url !== undefined) break;
  }
  collector.stderr.resume();
  const env = { AEP_URL: url, AEP_STATE: './state' };
  const emit = await aep(['emit', '--type', 'progress.status', '--session', 's1', '--data', '{"phase":"build"}'], env);
  const sessions = await aep(['sessions', '--limit', '5', '--json'], env);
  const tail = await aep(['tail', '--json', '--no-follow', '--no-resume'], env);
  const types = tail.out.trim().split('\n').map((line) => JSON.parse(line).type);
  const valid = (await aep(['validate', '-'], {}, tail.out)).code;
  const ended = once(collector, 'close');
  collector.kill('SIGTERM');
  const [stopped] = await ended;
  const named = [...sessions.out.matchAll(/"session":\s*"([^"]+)"/g)].map(([, name]) => name);
  return { version, hook, emit: emit.code, sessions: sessions.code, named, types, valid, stopped };
}
