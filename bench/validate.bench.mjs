// What a strict envelope costs: parseEvent and validateEvent against the libraries people use, on 650-byte Events.
import { Ajv2020 } from 'ajv/dist/2020.js';
import standaloneCode from 'ajv/dist/standalone/index.js';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { z } from 'zod';

import { eventSchema, parseEvent, validateEvent } from '@aepkit/envelope';

import { inTurns, openBench, size } from './lib/bench.mjs';
import { eventText } from './lib/events.mjs';

const EVENTS = size(1000, 20);
const ROUNDS = size(60, 2);
const TYPE = /^(?:(?:agent|session|run|progress|tool|delegation|attention|resource|error|state|assessment|message|control)(?:\.[a-z0-9_]+)+|x\.[a-z0-9_-]+(?:\.[a-z0-9_]+){2,})$/;
const DATE_TIME = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/;
const URI = /^[A-Za-z][A-Za-z0-9+.-]*:[^\s]*$/;
const SEVERITIES = ['debug', 'info', 'notice', 'warning', 'error', 'critical'];
const CAPTURES = ['none', 'metadata', 'redacted', 'full'];

const { say, row, done } = openBench('validate');
const texts = Array.from({ length: EVENTS }, (_, seq) => eventText(seq, { session: `0f4c9d2e-5b1a-4c55-9d0e-3f7f6a1b2c3${seq % 8}` }));
const values = texts.map((text) => JSON.parse(text));

async function ajvStandalone() {
  const ajv = new Ajv2020({ ownProperties: true, code: { source: true, esm: true }, formats: { 'date-time': DATE_TIME } });
  const validate = ajv.compile(structuredClone(eventSchema));
  const folder = mkdtempSync(join(import.meta.dirname, 'node_modules', '.ajv-'));
  try {
    const file = join(folder, 'validate.mjs');
    writeFileSync(file, standaloneCode(ajv, validate).replaceAll(/require\("(ajv\/[^"]+)"\)/g, '(await import("$1.js")).default'));
    return (await import(pathToFileURL(file).href)).default;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

// The other two as somebody would write this envelope with them: formats, enumerations, a record for `data`. They know neither
// which type asks for which attribute nor how extensions are named, so they check less.
const zodEvent = z.looseObject({
  aep: z.literal('0.1'), id: z.string().min(1), type: z.string().regex(TYPE), subject: z.string().min(1).optional(), time: z.string().regex(DATE_TIME),
  source: z.string().regex(URI), agent: z.string().min(1), session: z.string().min(1).optional(), run: z.string().min(1).optional(), step: z.string().min(1).optional(),
  seq: z.int().min(0).optional(), epoch: z.int().min(0).optional(), cause: z.string().min(1).optional(), traceparent: z.string().optional(),
  severity: z.enum(SEVERITIES).optional(), capture: z.enum(CAPTURES).optional(), data: z.record(z.string(), z.unknown()).optional(),
});
const text = () => Type.String({ minLength: 1 });
const count = () => Type.Optional(Type.Integer({ minimum: 0 }));
const oneOf = (names) => Type.Optional(Type.Union(names.map((name) => Type.Literal(name))));
const typebox = Compile(
  Type.Object({
    aep: Type.Literal('0.1'), id: text(), type: Type.String({ pattern: TYPE.source }), subject: Type.Optional(text()), time: Type.String({ pattern: DATE_TIME.source }),
    source: Type.String({ pattern: URI.source }), agent: text(), session: Type.Optional(text()), run: Type.Optional(text()), step: Type.Optional(text()), seq: count(), epoch: count(),
    cause: Type.Optional(text()), traceparent: Type.Optional(Type.String()), severity: oneOf(SEVERITIES), capture: oneOf(CAPTURES),
    data: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  }),
);
const ajv = await ajvStandalone();

let seen = 0;
const over = (inputs, check) => () => {
  for (const input of inputs) if (check(input)) seen += 1;
};
const sides = {
  'validateEvent': over(values, (value) => validateEvent(value) === undefined),
  'ajv standalone': over(values, (value) => ajv(value)),
  'typebox': over(values, (value) => typebox.Check(value)),
  'zod': over(values, (value) => zodEvent.safeParse(value).success),
};
const rounds = await inTurns(ROUNDS, EVENTS, Object.values(sides));
if (seen !== EVENTS * (ROUNDS + 1) * rounds.length) throw new Error('a library refuses a good Event');
const [ours, ...others] = rounds;
say(`validateEvent: ${ours.wall.toFixed(0)} ns per Event`);
for (const [at, name] of Object.keys(sides).slice(1).entries()) row(`validateEvent, speed against ${name}`, others[at].wall / ours.wall, { note: `${others[at].wall.toFixed(0)} ns` });

const [parse, strict, both] = await inTurns(ROUNDS, EVENTS, [
  over(texts, (json) => JSON.parse(json)),
  over(texts, (json) => parseEvent(json)),
  over(texts, (json) => ajv(JSON.parse(json))),
]);
row('parseEvent, cost against JSON.parse', strict.wall / parse.wall, { note: `${strict.wall.toFixed(0)} against ${parse.wall.toFixed(0)} ns` });
row('parseEvent, speed against JSON.parse and ajv standalone', both.wall / strict.wall, { note: 'which let a repeated member and half a surrogate pair pass' });
done();
