// How long the commands that people and hooks start take, against an empty Node program.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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
const HOOK = JSON.stringify({ session_id: 's', hook_event_name: 'PreToolUse', cwd: '/w', tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 't' });

/** Milliseconds from start to exit. */
function run(args, input = '') {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const child = spawn(process.execPath, args, { env, stdio: ['pipe', 'ignore', 'inherit'] });
    child.stdin.on('error', () => undefined).end(input);
    child.on('close', (code) => (code === 0 ? resolve(performance.now() - start) : reject(new Error(`${args.join(' ')}: exit ${code}`))));
  });
}

const sides = { empty: [[join(folder, 'empty.mjs')]], version: [[AEP, '--version']], hook: [[AEP, 'hook', 'claude-code'], HOOK] };
const found = { empty: [], version: [], hook: [] };
for (let round = -1; round < ROUNDS; round += 1) {
  for (const [name, [args, input]] of Object.entries(sides)) {
    const ms = await run(args, input);
    if (round >= 0) found[name].push(ms);
  }
}
for (const [name, title] of [['version', 'aep --version'], ['hook', 'hook shim, collector answers']]) {
  row(`${title}, against an empty program`, median(found[name].map((ms, round) => ms / found.empty[round])), {
    atMost: 2, note: `${median(found[name]).toFixed(0)} against ${median(found.empty).toFixed(0)} ms`,
  });
}
server.close();
server.closeAllConnections();
rmSync(folder, { recursive: true, force: true });
done();
