// Ratios of one run: ingest by HTTP against a bare server that only parses each line; replay; opening. The best of some
// rounds that take turns, since other programs only ever make it slower: node bench/history.bench.mjs [events] [rounds]
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEvent } from '@aepkit/envelope';
import { args, openBench, size } from '../../../bench/lib/bench.mjs';
import { openHistory } from '../dist/index.js';
import { makeTexts } from './events.mjs';

const { say, row, done } = openBench('history');
const EVENTS = Number(args[0] ?? size(100_000, 1_000));
const ROUNDS = Number(args[1] ?? size(3, 1));
const BATCH = 100;
const CONNECTIONS = 16;
const folder = mkdtempSync(join(tmpdir(), 'aepkit-bench-'));
const us = (ms, count) => `${((ms * 1000) / count).toFixed(1)} µs per Event`;

/** POSTs every body over a few connections, one request at a time on each. */
async function post(port, bodies) {
  let next = 0;
  const start = performance.now();
  await Promise.all(
    Array.from({ length: CONNECTIONS }, () => {
      return new Promise((resolve, reject) => {
        const socket = connect(port, '127.0.0.1');
        const send = () => {
          const body = bodies[next++];
          if (body === undefined) {
            socket.end();
            resolve();
          } else socket.write(body);
        };
        let answer = '';
        socket.on('data', (data) => {
          answer += data.toString('latin1');
          if (!answer.includes('\r\n\r\n')) return;
          if (!answer.startsWith('HTTP/1.1 202')) reject(new Error(answer));
          answer = '';
          send();
        });
        socket.on('error', reject);
        socket.on('connect', send);
      });
    }),
  );
  return performance.now() - start;
}

function makeBodies(sessions) {
  const texts = makeTexts(EVENTS, sessions);
  const bodies = [];
  for (let from = 0; from < texts.length; from += BATCH) {
    const body = texts.slice(from, from + BATCH).join('\n') + '\n';
    bodies.push(Buffer.from(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`));
  }
  return bodies;
}

async function ingest(kind, sessions, bodies) {
  const file = join(folder, `${kind}-${sessions}.db`);
  for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
  const server = spawn(process.execPath, [fileURLToPath(new URL('./server.mjs', import.meta.url)), kind, file]);
  server.stderr.pipe(process.stderr);
  let output = '';
  const port = await new Promise((resolve) => server.stdout.on('data', (data) => resolve(parseInt((output += data), 10))));
  const ms = await post(port, bodies);
  output = '';
  server.kill('SIGTERM');
  await new Promise((resolve) => server.on('close', resolve));
  return { ms, ...JSON.parse(output) };
}

for (const sessions of size([1, 16, 100], [16])) {
  const bodies = makeBodies(sessions);
  const best = new Map();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const kind of ['bare', 'worker', 'inline']) {
      const result = await ingest(kind, sessions, bodies);
      if (result.ms < (best.get(kind)?.ms ?? Infinity)) best.set(kind, result);
    }
  }
  const bare = best.get('bare');
  say(`ingest, ${BATCH} per batch, ${sessions} sessions taking turns: bare ${us(bare.ms, EVENTS)}`);
  for (const kind of ['worker', 'inline']) {
    const { ms, utilization, cpuMs } = best.get(kind);
    const busy = `main thread ${(utilization * 100).toFixed(0)} % busy, processor ${us(cpuMs, EVENTS)}`;
    row(`append of 100 over bare HTTP, ${kind}, ${sessions} sessions, of the limit`, bare.ms / ms, { note: `${us(ms, EVENTS)}, ${busy}` });
  }
}

const path = join(folder, 'worker-16.db');
const opening = performance.now();
const history = await openHistory({ path });
say(`open a store of ${EVENTS} Events: ${(performance.now() - opening).toFixed(0)} ms`);

const texts = makeTexts(size(20_000, 500), 16);
const parsing = performance.now();
for (const text of texts) JSON.parse(text);
const parseUs = ((performance.now() - parsing) * 1000) / texts.length;

for (const [name, from] of [
  ['in the order of the log', { type: 'mark', mark: 0 }],
  ['of all sessions', { type: 'all' }],
  ['of all sessions again', { type: 'all' }],
]) {
  let events = 0;
  let longest = 0;
  let turn = performance.now();
  const start = turn;
  for await (const chunk of history.replay(from, history.mark())) {
    for (const step of chunk) if (step.type === 'event') events += 1;
    longest = Math.max(longest, performance.now() - turn);
    turn = performance.now();
  }
  const took = performance.now() - start;
  const rate = `${(events / took).toFixed(0)} k Events/s`;
  row(`replay ${name}, cost against parsing the texts`, (took * 1000) / events / parseUs, { note: `${rate}, longest step ${longest.toFixed(1)} ms` });
}

const parsed = makeTexts(200, 4).map((text) => parseEvent(text.replace('claude-code/session', 'late/session')));
const waits = [];
let replaying = true;
const replay = (async () => {
  let events = 0;
  for await (const chunk of history.replay({ type: 'all' }, history.mark())) for (const step of chunk) if (step.type === 'event') events += step.event.event.seq >= 0 ? 1 : 0;
  replaying = false;
  return events;
})();
for (let index = 0; replaying && index < parsed.length; index += 1) {
  const start = performance.now();
  await history.append([parsed[index]]);
  waits.push(performance.now() - start);
}
waits.sort((a, b) => a - b);
say(`append of one Event while ${await replay} are replayed and parsed: median ${waits[waits.length >> 1].toFixed(1)} ms, longest ${waits.at(-1).toFixed(1)} ms`);
await history.close();
rmSync(folder, { recursive: true });
done();
