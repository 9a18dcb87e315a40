// What fan-out costs in process: node bench/fanout.bench.mjs (build first). Prints ratios; nothing is asserted.
import { wireEvent } from '@aepkit/envelope';
import { ReplayBuffer } from '@aepkit/replay-buffer';
import { Hub, memoryLog } from '../dist/index.js';

const ROUNDS = 5;
const principal = { name: 'bench', scopes: new Set(['emit', 'observe']), authenticated: true };
const from = { principal, via: 'post' };
const utf8 = new TextEncoder();
const encode = (event) => utf8.encode(`event: ${event.event.type}\ndata: ${event.json}\n\n`);
let id = 0;

/** 650 bytes, like an ordinary tool Event. */
function event(session) {
  id++;
  return wireEvent({
    aep: '0.1',
    id: `01J${String(id).padStart(23, '0')}`,
    type: 'tool.requested',
    time: '2026-01-01T00:00:00.000Z',
    source: `aep://host/agent/a1/session/${session}`,
    agent: 'a1',
    session,
    seq: id,
    run: 'run-1',
    capture: 'metadata',
    data: { tool: { name: 'shell' }, x_note: 'n'.repeat(340) },
  });
}

function sink() {
  return {
    bytes: 0,
    write(batch) {
      this.bytes += batch.encoded(encode).length;
      return true;
    },
    drained: () => Promise.resolve(),
    exhausted() {},
    close() {},
  };
}

/** A log that keeps nothing, so that the rest of the hub is what is measured. */
function bareLog() {
  const listeners = [];
  let mark = 0;
  return {
    buffer: 1,
    onCommit: (listener) => (listeners.push(listener), () => undefined),
    mark: () => mark,
    async *replay() {},
    append(events) {
      const admissions = events.map(() => 'admitted');
      mark += events.length;
      for (const listener of listeners) listener({ events, admissions, mark });
      return Promise.resolve(admissions);
    },
  };
}

/** Processor time in nanoseconds per item, the middle of five rounds: unlike wall time it says the same on a busy machine. */
async function time(work, count) {
  const results = [];
  for (let i = 0; i < ROUNDS; i++) {
    globalThis.gc?.();
    const start = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(start);
    results.push(((user + system) * 1_000) / count);
  }
  return results.sort((a, b) => a - b)[ROUNDS >> 1];
}

function batches(count, size, sessionOf) {
  return Array.from({ length: count }, (_, b) => Array.from({ length: size }, (_, e) => event(sessionOf(b * size + e, b))));
}

const MATCHES = 10;

/** Nanoseconds per Event with so many subscriptions, one connection each, of which ten match an Event. */
async function selective(subscriptions, size) {
  const hub = new Hub({ log: bareLog(), id: 'bench', maxConnections: Infinity });
  const groups = subscriptions / MATCHES;
  for (let i = 0; i < subscriptions; i++) {
    hub.connect({ sink: sink(), principal, positions: false }).subscribe({ id: 's', filter: { value: { session: `s${i % groups}`, type: ['tool.*', 'run.*'] } } });
  }
  // A batch is what one emitter has to say: one session.
  const work = batches(Math.ceil(20_000 / size), size, (_, b) => `s${(b * 7) % groups}`);
  const run = async () => {
    for (const each of work) await hub.ingest(each, from);
  };
  await run();
  return time(run, work.length * size);
}

for (const size of [1, 20]) {
  for (const [few, many] of [[20, 2_000], [100, 10_000]]) {
    const [a, b] = [await selective(few, size), await selective(many, size)];
    const micro = (ns) => (ns / 1_000).toFixed(2);
    console.log(`selective, ${size}/batch, ${MATCHES} matches: ${few} subscriptions ${micro(a)} us, ${many} ${micro(b)} us per Event, ratio ${(b / a).toFixed(2)}`);
  }
}

for (const [name, consumers] of [['100 consumers, one stream', 100]]) {
  const work = batches(500, 20, () => 's0');
  const count = 500 * 20 * consumers;
  const sinks = Array.from({ length: consumers }, sink);
  const limit = async () => {
    for (const each of work) {
      const bytes = Buffer.concat(each.map(encode));
      for (const target of sinks) target.bytes += bytes.length;
    }
  };
  const hub = new Hub({ log: bareLog(), id: 'bench' });
  for (const target of sinks) hub.connect({ sink: target, principal }).subscribe({ id: 's' });
  const run = async () => {
    for (const each of work) await hub.ingest(each, from);
  };
  await run();
  const [a, b] = [await time(limit, count), await time(run, count)];
  console.log(`fan-out, ${name}, 20/batch: ${b.toFixed(1)} ns per delivery (${(1_000 / b).toFixed(2)} M/s); encoding and joining alone ${a.toFixed(1)} ns`);
}

{
  const work = batches(200, 100, (i) => `s${i % 50}`);
  const bare = new Hub({ log: bareLog(), id: 'bench' });
  const a = await time(async () => {
    for (const each of work) await bare.ingest(each, from);
  }, 20_000);
  let rounds = 0;
  const fresh = Array.from({ length: ROUNDS }, () => batches(200, 100, (i) => `s${i % 50}`));
  const kept = new Hub({ log: memoryLog(new ReplayBuffer()), id: 'bench' });
  const b = await time(() => Promise.all(fresh[rounds++].map((each) => kept.ingest(each, from))), 20_000);
  const parse = await time(() => {
    for (const each of work) for (const { json } of each) JSON.parse(json);
  }, 20_000);
  console.log(`ingest, 100/batch, nobody listens: hub alone ${(a / 1_000).toFixed(3)} us, with a replay buffer ${(b / 1_000).toFixed(2)} us per Event; JSON.parse of it ${(parse / 1_000).toFixed(2)} us`);
}

{
  const held = 10_000;
  const log = memoryLog(new ReplayBuffer({ perSession: held }));
  const hub = new Hub({ log, id: 'bench' });
  const events = batches(held / 100, 100, () => 's0');
  for (const each of events) await hub.ingest(each, from);
  const run = async () => {
    const target = sink();
    await hub.connect({ sink: target, principal }).subscribe({ id: 's', from: 'all', live: false }).done;
    return target.bytes;
  };
  await run();
  const a = await time(run, held);
  const b = await time(() => {
    for (const each of events) for (const wire of each) encode(wire);
  }, held);
  console.log(`replay of ${held}: ${(a / 1_000).toFixed(2)} us per Event; encoding alone ${(b / 1_000).toFixed(2)} us`);
}
