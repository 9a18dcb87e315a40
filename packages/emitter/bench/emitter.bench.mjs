// Prints what emitting and batching into memory costs against JSON.stringify of the same objects, both in this run. Nothing asserts.
import { createEmitter, memoryTransport } from '../dist/index.js';

const ROUNDS = 9;
const EVENTS = 2_000;
const cases = {
  'progress.status, no payload': ['progress.status', {}],
  'progress.status, percent': ['progress.status', { data: { percent: 40, phase: 'build' } }],
  'tool.requested with args, metadata': ['tool.requested', { subject: 'Bash', run: 'r_17', data: { tool: { name: 'Bash' }, args: { command: 'ls -la', description: 'List files' } } }],
  'vendor type, 350 bytes of data': ['x.acme.session.synced', { run: 'r_17', data: { note: 'p'.repeat(300), count: 3, list: [1, 2, 3] } }],
};

async function emitAll(type, emission, options) {
  const transport = memoryTransport();
  const emitter = createEmitter({ agent: 'claude-code', host: 'laptop', transport, maxQueuedEvents: Infinity, maxQueuedBytes: Infinity, ...options });
  const session = await emitter.session();
  const from = process.cpuUsage();
  for (let count = 0; count < EVENTS; count += 1) session.emit(type, emission);
  await emitter.flush();
  const { user, system } = process.cpuUsage(from);
  return { us: (user + system) / EVENTS, events: transport.events.map(({ event }) => event) };
}

function stringify(events) {
  const from = process.cpuUsage();
  let length = 0;
  for (const event of events) length += JSON.stringify(event).length;
  const { user, system } = process.cpuUsage(from);
  return { us: (user + system) / events.length, length: length / events.length };
}

console.log(`emit and batch into memory against JSON.stringify, ${EVENTS} Events, best of ${ROUNDS}, microseconds of the processor per Event`);
for (const [name, [type, emission]] of Object.entries(cases)) {
  let best = Infinity;
  let limit = Infinity;
  let bytes = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const run = await emitAll(type, emission, {});
    best = Math.min(best, run.us);
    const plain = stringify(run.events);
    limit = Math.min(limit, plain.us);
    bytes = plain.length;
  }
  console.log(`${name.padEnd(38)} ${String(Math.round(bytes)).padStart(4)} bytes  ${best.toFixed(1).padStart(6)}  against ${limit.toFixed(2)}  ${(best / limit).toFixed(1)}x`);
}

// What a dead transport costs: every Event pushes an older one out.
const transport = memoryTransport();
transport.fail(true);
const emitter = createEmitter({ agent: 'a', transport });
const session = await emitter.session();
globalThis.gc?.();
const before = process.memoryUsage().heapUsed;
const from = process.cpuUsage();
const FLOOD = Number(process.env.FLOOD ?? 200_000);
for (let count = 0; count < FLOOD; count += 1) session.emit('progress.status', { data: { percent: count % 100 } });
const { user, system } = process.cpuUsage(from);
globalThis.gc?.();
const held = process.memoryUsage().heapUsed - before;
const { queued, queuedBytes, lost } = emitter.stats();
console.log(`dead transport, ${FLOOD} Events: ${((user + system) / FLOOD).toFixed(1)} us each, ${queued} held, counted as ${Math.round(queuedBytes / 1024)} KiB, ${Math.round(held / 1024)} KiB of heap, ${lost['queue-full']} dropped`);
process.exit(0);
