// How long the commands that people and hooks start take, against an empty Node program.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { median, openBench, size } from './lib/bench.mjs';

const ROUNDS = size(25, 1);
const AEP = join(import.meta.dirname, '../apps/cli/bin/aep.js');

const { row, done } = openBench('startup');
const folder = mkdtempSync(join(tmpdir(), 'aepkit-bench-'));
writeFileSync(join(folder, 'empty.mjs'), '');
// Answers at once, so that the wait for a collector is not what is measured.
const server = createServer((request, response) => request.resume().on('end', () => response.writeHead(204).end())).listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const env = { ...process.env, HOME: folder, AEP_URL: `http://127.0.0.1:${server.address().port}` };

/** A call of a tool, as it was recorded. */
function callOf(agent) {
  const recorded = readFileSync(join(import.meta.dirname, `../packages/adapter-${agent}/recordings/sessions.jsonl`), 'utf8').trim().split('\n');
  return JSON.stringify(recorded.map((line) => JSON.parse(line).payload).find(({ tool_input }) => tool_input !== undefined));
}

/** Milliseconds of processor time of the children that have ended; NaN where the system does not tell. */
function childrenCpu() {
  try {
    const [user, system] = readFileSync('/proc/self/stat', 'latin1').replace(/^.*\) /, '').split(' ').slice(13, 15).map(Number);
    return (user + system) * 10;
  } catch {
    return NaN;
  }
}

/** Time from start to exit, and of the processor, in milliseconds. */
function run({ args, input = '', more = {} }) {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const cpu = childrenCpu();
    const child = spawn(process.execPath, args, { env: { ...env, ...more }, stdio: ['pipe', 'ignore', 'inherit'] });
    child.stdin.on('error', () => undefined).end(input);
    child.on('close', (code) => (code === 0 ? resolve({ ms: performance.now() - start, cpu: childrenCpu() - cpu }) : reject(new Error(`${args.join(' ')}: exit ${code}`))));
  });
}

const sides = {
  empty: { args: [join(folder, 'empty.mjs')] },
  'aep --version': { args: [AEP, '--version'] },
  'hook shim, collector answers': { args: [AEP, 'hook', 'claude-code'], input: callOf('claude-code') },
};
// Nobody listens on port 9, so each call is read and waits in the spool behind those of the rounds before.
for (const agent of ['claude-code', 'codex', 'gemini-cli']) {
  sides[`hook shim of ${agent}, call waits in the spool`] = { args: [AEP, 'hook', agent], input: callOf(agent), more: { AEP_URL: 'http://127.0.0.1:9', AEP_SPOOL: join(folder, agent) } };
}
const found = Object.fromEntries(Object.keys(sides).map((title) => [title, []]));
for (let round = -1; round < ROUNDS; round += 1) {
  for (const [title, side] of Object.entries(sides)) {
    const took = await run(side);
    if (round >= 0) found[title].push(took);
  }
}
const total = (title) => found[title].reduce((sum, { cpu }) => sum + cpu, 0);
const middle = (title) => median(found[title].map(({ ms }) => ms)).toFixed(0);
for (const [title, { more }] of Object.entries(sides).slice(1)) {
  if (more !== undefined && readdirSync(join(more.AEP_SPOOL, 'hooks/local-9')).filter((name) => name.endsWith('.lines')).length <= ROUNDS) throw new Error(`${title}: not all of them wait`);
  row(`${title}, against an empty program`, median(found[title].map(({ ms }, round) => ms / found.empty[round].ms)), {
    atMost: 2, note: `${middle(title)} against ${middle('empty')} ms; ${(total(title) / total('empty')).toFixed(2)}× by processor time`,
  });
}
server.close();
server.closeAllConnections();
rmSync(folder, { recursive: true, force: true });
done();
