// Appending Events: one line per call against batches, and against a bare `writeSync` of prepared bytes.
// Run: node bench/writer.bench.mjs   (after `tsc -p tsconfig.build.json`)
import { closeSync, mkdtempSync, openSync, rmSync, statSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { wireEvent } from '@aepkit/envelope';

import { openBench, size } from '../../../bench/lib/bench.mjs';
import { JsonlLog, JsonlWriter } from '../dist/writer.js';

const { say, row, done } = openBench('jsonl-writer');

const COUNT = size(10_000, 200);
const ROUNDS = size(5, 1);
const folder = mkdtempSync(join(tmpdir(), 'aepkit-bench-'));
const path = join(folder, 'a.jsonl');

const events = Array.from({ length: COUNT }, (_, seq) => {
  const event = {
    aep: '0.1', id: `01J9ZK3V5M${String(seq).padStart(16, '0')}`, type: 'tool.completed', time: '2026-05-04T10:11:12.345Z', source: 'aep://host/agent/claude/session/s',
    agent: 'claude', session: `s${seq % 10}`, run: 'run-1', step: 'step-12', seq, severity: 'info', capture: 'metadata', data: { tool: { name: 'Bash' }, note: '' },
  };
  event.data.note = 'x'.repeat(650 - Buffer.byteLength(JSON.stringify(event)));
  return wireEvent(event);
});
const batches = (size) => Array.from({ length: COUNT / size }, (_, at) => events.slice(at * size, (at + 1) * size));

async function writer(run) {
  const out = new JsonlWriter({ path });
  await run(out);
  await out.close();
}

const ways = {
  'writeSync, one line each': async () => {
    const fd = openSync(path, 'a');
    for (const { json } of events) writeSync(fd, `${json}\n`);
    closeSync(fd);
  },
  'writeSync, 100 lines each': async () => {
    const fd = openSync(path, 'a');
    for (const batch of batches(100)) writeSync(fd, batch.map(({ json }) => `${json}\n`).join(''));
    closeSync(fd);
  },
  'JsonlWriter, one line, awaited': () => writer(async (out) => { for (const event of events) await out.append(event); }),
  'JsonlWriter, one line, not awaited': () => writer((out) => Promise.all(events.map((event) => out.append(event)))),
  'JsonlWriter, 100 lines, awaited': () => writer(async (out) => { for (const batch of batches(100)) await out.append(batch); }),
  'JsonlLog, 10 sessions, 100 lines': async () => {
    const log = new JsonlLog({ root: join(folder, 'root') });
    for (const batch of batches(100)) await log.append(batch);
    await log.close();
  },
};

const best = {};
for (let round = 0; round < ROUNDS; round++) {
  for (const [way, run] of Object.entries(ways)) {
    const from = performance.now();
    await run();
    best[way] = Math.min(best[way] ?? Infinity, performance.now() - from);
    if (statSync(path, { throwIfNoEntry: false })?.size > 0) unlinkSync(path);
    rmSync(join(folder, 'root'), { recursive: true, force: true });
  }
}
rmSync(folder, { recursive: true });
const [one, hundred] = Object.values(best);
for (const [way, ms] of Object.entries(best)) {
  say(`${way.padEnd(36)} ${(COUNT / ms).toFixed(0).padStart(5)} lines/ms, ${(one / ms).toFixed(2)} of writeSync by line, ${(hundred / ms).toFixed(2)} by 100`);
}
row('JsonlWriter by 100 lines, speed against writeSync of 100 lines', hundred / best['JsonlWriter, 100 lines, awaited']);
row('JsonlWriter by one line, awaited, speed against writeSync of one line', one / best['JsonlWriter, one line, awaited']);
row('JsonlLog, 10 sessions, by 100 lines, speed against writeSync of 100 lines', hundred / best['JsonlLog, 10 sessions, 100 lines']);
done();
