// Run after a build: node bench/envelope.bench.mjs
// Prints ratios of one run. Every figure is the best of many short rounds, the two sides taken in turns.
import { Ajv2020 } from 'ajv/dist/2020.js';

import { openBench, size } from '../../../bench/lib/bench.mjs';
import { eventSchema, isRfc3339, parseEvent, validateEvent } from '../dist/index.js';

const { say, row, done } = openBench('envelope');

const EVENTS = size(1000, 50);
const ROUNDS = size(300, 2);

const ulid = (number) => `01JH8Z5T3G${number.toString(32).toUpperCase().padStart(16, '0')}`;

/** An Event of about 650 bytes: a tool call that ended. */
function build(number, source) {
  return {
    aep: '0.1',
    id: ulid(number),
    type: ['tool.completed', 'tool.requested', 'run.started', 'message.sent'][number % 4],
    subject: 'Bash',
    time: new Date(1_750_000_000_000 + number * 137).toISOString(),
    source: `aep://laptop.example/agent/claude-code/session/${source}`,
    agent: 'claude-code',
    session: source,
    run: `run-${number >> 4}`,
    seq: number,
    epoch: 1,
    cause: ulid(number - 1 < 0 ? 0 : number - 1),
    severity: 'info',
    capture: 'metadata',
    data: {
      tool: { name: 'Bash', call_id: `toolu_01A09q90qw90lq91783${number}`, kind: 'shell' },
      duration_ms: 1234 + number,
      result_digest: 'd2f1a3b4c5d6e7f8091a2b3c4d5e6f70',
      'gen_ai.usage.input_tokens': 1201 + number,
      status: 'ok',
      exit_code: 0,
      truncated: false,
    },
  };
}

const sources = Array.from({ length: 8 }, (_, n) => `0f4c9d2e-5b1a-4c55-9d0e-3f7f6a1b2c3${n}`);
const oneSource = Array.from({ length: EVENTS }, (_, n) => build(n, sources[0]));
const manySources = Array.from({ length: EVENTS }, (_, n) => build(n, sources[n % sources.length]));
const middle = EVENTS >> 1;
const texts = (events, space) => events.map((event) => (space ? JSON.stringify(event, null, 1).replaceAll(/\n */g, ' ') : JSON.stringify(event)));
const withNotes = oneSource.map((event) => ({ ...event, data: { ...event.data, note: 'a "quoted" line\nand another\tone' } }));
const invalid = oneSource.map((event) => ({ ...event, capture: 'all' }));
const batch = texts(oneSource).join('\n');

let sink = 0;
const round = (inputs, work) => {
  const start = process.hrtime.bigint();
  for (const input of inputs) sink += work(input);
  return Number(process.hrtime.bigint() - start) / inputs.length;
};

function compare(title, inputs, ours, theirs) {
  let best = Infinity;
  let other = Infinity;
  for (let count = 0; count < ROUNDS; count += 1) {
    other = Math.min(other, round(inputs, theirs));
    best = Math.min(best, round(inputs, ours));
  }
  row(title, best / other, { note: `${best.toFixed(0)} ns against ${other.toFixed(0)} ns` });
}

const parse = (text) => JSON.parse(text).seq;
const parseStrict = (text) => parseEvent(text).event.seq;
say(`node ${process.version}, ${texts(oneSource)[middle].length} characters per Event`);
say('\ntime of parseEvent against JSON.parse alone (lower is better)');
compare('parseEvent, cost against JSON.parse: compact text, one source', texts(oneSource), parseStrict, parse);
compare('parseEvent, cost against JSON.parse: compact text, eight sources in turn', texts(manySources), parseStrict, parse);
compare('parseEvent, cost against JSON.parse: compact text, cut from one NDJSON body', batch.split('\n'), parseStrict, parse);
compare('parseEvent, cost against JSON.parse: white space between the tokens', texts(oneSource, true), parseStrict, parse);
compare('parseEvent, cost against JSON.parse: escapes in the text', texts(withNotes), parseStrict, parse);

const ajv = new Ajv2020({ ownProperties: true, formats: { 'date-time': { validate: isRfc3339 } } });
const compiled = ajv.compile(structuredClone(eventSchema));
const byHand = (event) => (validateEvent(event) === undefined ? 1 : 0);
const byAjv = (event) => (compiled(event) ? 1 : 0);
const parsed = (events) => events.map((event) => JSON.parse(JSON.stringify(event)));
say('\ntime of validateEvent against ajv on our schema (lower is better)');
compare('validateEvent, cost against ajv in memory: valid Events', parsed(manySources), byHand, byAjv);
compare('validateEvent, cost against ajv in memory: invalid Events', parsed(invalid), byHand, byAjv);
if (sink === 0) say('nothing ran');
done();
