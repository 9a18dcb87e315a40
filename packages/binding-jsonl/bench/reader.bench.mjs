// Reading JSONL against what people use today, and against the least that can be done.
// Run: node bench/reader.bench.mjs   (after `tsc -p tsconfig.build.json`)
import { Readable } from 'node:stream';

import split2 from 'split2';

import { openBench, size } from '../../../bench/lib/bench.mjs';
import { JsonlReader, readJsonl } from '../dist/reader.js';

const { say, row, done } = openBench('jsonl-reader');

const COUNT = size(20_000, 200);
const ROUNDS = size(7, 1);
const CHUNK = 65_536;

function chunks(wide) {
  const lines = Array.from({ length: COUNT }, (_, seq) => {
    const event = {
      aep: '0.1', id: `01J9ZK3V5M${String(seq).padStart(16, '0')}`, type: 'tool.completed', time: '2026-05-04T10:11:12.345Z', source: 'aep://host/agent/claude/session/s',
      agent: 'claude', session: 's', run: 'run-1', step: 'step-12', seq, severity: 'info', capture: 'metadata', data: { tool: { name: 'Bash' }, note: wide },
    };
    event.data.note += 'x'.repeat(650 - Buffer.byteLength(JSON.stringify(event)));
    return `${JSON.stringify(event)}\n`;
  });
  const bytes = Buffer.from(lines.join(''));
  return Array.from({ length: Math.ceil(bytes.length / CHUNK) }, (_, i) => bytes.subarray(i * CHUNK, (i + 1) * CHUNK));
}

const ways = {
  // The least: whole text at once, split, parse. Checks nothing and holds everything.
  'bare split + JSON.parse': async (input) => Buffer.concat(input).toString().split('\n').filter(Boolean).map((line) => JSON.parse(line)).length,
  'split2 + JSON.parse': async (input) => {
    let events = 0;
    for await (const event of Readable.from(input).pipe(split2(JSON.parse))) if (event) events += 1;
    return events;
  },
  'JsonlReader.push': async (input) => {
    const reader = new JsonlReader();
    let events = 0;
    for (const chunk of input) for (const item of reader.push(chunk)) if (item.type === 'event') events += 1;
    return events;
  },
  readJsonl: async (input) => {
    let events = 0;
    for await (const item of readJsonl(Readable.from(input))) if (item.type === 'event') events += 1;
    return events;
  },
};

for (const [name, wide] of [['ASCII', ''], ['an ellipsis in each line', '…']]) {
  const input = chunks(wide);
  const best = {};
  for (let round = 0; round < ROUNDS; round++) {
    for (const [way, run] of Object.entries(ways)) {
      const from = performance.now();
      const events = await run(input);
      const ms = performance.now() - from;
      if (events !== COUNT) throw new Error(`${way}: ${events}`);
      best[way] = Math.min(best[way] ?? Infinity, ms);
    }
  }
  say(name);
  for (const [way, ms] of Object.entries(best)) {
    const against = (other) => (best[other] / ms).toFixed(2);
    say(`  ${way.padEnd(26)} ${Math.round(COUNT / ms)} lines/ms, ${against('split2 + JSON.parse')} of split2, ${against('bare split + JSON.parse')} of bare`);
  }
  row(`readJsonl, speed against split2 and JSON.parse, ${name}`, best['split2 + JSON.parse'] / best.readJsonl);
  row(`JsonlReader, speed against a bare split and JSON.parse, ${name}`, best['bare split + JSON.parse'] / best['JsonlReader.push']);
}
done();
