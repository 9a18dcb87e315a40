// Fan-out to 100 consumers in batches of 20: hub and binding against a plain broadcaster on `ws`, that sends each text to each
// client. Both run in this process; readers run in a child, so that only the server's side is the subject.
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
import { WebSocketServer } from 'ws';

import { args, median, openBench, size } from '../../../bench/lib/bench.mjs';
import { attachWebSocket, webSocketBinding, wsEncoder } from '../dist/server.js';

const READER = 'reader';

/** A text message as a client sends it, with a mask of zeros. */
const message = (text) => {
  const payload = Buffer.from(text);
  return Buffer.concat([Buffer.from([0x81, 0x80 | 126, payload.length >> 8, payload.length & 0xff, 0, 0, 0, 0]), payload]);
};

if (process.argv[2] === READER) {
  const [port, consumers, target, filters] = process.argv.slice(3).map(Number);
  let done = 0;
  let open = 0;
  for (let index = 0; index < consumers; index += 1) {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write('GET /socket HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n');
    });
    let bytes = -1;
    let head = '';
    socket.on('data', (chunk) => {
      if (bytes >= 0 || Object.is(bytes, -Infinity)) {
        bytes += chunk.length;
        if (bytes >= target) {
          bytes = -Infinity;
          done += 1;
          if (done === consumers) process.send('done');
        }
        return;
      }
      const before = head;
      head += chunk.toString('latin1');
      if (!before.includes('\r\n\r\n') && head.includes('\r\n\r\n')) {
        socket.write(message('{"type":"hello","versions":["0.1"],"role":"consumer"}'));
        const filter = filters > 0 ? `,"filter":{"subject":"t${index % filters}"}` : '';
        socket.write(message(`{"type":"subscribe","id":"s"${filter}}`));
      }
      // The bare server answers a subscribe as well, so both begin in the same way.
      if (!head.includes('"subscribed"')) return;
      bytes = 0;
      open += 1;
      if (open === consumers) process.send('open');
    });
  }
} else {
  const { say, row, done: finish } = openBench('ws-fanout');
  const consumers = Number(args[0] ?? size(100, 5));
  const batch = Number(args[1] ?? 20);
  const rounds = Number(args[2] ?? size(100, 10));
  const event = (seq, subject) =>
    wireEvent({
      aep: '0.1',
      id: `event-${String(seq).padStart(8, '0')}`,
      type: 'tool.requested',
      time: '2026-01-01T00:00:00.000Z',
      source: 'aep://bench/agent/a1/session/s1',
      agent: 'a1',
      session: 's1',
      seq,
      subject,
      severity: 'notice',
      data: { tool: { name: 'shell' }, note: 'x'.repeat(380) },
    });
  const turn = () => new Promise((resolve) => setImmediate(resolve));

  /** Starts the readers, runs `write` for every batch as fast as they take it, and gives deliveries and CPU per second. */
  const measure = async (server, readers, target, filters, deliveries, count, write) => {
    const sockets = new Set();
    server.on('connection', (socket) => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
    });
    const child = fork(new URL(import.meta.url).pathname, [READER, server.address().port, readers, target, filters]);
    await once(child, 'message');
    const cpu = process.cpuUsage();
    const start = performance.now();
    const done = once(child, 'message');
    for (let round = 0; round < count; round += 1) {
      await write(round);
      await turn();
      for (const socket of sockets) if (socket.writableNeedDrain) await once(socket, 'drain');
    }
    await done;
    const seconds = (performance.now() - start) / 1000;
    const { user, system } = process.cpuUsage(cpu);
    child.kill();
    return { rate: deliveries / seconds, cpu: (user + system) / deliveries };
  };

  /** What one does with `ws`: each text to each client that wants it. */
  const plain = async (batches, readers, target, filters) => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const wss = new WebSocketServer({ server, path: '/socket' });
    const clients = new Map();
    wss.on('connection', (client) => {
      client.on('message', (text) => {
        const { type, filter } = JSON.parse(String(text));
        if (type !== 'subscribe') return;
        clients.set(client, filter?.subject);
        client.send('{"type":"subscribed","id":"s"}');
      });
      client.on('close', () => clients.delete(client));
    });
    const deliveries = (batches.length * batches[0].length * readers) / Math.max(1, filters);
    const result = await measure(server, readers, target, filters, deliveries, batches.length, (round) => {
      for (const { event, json } of batches[round]) {
        for (const [client, subject] of clients) if (subject === undefined || subject === event.subject) client.send(json);
      }
    });
    for (const client of wss.clients) client.terminate();
    server.close();
    return result;
  };

  const ours = async (batches, readers, target, filters) => {
    const hub = new Hub({ log: memoryLog(new ReplayBuffer({ perSession: 10_000 })), id: 'bench', maxQueueBytes: 64 * 1024 * 1024 });
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const binding = webSocketBinding({ hub, access: new Access({ host: '127.0.0.1' }) });
    attachWebSocket(server, binding);
    const from = { principal: { name: 'bench', scopes: new Set(['emit']), authenticated: true }, via: 'post' };
    const deliveries = (batches.length * batches[0].length * readers) / Math.max(1, filters);
    const result = await measure(server, readers, target, filters, deliveries, batches.length, (round) => hub.ingest(batches[round], from));
    await hub.close();
    await binding.close();
    server.close();
    return result;
  };

  const compare = async (title, readers, filters, runs, target) => {
    let seq = 0;
    const batches = Array.from({ length: rounds }, () => Array.from({ length: batch }, () => event(seq, `t${seq++ % Math.max(1, filters)}`)));
    const bytes = batches.flat().reduce((sum, wire) => sum + (wire.event.subject === 't0' ? wsEncoder(wire).length : 0), 0);
    const results = { plain: [], ours: [] };
    for (let run = 0; run < runs; run += 1) {
      results.plain.push(await plain(batches, readers, bytes, filters));
      results.ours.push(await ours(batches, readers, bytes, filters));
    }
    const middle = (side) => ({ rate: median(results[side].map(({ rate }) => rate)), cpu: median(results[side].map(({ cpu }) => cpu)) });
    for (const side of ['plain', 'ours']) {
      const { rate, cpu } = middle(side);
      say(`${side.padEnd(6)} ${Math.round(rate)} deliveries/s, ${cpu.toFixed(2)} µs CPU each`);
    }
    const ratio = (of) => median(results.ours.map((ours, run) => of(ours, results.plain[run])));
    row(title, ratio((ours, plain) => ours.rate / plain.rate), { ...target, note: `by processor time ${ratio((ours, plain) => plain.cpu / ours.cpu).toFixed(2)}×` });
  };

  await compare(`WS fan-out, ${consumers} consumers, batches of ${batch}`, consumers, 0, size(5, 1), { atLeast: 2 });
  const many = size(200, 10);
  await compare(`WS selective, ${many} subscriptions, a tenth matches, batches of ${batch}`, many, 10, size(3, 1), {});
  finish();
}
