// Replay of held Events over SSE, complete, against a server that writes the same bytes; and how long others wait meanwhile.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Access } from '@aepkit/access';
import { sseBinding, sseEncoder } from '@aepkit/binding-sse/server';
import { parseEvent } from '@aepkit/envelope';
import { openHistory } from '@aepkit/history';
import { Hub, memoryLog } from '@aepkit/hub';
import { ReplayBuffer } from '@aepkit/replay-buffer';
import { serve } from '@hono/node-server';

import { cpuSince, median, openBench, size } from './lib/bench.mjs';
import { eventText } from './lib/events.mjs';

const HELD = size(10_000, 200);
const ROUNDS = size(9, 1);
const HOST = '127.0.0.1';
const WRITE_BYTES = 65_536;
const SEVERITIES = ['debug', 'info', 'notice', 'warning', 'error', 'critical'];

const { row, done } = openBench('replay');
const events = Array.from({ length: HELD }, (_, seq) => parseEvent(Buffer.from(eventText(seq, { severity: SEVERITIES[seq % 6] }))));
const frames = events.map(sseEncoder);
const total = frames.reduce((sum, { length }) => sum + length, 0);
const from = { principal: { name: 'bench', scopes: new Set(['emit']), authenticated: true }, via: 'post' };

/** Writes the same bytes in pieces as large as a replay writes, as fast as the socket takes them. */
async function bare() {
  const all = Buffer.concat(frames);
  const server = createServer(async (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (let at = 0; at < all.length; at += WRITE_BYTES) {
      if (!response.write(all.subarray(at, at + WRITE_BYTES)) && !response.destroyed) await once(response.socket, 'drain');
    }
  }).listen(0, HOST);
  await once(server, 'listening');
  return { server, end: () => undefined };
}

async function endpoint(log, end) {
  const hub = new Hub({ id: 'bench', log });
  for (let at = 0; at < HELD; at += 100) await hub.ingest(events.slice(at, at + 100), from);
  const server = serve({ fetch: sseBinding({ hub, access: new Access({ host: HOST }) }).fetch, port: 0, hostname: HOST });
  await once(server, 'listening');
  return { server, end: () => hub.close().then(end) };
}

/** One replay; the longest turn of the event loop is what others wait. */
async function replay({ server }) {
  const child = fork(join(import.meta.dirname, 'lib/sse-reader.mjs'), [server.address().port, 1, total, '/stream?from=all']);
  let longest = 0;
  let last = 0;
  let running = true;
  await once(child, 'message');
  const over = new Promise((resolve) => child.on('message', (step) => step === 'done' && resolve()));
  const cpu = process.cpuUsage();
  const start = performance.now();
  last = start;
  const tick = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (running) setImmediate(tick);
  };
  child.send('go');
  tick();
  await over;
  running = false;
  const result = { wall: performance.now() - start, cpu: cpuSince(cpu) / 1000, longest };
  child.disconnect();
  return result;
}

const folder = mkdtempSync(join(tmpdir(), 'aepkit-bench-'));
const history = await openHistory({ path: join(folder, 'history.db') });
const sides = { bare: await bare(), memory: await endpoint(memoryLog(new ReplayBuffer({ copy: false })), () => undefined), history: await endpoint(history, () => history.close()) };
const found = Object.fromEntries(Object.keys(sides).map((name) => [name, []]));
for (let round = -1; round < ROUNDS; round += 1) {
  for (const [name, side] of Object.entries(sides)) {
    const result = await replay(side);
    if (round >= 0) found[name].push(result);
  }
}
for (const [name, title] of [['memory', 'from memory'], ['history', 'from the history']]) {
  const ratio = (measure) => median(found[name].map((result, round) => found.bare[round][measure] / result[measure]));
  const rate = Math.round(HELD / median(found[name].map(({ wall }) => wall)));
  const longest = median(found[name].map((each) => each.longest)).toFixed(1);
  row(`replay of ${HELD}, ${title}, of writing the same bytes`, ratio('wall'), {
    atLeast: 0.5, note: `by processor time ${ratio('cpu').toFixed(2)}×; ${rate} k Events/s; others wait ${longest} ms at most`,
  });
}
for (const { server, end } of Object.values(sides)) {
  await end();
  server.closeAllConnections();
  server.close();
}
rmSync(folder, { recursive: true, force: true });
done();
