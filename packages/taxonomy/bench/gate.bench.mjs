// Prints how many times as fast gating is as parsing the text and writing it again, both in this run. Nothing asserts.
import { parseEvent } from '@aepkit/envelope';

import { openBench, size } from '../../../bench/lib/bench.mjs';
import { gate } from '../dist/index.js';

const { say, row, done } = openBench('gate');

const base = {
  aep: '0.1',
  id: '01JZ0000000000000000000000',
  time: '2026-01-02T03:04:05.678Z',
  source: 'aep://laptop/agent/claude-code/session/s_8f2c',
  agent: 'claude-code',
  session: 's_8f2c',
  run: 'r_17',
  seq: 4711,
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
};
const tool = { name: 'Bash', call_id: 'toolu_01ABCDEFGHIJKLMNOPQRSTUV' };
const digest = '0123456789abcdef0123456789abcdef';

const event = (type, capture, data, pad = 0) => parseEvent(JSON.stringify({ ...base, type, capture, data: pad > 0 ? { ...data, x_pad: 'p'.repeat(pad) } : data }));

const cases = {
  'unchanged, metadata under metadata': [event('tool.completed', 'metadata', { tool, duration_ms: 12, result_digest: digest }, 180), 'metadata'],
  'unchanged, vendor type': [event('x.acme.session.synced', 'metadata', { a: 1 }, 300), 'redacted'],
  'full to metadata, 650 bytes': [event('tool.requested', 'full', { tool, args_digest: digest, args: { command: 'ls -la', description: 'List files' } }, 110), 'metadata'],
  'full to metadata, form': [
    event('attention.requested', 'full', {
      kind: 'form',
      prompt: 'Which one?',
      fields: ['a', 'b', 'c'].map((id) => ({ id, type: 'select', label: `Field ${id}`, choices: ['x', 'y'].map((x) => ({ id: x, label: `Choice ${x}` })) })),
    }),
    'metadata',
  ],
  'full to metadata, 10 KB result': [event('tool.completed', 'full', { tool, result_digest: digest, result: { stdout: 'line of output\n'.repeat(600) } }), 'metadata'],
  'full to none': [event('tool.requested', 'full', { tool, args: { command: 'ls -la' } }, 110), 'none'],
};

const ROUNDS = size(15, 1);
const ROUND_US = size(20_000, 200);
let sink = 0;

/** Microseconds of the processor per call, best of rounds that take turns, so that a busy machine hurts both alike. */
function cost(...runs) {
  const best = runs.map(() => Infinity);
  for (let round = 0; round < ROUNDS; round++) {
    runs.forEach((run, at) => {
      const from = process.cpuUsage();
      let count = 0;
      let used = 0;
      do {
        for (let i = 0; i < 500; i++) sink += run();
        count += 500;
        const { user, system } = process.cpuUsage(from);
        used = user + system;
      } while (used < ROUND_US);
      best[at] = Math.min(best[at], used / count);
    });
  }
  return best;
}

for (const [name, [wire, ceiling]] of Object.entries(cases)) {
  const [gated, parsed] = cost(
    () => gate(wire, ceiling).json.length,
    () => JSON.stringify(JSON.parse(wire.json)).length,
  );
  row(`gate, speed against parse and stringify: ${name}`, parsed / gated, { note: `${wire.json.length} bytes, ${gated.toFixed(2)} µs` });
}
if (sink === 0) say('nothing ran');
done();
