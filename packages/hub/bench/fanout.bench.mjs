// What fan-out costs in process: node bench/fanout.bench.mjs (build first). Prints ratios; nothing is asserted.
import { wireEvent } from '@aepkit/envelope';
import { ReplayBuffer } from '@aepkit/replay-buffer';
import { cpuSince, median, openBench, size as sized } from '../../../bench/lib/bench.mjs';
import { Hub, memoryLog } from '../dist/index.js';

const { say, row, done } = openBench('hub-fanout');

const ROUNDS = sized(5, 1);
const principal = { name: 'bench', scopes: new Set(['emit', 'observe']), authenticated: true };
const from = { principal, via: 'post' };
const utf8 = new TextEncoder();
const encode = (event) => utf8.encode(`event: ${event.event.type}\ndata: ${event.json}\n\n`);
let id = 0;
const BATCHES = sized(200, 2);

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

/** A hub with so many subscriptions, one connection each, of which ten match an Event, and Events for it. */
function selective(subscriptions, size) {
  const hub = new Hub({ log: bareLog(), id: 'bench', maxConnections: Infinity });
  const groups = subscriptions / MATCHES;
  for (let i = 0; i < subscriptions; i++) {
    hub.connect({ sink: sink(), principal, positions: false }).subscribe({ id: 's', filter: { value: { session: `s${i % groups}`, type: ['tool.*', 'run.*'] } } });
  }
  // A batch is what one emitter has to say: one session.
  const work = batches(Math.ceil(sized(20_000, 200) / size), size, (_, b) => `s${(b * 7) % groups}`);
  const run = async () => {
    for (const each of work) await hub.ingest(each, from);
  };
  return { run, count: work.length * size };
}

/** Nanoseconds of processor time per Event with few and with many subscriptions, in turns. */
async function selectives(few, many, size) {
  const sides = [selective(few, size), selective(many, size)];
  const found = [[], []];
  for (const { run } of sides) await run();
  for (let round = 0; round < sized(9, 1); round++) {
    for (const [at, { run, count }] of sides.entries()) {
      globalThis.gc?.();
      const start = process.cpuUsage();
      await run();
      found[at].push((cpuSince(start) * 1_000) / count);
    }
  }
  return found.map(median);
}

for (const size of [1, 20]) {
  for (const [few, many] of sized([[20, 2_000], [100, 10_000]], [[20, 40]])) {
    const micro = (ns) => (ns / 1_000).toFixed(2);
    const [a, b] = await selectives(few, many, size);
    row(`selective fan-out, ${size === 1 ? 'one Event per commit' : `batches of ${size}`}, ${many} subscriptions against ${few}`, b / a, {
      atMost: many === 10_000 ? 1.5 : 1.3,
      note: `${MATCHES} matches per Event; ${micro(a)} and ${micro(b)} µs per Event`,
    });
  }
}

for (const [name, consumers] of [['100 consumers, one stream', 100]]) {
  const work = batches(sized(500, 5), 20, () => 's0');
  const count = work.length * 20 * consumers;
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
  row(`fan-out, ${name}, batches of 20, cost against encoding and joining alone`, b / a, { note: `${b.toFixed(1)} ns per delivery` });
}

{
  const work = batches(BATCHES, 100, (i) => `s${i % 50}`);
  const bare = new Hub({ log: bareLog(), id: 'bench' });
  const a = await time(async () => {
    for (const each of work) await bare.ingest(each, from);
  }, BATCHES * 100);
  let rounds = 0;
  const fresh = Array.from({ length: ROUNDS }, () => batches(BATCHES, 100, (i) => `s${i % 50}`));
  const kept = new Hub({ log: memoryLog(new ReplayBuffer()), id: 'bench' });
  const b = await time(() => Promise.all(fresh[rounds++].map((each) => kept.ingest(each, from))), BATCHES * 100);
  const parse = await time(() => {
    for (const each of work) for (const { json } of each) JSON.parse(json);
  }, BATCHES * 100);
  row('ingest of 100, nobody listens: hub and memory log, cost against JSON.parse', b / parse, {
    note: `${(b / 1_000).toFixed(2)} µs per Event, hub alone ${(a / 1_000).toFixed(3)} µs`,
  });
}

{
  const held = sized(10_000, 200);
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
  row(`replay of ${held} in process, cost against encoding alone`, a / b, { note: `${(a / 1_000).toFixed(2)} µs per Event` });
}
done();
