// Prints how many times faster gating is than parsing the text and writing it again, both in this run. Nothing asserts.
import { parseEvent } from '@aepkit/envelope';

import { gate } from '../dist/index.js';

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

const ROUNDS = 7;
function rate(run) {
  let best = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const from = process.hrtime.bigint();
    let count = 0;
    do {
      for (let i = 0; i < 200; i++) run();
      count += 200;
    } while (process.hrtime.bigint() - from < 60_000_000n);
    best = Math.max(best, count / (Number(process.hrtime.bigint() - from) / 1e9));
  }
  return best;
}

let sink = 0;
for (const [name, [wire, ceiling]] of Object.entries(cases)) {
  const gated = rate(() => (sink += gate(wire, ceiling).json.length));
  const parsed = rate(() => (sink += JSON.stringify(JSON.parse(wire.json)).length));
  console.log(`${name.padEnd(36)} ${(gated / parsed).toFixed(2)}x of parse and stringify (${wire.json.length} bytes, ${Math.round(gated / 1000)} k/s)`);
}
if (sink === 0) console.log('nothing ran');
