// Fan-out to 100 consumers in batches of 20: hub and binding against a bare node:http server that writes one prepared
// buffer to each response. Both run in this process; readers run in a child, so that only the server's side is the subject.
//
//   node bench/fanout.bench.mjs [consumers] [batch] [rounds]
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';

import { Access } from '@aepkit/access';
import { wireEvent } from '@aepkit/envelope';
import { Hub, memoryLog } from '@aepkit/hub';
import { ReplayBuffer } from '@aepkit/replay-buffer';
import { serve } from '@hono/node-server';

import { args, median, openBench, size } from '../../../bench/lib/bench.mjs';
import { sseBinding, sseEncoder } from '../dist/server.js';

const READER = 'reader';

if (process.argv[2] === READER) {
  const [port, consumers, target] = process.argv.slice(3).map(Number);
  let done = 0;
  let open = 0;
  for (let index = 0; index < consumers; index += 1) {
    const socket = connect(port, '127.0.0.1', () => socket.write('GET /stream HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'));
    let bytes = -1;
    socket.on('data', (chunk) => {
      if (bytes < 0) {
        bytes = 0;
        open += 1;
        if (open === consumers) process.send('open');
        return;
      }
      bytes += chunk.length;
      // Chunk framing comes on top, so this is passed with the last batch at the latest.
      if (bytes >= target) {
        bytes = -Infinity;
        done += 1;
        if (done === consumers) process.send('done');
      }
    });
  }
} else {
  const { say, row, done: finish } = openBench('sse-fanout');
  const consumers = Number(args[0] ?? size(100, 5));
  const batch = Number(args[1] ?? 20);
  const rounds = Number(args[2] ?? size(400, 10));
  const events = Array.from({ length: batch * rounds }, (_, seq) =>
    wireEvent({
      aep: '0.1',
      id: `event-${String(seq).padStart(8, '0')}`,
      type: 'tool.requested',
      time: '2026-01-01T00:00:00.000Z',
      source: 'aep://bench/agent/a1/session/s1',
      agent: 'a1',
      session: 's1',
      seq,
      severity: 'notice',
      data: { tool: { name: 'shell' }, note: 'x'.repeat(380) },
    }),
  );
  const batches = Array.from({ length: rounds }, (_, round) => events.slice(round * batch, (round + 1) * batch));
  const target = events.reduce((sum, event) => sum + sseEncoder(event).length, 0);

  /** Starts the readers, runs `write` for every batch as fast as it lets, and gives deliveries and CPU per second. */
  const measure = async (port, write) => {
    const child = fork(new URL(import.meta.url).pathname, [READER, port, consumers, target]);
    await once(child, 'message');
    const cpu = process.cpuUsage();
    const start = performance.now();
    const done = once(child, 'message');
    for (let round = 0; round < rounds; round += 1) await write(round);
    await done;
    const seconds = (performance.now() - start) / 1000;
    const { user, system } = process.cpuUsage(cpu);
    child.kill();
    return { rate: (consumers * batch * rounds) / seconds, cpu: (user + system) / (consumers * batch * rounds) };
  };

  const turn = () => new Promise((resolve) => setImmediate(resolve));

  /** As fast as the readers take it, found out in the same way for both. */
  const pace = (server) => {
    const sockets = new Set();
    server.on('connection', (socket) => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
    });
    return async () => {
      await turn();
      for (const socket of sockets) if (socket.writableNeedDrain) await once(socket, 'drain');
    };
  };

  const limit = async () => {
    const responses = new Set();
    const server = createServer((_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.write(': stream\n\n');
      responses.add(response);
      response.on('close', () => responses.delete(response));
    }).listen(0, '127.0.0.1');
    const paced = pace(server);
    await once(server, 'listening');
    const prepared = batches.map((some) => Buffer.concat(some.map(sseEncoder)));
    const result = await measure(server.address().port, async (round) => {
      for (const response of responses) response.write(prepared[round]);
      await paced();
    });
    server.closeAllConnections();
    server.close();
    return result;
  };

  const ours = async () => {
    const hub = new Hub({ log: memoryLog(new ReplayBuffer({ perSession: 10_000 })), id: 'bench', maxQueueBytes: 64 * 1024 * 1024 });
    const server = serve({ fetch: sseBinding({ hub, access: new Access({ host: '127.0.0.1' }) }).fetch, port: 0, hostname: '127.0.0.1' });
    const paced = pace(server);
    await once(server, 'listening');
    const from = { principal: { name: 'bench', scopes: new Set(['emit']), authenticated: true }, via: 'post' };
    const result = await measure(server.address().port, async (round) => {
      await hub.ingest(batches[round], from);
      await paced();
    });
    await hub.close();
    server.closeAllConnections();
    server.close();
    return result;
  };

  const runs = { limit: [], ours: [] };
  for (let run = 0; run < size(9, 1); run += 1) {
    runs.limit.push(await limit());
    runs.ours.push(await ours());
  }
  const middle = (results) => ({ rate: median(results.map(({ rate }) => rate)), cpu: median(results.map(({ cpu }) => cpu)) });
  const a = middle(runs.limit);
  const b = middle(runs.ours);
  say(`${consumers} consumers, batches of ${batch}, ${Math.round(target / events.length)}-byte messages`);
  say(`limit  ${Math.round(a.rate)} deliveries/s, ${a.cpu.toFixed(2)} µs CPU each`);
  say(`ours   ${Math.round(b.rate)} deliveries/s, ${b.cpu.toFixed(2)} µs CPU each`);
  const ratio = (measure) => median(runs.ours.map((ours, run) => measure(ours, runs.limit[run])));
  row(`SSE fan-out, ${consumers} consumers, batches of ${batch}`, ratio((ours, limit) => ours.rate / limit.rate), {
    atLeast: 0.85,
    note: `by processor time ${ratio((ours, limit) => limit.cpu / ours.cpu).toFixed(2)}×`,
  });
  finish();
}
