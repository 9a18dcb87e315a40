// What a held Event costs in memory, all told, against what the buffer counts for it.
// Run: node --expose-gc bench/memory.bench.mjs   (after `tsc -p tsconfig.build.json`)
import { createId, parseEvent } from '@aepkit/envelope';
import { openBench, size } from '../../../bench/lib/bench.mjs';
import { ReplayBuffer } from '../dist/index.js';

const { say, row, done } = openBench('memory');

const OFF = { perSession: Infinity, sessions: Infinity, bytes: Infinity };

function eventText(session, seq, { bytes = 650, epoch, wide = '' } = {}) {
  const event = {
    aep: '0.1', id: createId(), type: 'tool.completed', time: '2026-05-04T10:11:12.345Z', source: `aep://host/agent/claude/session/${session}`,
    agent: 'claude', session, run: 'run-1', step: 'step-12', seq, ...(epoch === undefined ? {} : { epoch }), severity: 'info', capture: 'metadata', data: { tool: 'Bash', note: wide },
  };
  const short = Buffer.byteLength(JSON.stringify(event));
  event.data.note += 'x'.repeat(Math.max(0, bytes - short));
  return JSON.stringify(event);
}

function used() {
  for (let i = 0; i < 4; i++) globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Events come as lines cut out of batches of 100; with `copy: false` each line is decoded by itself. */
function* batches(count, text, copy = true) {
  for (let from = 0; from < count; from += 100) {
    const body = Array.from({ length: Math.min(100, count - from) }, (_, i) => text(from + i)).join('\n');
    yield body.split('\n').map((line) => parseEvent(copy ? line : Buffer.from(line)));
  }
}

function measure(name, wanted, text, options = OFF, per = (buffer) => buffer.stats().events) {
  const count = size(wanted, 400);
  const before = used();
  const buffer = new ReplayBuffer(options);
  for (const batch of batches(count, text, options.copy)) for (const wire of batch) buffer.admit(wire);
  const after = used();
  const real = (after - before) / per(buffer);
  const counted = buffer.stats().bytes / per(buffer);
  say(`${name.padEnd(40)} ${String(Math.round(real)).padStart(6)} bytes each, counted ${String(Math.round(counted)).padStart(6)}, real/counted ${(real / counted).toFixed(2)}`);
  return real;
}

const ms = Date.parse('2026-05-04T10:00:00Z');
if (globalThis.gc === undefined) throw new Error('run it with --expose-gc');
measure('warm up', 20_000, (i) => eventText('s', i));
row('a held Event of 650 bytes, one session, all told', measure('650 bytes, one session', 100_000, (i) => eventText('s', i)), { unit: 'bytes', atMost: 950 });
measure('650 bytes, epoch in milliseconds', 100_000, (i) => eventText('s', i, { epoch: ms }));
measure('650 bytes, an ellipsis in each', 50_000, (i) => eventText('s', i, { wide: '…' }));
measure('650 bytes, an emoji in every tenth', 50_000, (i) => eventText('s', i, { wide: i % 10 ? '' : '🚀' }));
measure('650 bytes of Chinese', 50_000, (i) => eventText('s', i, { wide: '事件'.repeat(50) }));
measure('650 bytes, 100 sessions', 100_000, (i) => eventText(`s${i % 100}`, Math.floor(i / 100)));
measure('650 bytes, backfilled in reverse', 50_000, (i) => eventText('s', 50_000 - i));
measure('650 bytes, one Event per session', 50_000, (i) => eventText(`s${i}`, 0));
measure('650 bytes, steady state at 10,000', 100_000, (i) => eventText('s', i), { ...OFF, perSession: 10_000 });
row('a held Event of 650 bytes, copy: false, all told', measure('650 bytes, one session, copy: false', 100_000, (i) => eventText('s', i), { ...OFF, copy: false }), { unit: 'bytes', atMost: 950 });
measure('300 bytes, one session', 100_000, (i) => eventText('s', i, { bytes: 300 }));
measure('10,000 bytes, one session', 10_000, (i) => eventText('s', i, { bytes: 10_000 }));

const command = (i, owners) => (i < owners
  ? eventText('s', 0).replace('/session/s"', `/owner/${i}"`)
  : JSON.stringify({ ...JSON.parse(eventText('s', 0)), type: 'control.cancel', source: 'aep://host/agent/console', seq: undefined }));
measure('650 bytes, command, one owner', 50_000, (i) => command(i, 1));
measure('650 bytes, command, 10 owners', 20_000, (i) => command(i, 10));
measure('650 bytes, one Event per source', 50_000, (i) => eventText('s', i).replace('/session/s"', `/session/s${i}"`));
measure('sessions evicted whole', 50_000, (i) => eventText(`s${i}`, 0), { ...OFF, sessions: 1, evictedSessions: Infinity }, () => size(50_000, 400));
done();
