import type { PayloadSchema } from '../payload-schema.js';
import { count, degraded, flag, integer, list, number, object, oneOf, open, text, token, verbatim } from './nodes.js';

// The common payload objects of AEP-0002 §5.2. Each has a title, by which the generated types and checks share it.

export const toolRef: PayloadSchema = object(
  { name: token('Name of the tool.'), call_id: token('Pairs the Events of one invocation.') },
  ['name'],
  undefined,
  'ToolRef',
);

export const errorInfo: PayloadSchema = object({ type: token('Class of the fault.'), message: text() }, [], undefined, 'ErrorInfo');

export const cost: PayloadSchema = object(
  {
    currency: token('ISO 4217 alpha-3 code of every amount.'),
    total: number('The whole; the parts need not add up to it.', { minimum: 0 }),
    prompt: number(undefined, { minimum: 0 }),
    completion: number(undefined, { minimum: 0 }),
    cache: number(undefined, { minimum: 0 }),
    reasoning: number(undefined, { minimum: 0 }),
  },
  ['currency'],
  'As the emitter states it: nobody on the way computes or adds it.',
  'Cost',
);

/** Token usage: two flat keys directly in `data`, never a nested object (AEP-0002 §5.2). */
export const usage: Readonly<Record<string, PayloadSchema>> = {
  'gen_ai.usage.input_tokens': count(),
  'gen_ai.usage.output_tokens': count(),
};

export const usageAndCost: Readonly<Record<string, PayloadSchema>> = { ...usage, cost };

export const document: PayloadSchema = object(
  {
    id: token(),
    score: number('As the emitter states it; unbounded, may be negative.'),
    content_redacted: text('The text after the redaction pipeline.'),
    content: verbatim('The text as it is.'),
    metadata: open('metadata', 'Structure such as a source token or a rank; never content.'),
  },
  [],
  undefined,
  'SourceDocument',
);

const span = { start: integer(), end: integer() };

export const citation: PayloadSchema = object(
  {
    source: object({ id: token(), uri: text(), title: text() }, [], 'What is cited. The prose asks for it, the schema does not.'),
    cited_text_redacted: text(),
    cited_text: verbatim(),
    offset: object(
      { char: object(span), page: object({ page: integer(), ...span }), block: object({ block: integer(), ...span }) },
      [],
      'At most one of the three.',
    ),
    document_index: count('Index into an ordered set of sources.'),
  },
  [],
  undefined,
  'Citation',
);

export const guardrail: PayloadSchema = object(
  {
    stage: oneOf(['input', 'output']),
    verdict: oneOf(['allowed', 'flagged', 'blocked', 'modified']),
    categories: list(object({ name: token('A name of the vendor’s own taxonomy.'), score: number('Unbounded.') })),
    detector: object({ name: token(), version: token() }),
    explanation: text('May quote the offending content.'),
  },
  [],
  undefined,
  'Guardrail',
);

const label = degraded(token('Below `redacted` the `id` next to it.'), 'label');

const choice = object({ id: token(), label }, ['id', 'label'], undefined, 'Choice');

export const options: PayloadSchema = list(choice, 'The answers on offer.');

const fieldSpec: PayloadSchema = {
  ...object(
    {
      id: token('Key of the answer in `answer.values`.'),
      type: oneOf(['string', 'number', 'boolean', 'select']),
      label,
      required: flag('Absent: false.'),
      multi: flag('`select` only: several choices. Absent: false.'),
      other: flag('`select` only: free text may replace a choice. Absent: false.'),
      choices: list(choice, 'Needed by a `select`.'),
      min: number('`number` only.'),
      max: number('`number` only.'),
    },
    ['id', 'type', 'label'],
    undefined,
    'FieldSpec',
  ),
  if: { properties: { type: { const: 'select' } }, required: ['type'] },
  then: { required: ['choices'] },
};

export const fields: PayloadSchema = list(fieldSpec, 'Only with `kind` `form`: one answer per field.');

export const answer: PayloadSchema = object(
  {
    option: token('Id of the option that applies.'),
    text: text(),
    values: degraded(open('metadata', 'For a form: field id to answer. Below `redacted` structural entries only.'), 'values'),
  },
  [],
  undefined,
  'Answer',
);
