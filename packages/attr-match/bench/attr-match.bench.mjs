// Prints ratios; asserts nothing. Run after a build: node bench/attr-match.bench.mjs
import { openBench, size } from '../../../bench/lib/bench.mjs';
import { FilterIndex, compileFilter } from '../dist/index.js';

const { say, row, done } = openBench('attr-match');

const AGENTS = 20;
const SEVERITIES = ['debug', 'info', 'info', 'info', 'notice', 'warning', 'error'];
const CATEGORIES = ['run', 'tool', 'session', 'progress', 'attention', 'error'];
const TYPES = CATEGORIES.flatMap((category) => Array.from({ length: 10 }, (_, i) => `${category}.kind${i}`));

let state = 42;
function random(below) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
}

function makeEvent(i, sessions) {
  const session = random(sessions);
  const agent = session % AGENTS;
  return JSON.parse(
    JSON.stringify({
      aep: '0.1',
      id: `01K7M0V5Q8C3T6Y9B2D4${i}`,
      type: TYPES[random(TYPES.length)],
      subject: `tool-${random(200)}`,
      time: '2026-03-01T09:30:00Z',
      source: `aep://host/agent/agent-${agent}/session/session-${session}`,
      agent: `agent-${agent}`,
      session: `session-${session}`,
      run: `run-${session}-${random(5)}`,
      seq: i,
      severity: SEVERITIES[random(SEVERITIES.length)],
      acmeregion: `region-${random(50)}`,
      data: { tool: { name: 'bash', call_id: 'c1' }, duration_ms: 12 },
    }),
  );
}

/** Filters as dashboards write them: most are pinned to a session, some watch an agent, a kind of Event or a region. */
function mixedFilter(i, sessions) {
  const session = random(sessions);
  switch (i % 8) {
    case 0:
    case 1:
    case 2:
      return { session: `session-${session}` };
    case 3:
      return { session: `session-${session}`, type: [`${CATEGORIES[random(6)]}.*`, TYPES[random(60)]] };
    case 4:
      return { agent: `agent-${session % AGENTS}`, subject: `tool-${random(200)}`, severity: { gte: 'warning' } };
    case 5:
      return { run: [`run-${session}-1`, `run-${session}-2`] };
    case 6:
      return { acmeregion: `region-${random(50)}`, session: [`session-${session}`, `session-${random(sessions)}`] };
    default:
      return { source: `aep://host/agent/agent-${session % AGENTS}/session/session-${session}`, severity: { gte: 'notice' } };
  }
}

/** Nanoseconds per call, best of `rounds`: the machine may be busy. */
function measure(events, run, rounds = 9) {
  let best = Infinity;
  let found = 0;
  for (let round = 0; round < rounds; round += 1) {
    found = 0;
    const start = process.hrtime.bigint();
    for (const event of events) found += run(event);
    best = Math.min(best, Number(process.hrtime.bigint() - start) / events.length);
  }
  return { ns: best, found };
}

function setUp(filters) {
  const compiled = filters.map((filter) => compileFilter(filter));
  const index = new FilterIndex();
  const start = process.hrtime.bigint();
  for (const [i, filter] of compiled.entries()) index.add(filter, i);
  const built = Number(process.hrtime.bigint() - start) / 1e6;
  const scan = (event) => {
    let found = 0;
    for (const filter of compiled) if (filter.matches(event)) found += 1;
    return found;
  };
  return { index, scan, built, byIndex: (event) => index.match(event).length };
}

const rate = (ns) => `${(1e6 / ns).toFixed(ns < 1e4 ? 0 : 1)} k/s`;
const sessions = 2000;
const events = Array.from({ length: size(20_000, 200) }, (_, i) => makeEvent(i, sessions));

say('mixed filters: index against a scan of closures');
for (const count of size([100, 1000, 10_000], [100])) {
  const { scan, byIndex, built } = setUp(Array.from({ length: count }, (_, i) => mixedFilter(i, sessions)));
  const few = events.slice(0, Math.max(200, 2e6 / count));
  const scanned = measure(few, scan, 3);
  const check = measure(few, byIndex, 1);
  if (check.found !== scanned.found) throw new Error(`index found ${check.found}, scan ${scanned.found}`);
  const indexed = measure(events, byIndex);
  say(
    `  ${String(count).padStart(6)}: ${(indexed.found / events.length).toFixed(2)} matches per event, scan ${rate(scanned.ns)}, ` +
      `index ${rate(indexed.ns)}, built in ${built.toFixed(1)} ms`,
  );
  row(`index, speed against a scan of closures, ${count} subscriptions`, scanned.ns / indexed.ns);
}

/**
 * Growth at equal matches per event: each event matches `matching` subscriptions whatever their number, since the others are
 * pinned to sessions that are silent at the moment.
 */
function growth(small, large, matching, make) {
  const cost = (count) => {
    const filters = Array.from({ length: count }, (_, i) => (i < matching ? {} : make(i)));
    return setUp(filters);
  };
  const a = cost(small);
  const b = cost(large);
  let [na, nb] = [Infinity, Infinity];
  let found = [0, 0];
  for (let round = 0; round < size(25, 1); round += 1) {
    const ra = measure(events, a.byIndex, 1);
    const rb = measure(events, b.byIndex, 1);
    na = Math.min(na, ra.ns);
    nb = Math.min(nb, rb.ns);
    found = [ra.found, rb.found];
  }
  if (found[0] !== found[1]) throw new Error(`unequal matches: ${found}`);
  return [nb / na, `${na.toFixed(0)} to ${nb.toFixed(0)} ns, ${(found[0] / events.length).toFixed(2)} matches per event`];
}

const silent = {
  'one session each': (i) => ({ session: `silent-${i}` }),
  'session and kind': (i) => ({ session: `silent-${i}`, type: 'tool.*', severity: { gte: 'info' } }),
  'agent and subject': (i) => ({ agent: `agent-${i % AGENTS}`, subject: `silent-${i}` }),
  'one busy session, subjects': (i) => ({ session: 'session-1', subject: `silent-${i}` }),
};
say('growth at equal matches per event');
for (const [name, make] of Object.entries(silent)) {
  for (const [small, large, matching] of size([[20, 2000, 2], [100, 10_000, 5]], [[20, 40, 2]])) {
    const [ratio, note] = growth(small, large, matching, make);
    row(`matching, cost at ${large} subscriptions against ${small}: ${name}`, ratio, { note });
  }
}
done();
