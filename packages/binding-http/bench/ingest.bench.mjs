// Ingest against a bare node:http server that parses each line. Usage: node bench/ingest.bench.mjs [rounds] [milliseconds] [mode]
// Prints ratios of Events per second, and of Events per second of the server's CPU time; the latter holds on a busy machine
// as well. The load generator shares the machine, so absolute numbers mean little.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';

const rounds = Number(process.argv[2] ?? 5);
const spanMs = Number(process.argv[3] ?? 2_000);
const ours = process.argv[4] ?? 'ours';
const CONNECTIONS = 16;

let counter = 100_000_000;
const event = () => {
  counter += 1;
  return JSON.stringify({
    aep: '0.1', id: `e-${counter}`, type: 'tool.requested', time: '2026-01-01T00:00:00.000Z',
    source: 'aep://bench/agent/a1/session/s1', agent: 'a1', session: 's1', seq: counter, severity: 'info', capture: 'full',
    data: { tool: { name: 'shell', call_id: 'c-100000000' }, input: { command: 'ls -la', note: 'x'.repeat(352) } },
  });
};

const request = (perBatch) => {
  const body = perBatch === 1 ? event() : `${Array.from({ length: perBatch }, event).join('\n')}\n`;
  const type = perBatch === 1 ? 'application/json' : 'application/x-ndjson';
  const bytes = Buffer.from(
    `POST /events HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: ${type}\r\naep-version: 0.1\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  const places = [];
  for (const mark of ['"id":"e-', '"seq":']) {
    for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + 1)) places.push(at + mark.length);
  }
  return { bytes, places, perBatch };
};

/** New ids and positions in an old request: repeats would measure the dedupe, and new texts the generator. */
const renew = ({ bytes, places, perBatch }) => {
  places.forEach((at, index) => bytes.latin1Write(String(counter + 1 + (index % perBatch)), at));
  counter += perBatch;
  return bytes;
};

const start = async (mode) => {
  const child = fork(new URL('./server.mjs', import.meta.url), [mode]);
  const [port] = await once(child, 'message');
  return { child, port };
};

const cpu = async ({ child }) => {
  child.send('cpu');
  const [{ user, system }] = await once(child, 'message');
  return (user + system) / 1e6;
};

const load = async (server, perBatch, ms) => {
  const { port } = server;
  const before = await cpu(server);
  let done = 0;
  let stop = false;
  await Promise.all(
    Array.from({ length: CONNECTIONS }, () => new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1');
      socket.setNoDelay(true);
      const prepared = request(perBatch);
      const next = () => socket.write(renew(prepared));
      socket.on('connect', next);
      socket.on('data', (chunk) => {
        if (chunk.latin1Slice(9, 12) !== '202') return reject(new Error(chunk.toString()));
        done += 1;
        if (stop) { socket.destroy(); resolve(); } else next();
      });
      socket.on('error', reject);
    })).concat(new Promise((resolve) => setTimeout(() => { stop = true; resolve(); }, ms))),
  );
  return { perSecond: (done * perBatch) / (ms / 1_000), perCpuSecond: (done * perBatch) / ((await cpu(server)) - before) };
};

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

const [bare, binding] = [await start('bare'), await start(ours)];
for (const perBatch of [1, 100]) {
  const rows = [];
  await load(bare, perBatch, 500);
  await load(binding, perBatch, 500);
  for (let round = 0; round < rounds; round += 1) {
    rows.push([await load(bare, perBatch, spanMs), await load(binding, perBatch, spanMs)]);
  }
  for (const measure of ['perSecond', 'perCpuSecond']) {
    const ratios = rows.map(([limit, reached]) => reached[measure] / limit[measure]);
    const [limit, reached] = [0, 1].map((side) => Math.round(Math.max(...rows.map((row) => row[side][measure]))));
    console.log(
      `${String(perBatch).padStart(3)} per POST, ${measure}: median ${median(ratios).toFixed(2)}, best rounds ${(reached / limit).toFixed(2)} of bare node:http (${reached} of ${limit})`,
    );
  }
}
bare.child.disconnect();
binding.child.disconnect();
