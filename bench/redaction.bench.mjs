// Redaction of text: against one pass of indexOf, and against two packages. Prints ratios; asserts nothing.
import { OpenRedaction } from '@openredaction/core';
import { createRedactor } from '@aepkit/redaction';
import { lintSource } from '@secretlint/core';
import { creator } from '@secretlint/secretlint-rule-preset-recommend';

import { openBench, size } from './lib/bench.mjs';

const { say, row, done } = openBench('redaction');

const CLEAN = [
  '2026-11-30T12:30:00.123Z info request 7d3f0f0e-1b1a-4a3c-9a57-6f3d7b8f1c2e done in 12 ms\n',
  'export function parse(input: string): Result { return reader.read(input, { strict: true }); }\n',
  'The collector keeps what it was given, and lowers it for each consumer to the ceiling that was agreed on.\n',
  '{"id":"a1","kind":"span","name":"build","attributes":{"files":12,"cached":true},"parent":null}\n',
  'commit a94a8fe5ccb19ba61c4c0873d391e987982fbbd3 Fix the order of late events (#1234)\n',
];
/** Put together here, so that no scanner takes this file for a leak. */
const SECRETS = [['Authorization: Bearer ', 'q7Gw2ZtK9vXb4LmR1sYc8PnH\n'], ['export DB_PASS', 'WORD="hunter2 x"\n'], ['use gh', 'p_q7Gw2ZtK9vXb4LmR1sYc8PnH5dJf3AeU6iVo here\n'], ['mail bob@', 'example.com\n']].map((parts) => parts.join(''));

function text(length, withSecrets) {
  let result = '';
  for (let at = 0; result.length < length; at += 1) result += CLEAN[at % CLEAN.length] + (withSecrets && at % 10 === 9 ? SECRETS[(at / 10) % SECRETS.length | 0] : '');
  return result;
}

const redactor = createRedactor();
const shield = new OpenRedaction();
const config = { rules: [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: creator, options: {} }] };
const sides = {
  indexOf: (input) => input.indexOf('\u0000'),
  ours: (input) => redactor.text(input),
  secretlint: (input) => lintSource({ source: { content: input, filePath: 'a.txt', ext: '.txt', contentType: 'text' }, options: { config, noPhysicFilePath: true } }),
  openredaction: (input) => shield.detect(input),
};

async function time(run, input, rounds) {
  const times = [];
  for (let round = 0; round < rounds; round += 1) {
    const before = process.hrtime.bigint();
    await run(input);
    times.push(Number(process.hrtime.bigint() - before));
  }
  // What else the machine does only adds.
  return Math.min(...times);
}

for (const [name, withSecrets] of [['clean', false], ['mixed', true]]) {
  const input = text(size(100_000, 2000), withSecrets);
  const times = {};
  for (const [side, run] of Object.entries(sides)) {
    await time(run, input, size(5, 1));
    times[side] = await time(run, input, size(15, 2));
  }
  say(`${name}, ${input.length} characters: ours ${((input.length / times.ours) * 1000).toFixed(1)} MB/s`);
  row(`redaction, ${name} text, against one indexOf`, times.ours / Math.max(1, times.indexOf), { note: 'a pass that finds nothing' });
  row(`redaction, ${name} text, secretlint against ours`, times.secretlint / times.ours, { note: 'it reports, and has no personal data' });
  row(`redaction, ${name} text, openredaction against ours`, times.openredaction / times.ours, { note: 'personal data and some keys' });
}

const worst = 'password=('.repeat(size(2000, 50));
const worstTime = await time(sides.ours, worst, size(5, 1));
row('redaction, the costliest text, against clean text of its length', worstTime / (await time(sides.ours, text(worst.length, false).slice(0, worst.length), size(5, 1))));
done();
