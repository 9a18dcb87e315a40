import type { Capture, JsonObject } from '@aepkit/envelope';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { checkEmission, gate, gateData, payloadSchemas, validatePayload, type FieldSpec } from '../src/index.js';
import { event, wire } from './events.js';
import { followsSchema, likeSchema } from './like-schema.js';

const context = { agent: 'a' };

describe('gateData', () => {
  const data = { tool: { name: 'Bash' }, args_digest: 'd', args_redacted: { a: '…' }, args: { a: 'secret' }, x_note: 1 };

  it('leaves out what is above the level, at every level [T-028, B-148]', () => {
    expect(gateData('tool.requested', data, 'none', context)).toBeUndefined();
    expect(gateData('tool.requested', data, 'metadata', context)).toEqual({ tool: { name: 'Bash' }, args_digest: 'd', x_note: 1 });
    expect(gateData('tool.requested', data, 'redacted', context)).toEqual({ tool: { name: 'Bash' }, args_digest: 'd', args_redacted: { a: '…' }, x_note: 1 });
    expect(gateData('tool.requested', data, 'full', context)).toBe(data);
    expect(data).toHaveProperty('args');
  });

  it('gives the same object where nothing changes, and changes none it was given', () => {
    const fine = Object.freeze({ tool: Object.freeze({ name: 'Bash' }) });
    expect(gateData('tool.requested', fine, 'metadata', context)).toBe(fine);
    const nested = Object.freeze({ documents: Object.freeze([Object.freeze({ id: 'a', content: 'c' }), Object.freeze({ id: 'b' })]) });
    expect(gateData('resource.retrieval.returned', nested, 'metadata', context)).toEqual({ documents: [{ id: 'a' }, { id: 'b' }] });
    const unchanged = { documents: [{ id: 'b' }], count: 1 };
    expect(gateData('resource.retrieval.returned', unchanged, 'metadata', context)).toBe(unchanged);
  });

  it('makes prompts and labels from structure at metadata [T-081, T-083, B-189]', () => {
    const request = {
      kind: 'form',
      prompt: 'Real text',
      options: [{ id: 'o', label: 'Real' }],
      fields: [{ id: 'f', type: 'select', label: 'Real', choices: [{ id: 'c', label: 'Real' }] }],
    };
    expect(gateData('attention.requested', request, 'metadata', { agent: 'claude-code', subject: 'Bash' })).toEqual({
      kind: 'form',
      prompt: 'claude-code requests form: Bash',
      options: [{ id: 'o', label: 'o' }],
      fields: [{ id: 'f', type: 'select', label: 'f', choices: [{ id: 'c', label: 'c' }] }],
    });
    expect(gateData('attention.requested', request, 'redacted', context)).toBe(request);
  });

  it('takes all of a vendor type for metadata, as its sender answers for it [T-033]', () => {
    const vendor = { text: 'x' };
    expect(gateData('x.acme.session.synced', vendor, 'metadata', context)).toBe(vendor);
    expect(gateData('x.acme.session.synced', vendor, 'none', context)).toBeUndefined();
  });

  it('takes out what it cannot classify', () => {
    expect(gateData('tool.failed', { error: 'text' }, 'redacted', context)).toEqual({});
    expect(gateData('tool.failed', { error: 5 }, 'metadata', context)).toEqual({ error: 5 });
    expect(gateData('tool.failed', { error: 'text' }, 'full', context)).toEqual({ error: 'text' });
    expect(gateData('resource.retrieval.returned', { documents: ['text', { id: 'a' }] }, 'metadata', context)).toEqual({ documents: [{ id: 'a' }] });
  });

  it('keeps a member named __proto__ a member', () => {
    const hostile = JSON.parse('{"__proto__":{"message":"x"},"message":"y","phase":"p"}') as JsonObject;
    const kept = gateData('progress.status', hostile, 'metadata', context)!;
    expect(Object.keys(kept)).toEqual(['__proto__', 'phase']);
    expect(Object.getPrototypeOf(kept)).toBe(Object.prototype);
  });

  it('refuses a word that is no level', () => {
    expect(() => gateData('tool.requested', data, 'all' as Capture, context)).toThrow(expect.objectContaining({ code: 'unknown-level' }));
  });

  it('agrees with the gate of a hop where it knows no more than that, and leaves nothing to report', () => {
    const entries = Object.entries(payloadSchemas).filter(([, schema]) => schema.properties !== undefined);
    const payloads = fc.constantFrom(...entries).chain(([type, schema]) => followsSchema(schema, likeSchema).map((payload) => ({ type, payload: JSON.parse(JSON.stringify(payload)) as JsonObject })));
    fc.assert(
      fc.property(payloads, fc.constantFrom('none', 'metadata', 'redacted', 'full'), ({ type, payload }, level) => {
        const gated = gateData(type, payload, level, context);
        if (level === 'metadata') expect(gated).toEqual(gate(wire(type, { capture: 'full', data: payload }), level).event.data);
        const above = checkEmission(event(type, { capture: level, data: gated })).filter((issue) => issue.code === 'above-capture' || issue.code === 'data-at-none');
        expect(above).toEqual([]);
      }),
      { numRuns: 800 },
    );
  });

  it('makes no valid payload invalid', () => {
    const entries = Object.entries(payloadSchemas).filter(([, schema]) => schema.properties !== undefined);
    const payloads = fc.constantFrom(...entries).chain(([type, schema]) => followsSchema(schema, likeSchema).map((payload) => ({ type, payload: payload as JsonObject })));
    fc.assert(
      fc.property(payloads, fc.constantFrom('metadata', 'redacted'), ({ type, payload }, level) => {
        fc.pre(validatePayload(event(type, { data: payload })).length === 0);
        expect(validatePayload(event(type, { data: gateData(type, payload, level, context) }))).toEqual([]);
      }),
      { numRuns: 800 },
    );
  });
});

