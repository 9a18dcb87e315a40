import { AREAS, STREAM_FINDINGS, type Area } from './case.js';
import type { CorpusFile } from './load-corpus.js';

type Check = (value: unknown) => boolean;

const text: Check = (value) => typeof value === 'string';
const anything: Check = (value) => value !== undefined;
const oneOf =
  (...words: readonly unknown[]): Check =>
  (value) =>
    words.includes(value);
const place: Check = (value) => isObject(value) && Number.isSafeInteger(value.epoch) && Number.isSafeInteger(value.seq);
const levels = oneOf('none', 'metadata', 'redacted', 'full');
const verdict = oneOf('accept', 'reject');
const findings: Check = (value) => Array.isArray(value) && value.every(oneOf(...STREAM_FINDINGS));

interface Shape {
  /** One of these is there, and only one. */
  readonly input?: Readonly<Record<string, Check>>;
  readonly required: Readonly<Record<string, Check>>;
  readonly optional?: Readonly<Record<string, Check>>;
}

const event = { event: anything, text };

const SHAPES: Readonly<Record<Area, Shape>> = {
  envelope: { input: { ...event, base64: text }, required: { verdict } },
  payload: { input: event, required: { verdict } },
  emission: { input: event, required: { verdict } },
  extensions: { required: { text, verdict } },
  'attr-match': { input: event, required: { filter: text, verdict: oneOf('match', 'no-match', 'reject') } },
  capture: { input: event, required: { ceiling: levels, expected: text }, optional: { verbatim: oneOf(true) } },
  stream: { required: { events: Array.isArray, expected: findings } },
  digest: { required: { text, expected: (value) => typeof value === 'string' && /^[0-9a-f]{32}$/.test(value) } },
  order: { required: { a: place, b: place, expected: oneOf('a', 'b', 'same') } },
  'sse-id': { input: event, required: { expected: (value) => value === null || text(value) } },
  'last-event-id': {
    required: { text, expected: (value) => value === null || (place(value) && isObject(value) && text(value.session)) },
  },
};

const ID = /^[a-z-]+\/[a-z0-9]+(?:-[a-z0-9]+)*$/;

/**
 * Looks at the form of a corpus: members and their types, ids unique and in their area, every named clause in the tables, and
 * the clauses of the title those of the case. Gives what is wrong, one line each.
 */
export function checkCorpus(files: readonly CorpusFile[], clauses: ReadonlySet<string>): readonly string[] {
  const problems: string[] = [];
  const seen = new Set<string>();
  for (const { area, path, cases } of files) {
    for (const [index, item] of cases.entries()) {
      const where = isObject(item) && typeof item.id === 'string' ? item.id : `${path}[${index}]`;
      const say: Say = (what) => problems.push(`${where}: ${what}`);
      if (seen.has(where)) say('stands twice');
      seen.add(where);
      if (isObject(item)) {
        checkNames(item, area, clauses, say);
        checkShape(item, SHAPES[area], say);
      } else {
        say('is no object');
      }
    }
  }
  const empty = AREAS.filter((area) => !files.some((file) => file.area === area && file.cases.length > 0));
  return [...problems, ...empty.map((area) => `${area}: has no case`)];
}

function checkNames(item: Item, area: Area, clauses: ReadonlySet<string>, say: Say): void {
  const { id, title, reason, clauses: named } = item;
  if (typeof id !== 'string' || !ID.test(id) || !id.startsWith(`${area}/`)) say(`id has to be ${area}/ and words in lower case`);
  if (typeof reason !== 'string' || reason === '') say('has no reason');
  if (!Array.isArray(named) || !named.every(text)) {
    say('clauses are a list of ids');
    return;
  }
  for (const clause of named as readonly string[]) if (!clauses.has(clause)) say(`${clause} is in no table of clauses`);
  const suffix = named.length === 0 ? '' : ` [${named.join(', ')}]`;
  if (typeof title !== 'string' || !title.endsWith(suffix) || /\[[A-Z]-/.test(title.slice(0, title.length - suffix.length))) {
    say('the title has to end with the clauses of the case');
  }
}

function checkShape(item: Item, shape: Shape, say: Say): void {
  const { input = {}, required, optional = {} } = shape;
  const inputs = Object.keys(input).filter((name) => name in item);
  if (Object.keys(input).length > 0 && inputs.length !== 1) say(`has to have one of ${Object.keys(input).join(', ')}`);
  const known: Readonly<Record<string, Check>> = { ...input, ...required, ...optional };
  for (const name of Object.keys(required)) if (!(name in item)) say(`${name} is missing`);
  for (const [name, value] of Object.entries(item)) {
    if (COMMON.includes(name)) continue;
    const check = known[name];
    if (check === undefined) say(`${name} is no member of such a case`);
    else if (!check(value)) say(`${name} has a wrong value`);
  }
}

const COMMON: readonly string[] = ['id', 'clauses', 'title', 'reason'];

type Say = (what: string) => unknown;

type Item = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Item {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
