import type { GatedLevel, PayloadSchema } from '../payload-schema.js';

// The vocabulary of the payload table. Every member states its level, as the annotations of AEP-0002 §5.1 want it.

type Members = Readonly<Record<string, PayloadSchema>>;
type Note = string | undefined;

const node = (schema: PayloadSchema, level: GatedLevel, note: Note): PayloadSchema => ({
  ...schema,
  ...(note === undefined ? {} : { description: note }),
  'x-aep-capture': level,
});

/** Text at `metadata`: a token, an id, a name. */
export const token = (note?: Note): PayloadSchema => node({ type: 'string' }, 'metadata', note);

/** Free text, from `redacted` on. */
export const text = (note?: Note): PayloadSchema => node({ type: 'string' }, 'redacted', note);

/** Verbatim text, at `full` only. */
export const verbatim = (note?: Note): PayloadSchema => node({ type: 'string' }, 'full', note);

export const count = (note?: Note): PayloadSchema => node({ type: 'integer', minimum: 0 }, 'metadata', note);

export const integer = (note?: Note): PayloadSchema => node({ type: 'integer' }, 'metadata', note);

export const number = (note?: Note, bounds: { minimum?: number; maximum?: number } = {}): PayloadSchema =>
  node({ type: 'number', ...bounds }, 'metadata', note);

export const flag = (note?: Note): PayloadSchema => node({ type: 'boolean' }, 'metadata', note);

export const oneOf = (values: readonly string[], note?: Note): PayloadSchema => node({ enum: values }, 'metadata', note);

/** An object with members of its own; the object itself is at `metadata`. */
export const object = (members: Members, required: readonly string[] = [], note?: Note, title?: string): PayloadSchema =>
  node({ ...(title === undefined ? {} : { title }), ...fields(members, required) }, 'metadata', note);

/** An object of which nothing is known but its level. */
export const open = (level: GatedLevel, note?: Note): PayloadSchema => node({ type: 'object' }, level, note);

/** An object or a text of which nothing is known but its level. */
export const openOrText = (level: GatedLevel, note?: Note): PayloadSchema => node({ type: ['object', 'string'] }, level, note);

export const list = (items: PayloadSchema, note?: Note): PayloadSchema => node({ type: 'array', items: unlevelled(items) }, 'metadata', note);

/** A list as a whole above `metadata`. */
export const gatedList = (items: PayloadSchema, level: GatedLevel, note?: Note): PayloadSchema =>
  node({ type: 'array', items: unlevelled(items) }, level, note);

/** One of the `[metadata*]` members (AEP-0002 §5.3). */
export const degraded = (schema: PayloadSchema, kind: 'prompt' | 'label' | 'values'): PayloadSchema => ({ $comment: `[metadata*] ${kind}`, ...schema });

/** The same node with another note. */
export const noted = (schema: PayloadSchema, note: string): PayloadSchema => ({ ...schema, description: note });

/** The schema of a whole `data`. */
export const payload = (members: Members = {}, required: readonly string[] = []): PayloadSchema => fields(members, required);

function fields(members: Members, required: readonly string[]): PayloadSchema {
  return {
    type: 'object',
    ...(Object.keys(members).length === 0 ? {} : { properties: members }),
    ...(required.length === 0 ? {} : { required }),
  };
}

// Elements of an array carry no annotation of their own: the list has it, and the members of the elements theirs.
function unlevelled({ 'x-aep-capture': _, ...schema }: PayloadSchema): PayloadSchema {
  return schema;
}