describe('gateData, answers to a form whose fields are known', () => {
  const fields: readonly FieldSpec[] = [
    { id: 'text', type: 'string', label: 'T' },
    { id: 'number', type: 'number', label: 'N' },
    { id: 'flag', type: 'boolean', label: 'B' },
    { id: 'one', type: 'select', label: 'O', choices: [{ id: 'a', label: 'A' }, { id: 'b', label: 'B' }] },
    { id: 'many', type: 'select', label: 'M', multi: true, choices: [{ id: 'a', label: 'A' }, { id: 'b', label: 'B' }] },
    { id: 'open', type: 'select', label: 'P', other: true, choices: [{ id: 'a', label: 'A' }] },
    { id: 'manyopen', type: 'select', label: 'Q', multi: true, other: true, choices: [{ id: 'a', label: 'A' }] },
  ];
  const answered = (values: JsonObject, level: Capture, known: readonly FieldSpec[] | undefined = fields): unknown =>
    ['attention.answered', 'control.attention.respond'].map((type) => (gateData(type, { answer: { option: 'x', values } }, level, { agent: 'a', fields: known })!.answer as JsonObject).values);
  const both = (values: JsonObject): unknown => [values, values];

  it('keep numbers, booleans and choice ids at metadata [T-098, T-099]', () => {
    const values = { number: 0, flag: false, one: 'b', many: ['a', 'b'], open: 'a', manyopen: ['a'] };
    expect(answered(values, 'metadata')).toEqual(both(values));
    expect(answered({ many: [] }, 'metadata')).toEqual(both({ many: [] }));
  });

  it('lose free text at metadata, and keep it from redacted on [T-096, T-097]', () => {
    const values = { text: 'free', open: 'something else', manyopen: ['a', 'something else'], many: ['a', 'no choice'], one: 'no choice' };
    expect(answered(values, 'metadata')).toEqual(both({}));
    expect(answered(values, 'redacted')).toEqual(both(values));
    expect(answered(values, 'full')).toEqual(both(values));
  });

  it('lose a string in a field of another type, for a string is text [T-233]', () => {
    expect(answered({ number: '5', flag: 'yes', text: 5 }, 'metadata')).toEqual(both({}));
    expect(answered({ number: { a: 1 }, flag: ['x'], one: 5 }, 'metadata')).toEqual(both({}));
  });

  it('lose entries that belong to no field, at every level [T-104]', () => {
    for (const level of ['metadata', 'redacted', 'full'] as const) expect(answered({ number: 1, stray: 2, constructor: true }, level)).toEqual(both({ number: 1 }));
  });

  it('are numbers and booleans at metadata where the fields are not known', () => {
    const values = { a: 1, b: true, c: 'choice', d: ['x'] };
    const kept = (level: Capture): unknown => (gateData('attention.answered', { answer: { values } }, level, context)!.answer as JsonObject).values;
    expect(kept('metadata')).toEqual({ a: 1, b: true });
    expect(kept('redacted')).toBe(values);
  });

  it('keep an own __proto__ entry from becoming a prototype', () => {
    const values = JSON.parse('{"__proto__":1,"number":2}') as JsonObject;
    const [kept] = answered(values, 'metadata', [...fields, { id: '__proto__', type: 'number', label: 'x' }]) as [JsonObject];
    expect(Object.entries(kept)).toEqual([['__proto__', 1], ['number', 2]]);
  });
});
