// What order, dedupe, bounds and compact holding cost, against an array of the Events as they came.
// Run: node bench/replay-buffer.bench.mjs   (after `tsc -p tsconfig.build.json`)
import { parseEvent } from '@aepkit/envelope';
import { openBench, size } from '../../../bench/lib/bench.mjs';
import { ReplayBuffer } from '../dist/index.js';

const { say, row, done } = openBench('replay-buffer');

const COUNT = size(20_000, 400);
const ROUNDS = size(7, 1);

function texts(wide = '') {
  return Array.from({ length: COUNT }, (_, seq) => {
    const event = {
      aep: '0.1', id: `01J9ZK3V5M${String(seq).padStart(16, '0')}`, type: 'tool.completed', time: '2026-05-04T10:11:12.345Z', source: 'aep://host/agent/claude/session/s',
      agent: 'claude', session: 's', run: 'run-1', step: 'step-12', seq, severity: 'info', capture: 'metadata', data: { tool: 'Bash', note: wide },
    };
    event.data.note += 'x'.repeat(650 - Buffer.byteLength(JSON.stringify(event)));
    return JSON.stringify(event);
  });
}

const ascii = texts();
const events = ascii.map((text) => parseEvent(text));
const wide = texts('a few … wide “characters” 🚀').map((text) => parseEvent(text));

/** Best of several rounds, in nanoseconds per Event; both sides of a ratio alternate, so that a busy machine hits both. */
function compare(name, ...sides) {
  const best = sides.map(() => Infinity);
  for (let round = 0; round < ROUNDS; round++) {
    sides.forEach(([, run], side) => {
      const start = performance.now();
      run();
      best[side] = Math.min(best[side], ((performance.now() - start) * 1e6) / COUNT);
    });
  }
  const [[first]] = sides;
  sides.forEach(([label], side) => {
    if (side > 0) row(`${name}: ${label}, cost against ${first}`, best[side] / best[0], { note: `${best[side].toFixed(0)} against ${best[0].toFixed(0)} ns per Event` });
  });
}

const OFF = { perSession: Infinity, bytes: Infinity };
const fill = (list, options = OFF) => {
  const buffer = new ReplayBuffer(options);
  for (const wire of list) buffer.admit(wire);
  return buffer;
};
const plain = (list) => {
  const held = [];
  for (const wire of list) held.push(wire);
  return held;
};
const drain = (buffer, from) => {
  let bytes = 0;
  for (const chunk of buffer.replay(from, buffer.order)) for (const step of chunk) if (step.type === 'event') bytes += step.event.json.length;
  return bytes;
};

const reversed = [...events].reverse();
const shuffled = [...events].sort((a, b) => ((a.event.seq * 7919) % COUNT) - ((b.event.seq * 7919) % COUNT));
const full = fill(events);
const small = fill(events.slice(0, 200));
const LOOKS = size(2000, 10);
const position = (seq) => ({ positions: [{ session: 's', epoch: 0, seq }] });

compare('parse', ['JSON.parse', () => ascii.map((text) => JSON.parse(text))], ['parseEvent', () => ascii.map((text) => parseEvent(text))]);
compare('append in order', ['plain array', () => plain(events)], ['admit', () => fill(events)], ['admit, copy: false', () => fill(events, { ...OFF, copy: false })], ['admit, at depth 1000', () => fill(events, { ...OFF, perSession: 1000 })], ['admit, wide characters', () => fill(wide)]);
compare('backfill', ['admit in order', () => fill(events)], ['admit in reverse', () => fill(reversed)], ['admit shuffled', () => fill(shuffled)]);
compare('replay all', ['JSON.parse of the texts', () => ascii.map((text) => JSON.parse(text))], ['replay', () => drain(full, 'all')], ['replay in order of admission', () => drain(full, { after: 0 })]);

// Finding the place costs the same whatever is held.
for (const [name, buffer, last] of [['200 held', small, 198], ['20,000 held', full, COUNT - 2]]) {
  const start = performance.now();
  for (let i = 0; i < LOOKS; i++) drain(buffer, position(last));
  say(`resume one Event behind, ${name.padEnd(12)} ${(((performance.now() - start) * 1000) / LOOKS).toFixed(1)} µs`);
}
done();
