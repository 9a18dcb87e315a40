// Prints ratios; asserts nothing. Run after a build: node bench/subscription-model.bench.mjs [--json] [--smoke]
import { openBench, size } from '../../../bench/lib/bench.mjs';
import { SubscriptionIndex, SubscriptionProducer, compileFilter, memoryStream } from '../dist/index.js';

const [FEW, MANY] = [size(100, 10), size(10_000, 100)];
const EVENTS = size(20_000, 200);
const ROUNDS = size(15, 2);
const bench = openBench('subscription-model');

let state = 42;
function random(below) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
}

const DOMAINS = ['memory', 'task', 'tool', 'context', 'agent', 'environment'];
const TYPES = DOMAINS.flatMap((domain) => ['fact', 'call', 'state', 'goal'].flatMap((noun) => ['added', 'progress', 'closed'].map((verb) => `${domain}.${noun}.${verb}`)));

function makeEvent(i) {
  const session = random(2000);
  return {
    aep_version: '0.1',
    id: `evt_${i}`,
    type: TYPES[random(TYPES.length)],
    source: `agent:a${session % 20}`,
    target: `agent:t${random(200)}`,
    topic: `tasks.task_${random(500)}`,
    session_id: `sess_${session}`,
    task_id: `task_${random(500)}`,
    created_at: '2026-07-09T10:00:00Z',
    payload: { text: 'x'.repeat(300) },
  };
}

/** As a mixed crowd asks: one task, one session with a kind, a target, a topic, a pattern with a source. */
function mixed(i) {
  switch (i % 6) {
    case 0:
      return { types: '*', task_id: `task_${random(500)}` };
    case 1:
      return { types: `${DOMAINS[random(6)]}.*`, session_id: `sess_${random(2000)}` };
    case 2:
      return { target: `agent:t${random(200)}` };
    case 3:
      return { topic: [`tasks.task_${random(500)}`, `tasks.task_${random(500)}`] };
    case 4:
      return { types: `*.${['fact', 'call', 'state', 'goal'][random(4)]}.progress`, source: `agent:a${random(20)}`, session_id: `sess_${random(2000)}` };
    default:
      return { types: [TYPES[random(TYPES.length)], `tool.*.s${i}`], conversation_id: `conv_${i}` };
  }
}

/** Each event matches the same few, whatever their number: the others wait for something else. */
const quiet = {
  'a session each': (i) => ({ types: '*', session_id: `silent_${i}` }),
  'a type each': (i) => ({ types: `memory.fact.silent${i}` }),
  'a pattern each': (i) => ({ types: `*.silent${i}.*` }),
  'one busy source, a task each': (i) => ({ source: 'agent:a1', task_id: `silent_${i}` }),
};

const events = Array.from({ length: EVENTS }, (_, i) => makeEvent(i));

function measure(run, of = events) {
  let found = 0;
  const start = process.hrtime.bigint();
  for (const event of of) found += run(event);
  return { ns: Number(process.hrtime.bigint() - start) / of.length, found };
}

function setUp(filters) {
  const compiled = filters.map((filter) => compileFilter(filter));
  const index = new SubscriptionIndex();
  for (const [i, filter] of compiled.entries()) index.add(filter, i);
  const scan = (event) => {
    let found = 0;
    for (const filter of compiled) if (filter.matches(event)) found += 1;
    return found;
  };
  return { byIndex: (event) => index.match(event).length, scan };
}

/** Best of several rounds, both in turns: the machine may be busy. */
function race(a, b, of = events) {
  let [na, nb] = [Infinity, Infinity];
  let found = [0, 0];
  for (let round = 0; round < ROUNDS; round += 1) {
    const [ra, rb] = [measure(a, of), measure(b, of)];
    na = Math.min(na, ra.ns);
    nb = Math.min(nb, rb.ns);
    found = [ra.found / of.length, rb.found / of.length];
  }
  return { na, nb, found };
}

for (const [name, make] of Object.entries(quiet)) {
  const [few, many] = [FEW, MANY].map((count) => setUp(Array.from({ length: count }, (_, i) => (i < 5 ? { types: '*' } : make(i)))));
  const { na, nb, found } = race(few.byIndex, many.byIndex);
  if (found[0] !== found[1]) throw new Error(`unequal matches: ${found}`);
  bench.row(`${MANY} against ${FEW} subscriptions, ${name}`, nb / na, { atMost: 1.5, note: `${na.toFixed(0)} to ${nb.toFixed(0)} ns an event` });
}

for (const count of [FEW, MANY]) {
  const { byIndex, scan } = setUp(Array.from({ length: count }, (_, i) => mixed(i)));
  const of = events.slice(0, Math.max(20, Math.floor((EVENTS * 10) / count)));
  const { na, nb, found } = race(byIndex, scan, of);
  if (found[0] !== found[1]) throw new Error(`index found ${found[0]}, scan ${found[1]}`);
  bench.row(`closure scan against index, ${count} mixed subscriptions`, nb / na, {
    note: `${found[0].toFixed(2)} matches, ${nb.toFixed(0)} and ${na.toFixed(0)} ns an event`,
  });
}

/** The whole way of an event through a producer: publish, match, encode, hand to the transport. */
function producerOf(count) {
  const producer = new SubscriptionProducer({ source: 'agent:p', stream: memoryStream({ maxEvents: 1_000 }), timers: { setTimeout: () => 0, clearTimeout: () => undefined } });
  let sent = 0;
  for (let i = 0; i < count; i += 1) {
    const connection = producer.connect({ transport: 'bench', send: () => ((sent += 1), true) });
    const say = (type, payload) =>
      connection.receive(JSON.stringify({ aep_version: '0.1', id: `${type}${i}`, type, source: 'agent:c', session_id: 's', created_at: '2026-07-09T10:00:00Z', payload }));
    say('session.opened', { session_id: 's', version: '0.1' });
    say('subscription.requested', i < 5 ? { types: '*' } : { types: '*', session_id: `silent_${i}` });
  }
  return (event) => {
    const before = sent;
    producer.publish(event);
    return sent - before;
  };
}
{
  const { na, nb, found } = race(producerOf(FEW), producerOf(MANY), events.slice(0, Math.max(50, EVENTS / 10)));
  if (found[0] !== found[1]) throw new Error(`unequal deliveries: ${found}`);
  bench.row(`${MANY} against ${FEW} consumers of a producer`, nb / na, {
    atMost: 1.5,
    note: `${found[0]} deliveries, ${na.toFixed(0)} to ${nb.toFixed(0)} ns an event`,
  });
}

bench.done();
