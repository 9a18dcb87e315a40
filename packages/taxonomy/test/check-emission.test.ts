import type { Capture, JsonObject } from '@aepkit/envelope';
import { describe, expect, it } from 'vitest';

import { checkEmission, registry } from '../src/index.js';
import { event, TYPES } from './events.js';

const found = (type: string, data?: unknown, attributes: object = {}): string[] =>
  checkEmission(event(type, { severity: 'notice', step: type.startsWith('run.step.') ? 's' : undefined, ...attributes, ...(data === undefined ? {} : { data: data as JsonObject }) })).map(
    (issue) => `${issue.severity} ${issue.code} ${issue.path}`,
  );

describe('checkEmission', () => {
  it('reports an unregistered core type as an error and a reserved one as a warning, and no vendor type [T-170, T-027, E-112]', () => {
    expect(found('tool.exploded')).toEqual(['error unregistered-type $.type']);
    expect(found('message.user.submitted')).toEqual(['warning reserved-type $.type']);
    expect(found('message.agent.replied')).toEqual(['warning reserved-type $.type']);
    expect(found('x.acme.session.synced', { a: 1 })).toEqual([]);
    expect(found('constructor')).toEqual(['error unregistered-type $.type']);
  });

  it('asks for no set of types: an Event of any registered type is fine by itself [T-006]', () => {
    for (const { type, status } of registry) {
      if (status !== 'reserved') expect(found(type, undefined, { capture: 'none' })).toEqual([]);
    }
  });

  it.each([
    ['metadata', ['error above-capture $.data.args_redacted', 'error above-capture $.data.args']],
    [undefined, ['error above-capture $.data.args_redacted', 'error above-capture $.data.args']],
    ['redacted', ['error above-capture $.data.args']],
    ['full', []],
  ] as const)('reports each member above capture %s [T-028, T-240, B-148]', (capture, expected) => {
    expect(found('tool.requested', { tool: { name: 'B' }, args: {}, args_redacted: {} }, { capture })).toEqual(expected);
  });

  it('reports members above the capture at any depth [T-240, T-046, T-048]', () => {
    expect(found('resource.retrieval.returned', { documents: [{}, { content: 'c', content_redacted: 'r' }] })).toEqual([
      'error above-capture $.data.documents[1].content_redacted',
      'error above-capture $.data.documents[1].content',
    ]);
    expect(found('resource.citation.recorded', { citations: [{ source: { uri: 'u' } }] })).toEqual(['error above-capture $.data.citations[0].source.uri']);
    expect(found('assessment.evaluation.recorded', { 'gen_ai.evaluation.explanation': 'x' })).toEqual(['error above-capture $.data["gen_ai.evaluation.explanation"]']);
    expect(found('tool.failed', { tool: { name: 'B' }, error: 'no object' })).toEqual([]);
  });

  it('reports data at capture none, whatever it holds [T-240, E-094]', () => {
    for (const type of ['tool.requested', 'x.acme.session.synced', 'agent.idle']) expect(found(type, {}, { capture: 'none' })).toEqual(['error data-at-none $.data']);
  });

  it('warns of absent data where its schema has required members', () => {
    const missing = ['warning missing-data $.data'];
    expect(TYPES.filter((type) => found(type)[0] === missing[0])).toEqual([
      'run.failed',
      'tool.requested',
      'tool.completed',
      'tool.failed',
      'tool.denied',
      'attention.requested',
      'attention.answered',
      'attention.resolved',
      'agent.presence',
      'agent.health',
      'control.attention.respond',
      'control.cancel',
      'control.rejected',
    ]);
    expect(found('tool.requested', undefined, { capture: 'none' })).toEqual([]);
  });

  it('asks run.step Events for their step [T-023]', () => {
    expect(found('run.step.started', {}, { step: undefined })).toEqual(['error missing-step $.step']);
    expect(found('run.step.finished', {}, { step: undefined })).toEqual(['error missing-step $.step']);
    expect(found('run.step.finished', {}, { step: 's' })).toEqual([]);
  });

  it('warns of a request below notice [T-018]', () => {
    const request = { kind: 'input', prompt: 'p' };
    expect(found('attention.requested', request, { severity: undefined })).toEqual(['warning low-severity $.severity']);
    expect(found('attention.requested', request, { severity: 'info' })).toEqual(['warning low-severity $.severity']);
    expect(found('attention.requested', request, { severity: 'critical' })).toEqual([]);
    expect(found('attention.resolved', { resolution: 'auto' }, { severity: 'debug' })).toEqual([]);
  });

  it('asks for an ISO 4217 code [T-040]', () => {
    for (const currency of ['eur', 'EURO', '€', '']) expect(found('run.finished', { cost: { currency } })).toEqual(['error invalid-currency $.data.cost.currency']);
    expect(found('tool.completed', { tool: { name: 'B' }, cost: { currency: 'EUR' } })).toEqual([]);
  });

  it('warns of usage in an object of its own [T-038]', () => {
    expect(found('run.finished', { usage: { input_tokens: 1 } })).toEqual(['warning misplaced-member $.data.usage']);
    expect(found('run.finished', { usage: 'a vendor’s' })).toEqual([]);
  });

  it('warns of an empty tool name', () => {
    expect(found('tool.denied', { tool: { name: '' }, by: 'policy' })).toEqual(['warning empty-token $.data.tool.name']);
  });

  it('asks fields to go with forms, and forms to have some [T-080]', () => {
    const field = { id: 'f', type: 'string', label: 'f' };
    expect(found('attention.requested', { kind: 'input', prompt: 'p', fields: [field] })).toEqual(['error misplaced-member $.data.fields']);
    expect(found('attention.requested', { kind: 'form', prompt: 'p' })).toEqual(['error missing-fields $.data.fields']);
    expect(found('attention.requested', { kind: 'form', prompt: 'p', fields: [] })).toEqual(['error missing-fields $.data.fields']);
    expect(found('attention.requested', { kind: 'form', prompt: 'p', fields: [field] })).toEqual([]);
  });

  it('asks min and max to go with numbers, and other with selects; multi has no effect elsewhere [T-056]', () => {
    const request = (field: JsonObject): string[] => found('attention.requested', { kind: 'form', prompt: 'p', fields: [{ id: 'f', label: 'f', ...field }] });
    expect(request({ type: 'number', min: 1, max: 2 })).toEqual([]);
    expect(request({ type: 'select', choices: [], multi: true, other: true })).toEqual([]);
    expect(request({ type: 'string', min: 1, max: 2, other: false, multi: true })).toEqual([
      'error misplaced-member $.data.fields[0].min',
      'error misplaced-member $.data.fields[0].max',
      'error misplaced-member $.data.fields[0].other',
      'warning misplaced-member $.data.fields[0].multi',
    ]);
  });

  it('warns of an id that stands twice in a list [T-237]', () => {
    const twice = [{ id: 'a', label: 'a' }, { id: 'b', label: 'b' }, { id: 'a', label: 'c' }];
    expect(found('attention.requested', { kind: 'form', prompt: 'p', options: twice, fields: [{ id: 'f', label: 'f', type: 'select', choices: twice }, { id: 'f', label: 'f', type: 'string' }] })).toEqual([
      'warning duplicate-id $.data.options[2].id',
      'warning duplicate-id $.data.fields[1].id',
      'warning duplicate-id $.data.fields[0].choices[2].id',
    ]);
  });

  it.each(['attention.answered', 'control.attention.respond'])('asks the answers in %s to be flat [T-094]', (type) => {
    expect(found(type, { answer: { values: { a: 1, b: 'x', c: ['x', 'y'], d: true, e: { x: 1 }, f: [['x']], 'odd name': null } } })).toEqual([
      'error nested-answer $.data.answer.values.e',
      'error nested-answer $.data.answer.values.f',
      'error nested-answer $.data.answer.values["odd name"]',
    ]);
  });

  it('warns of a citation without source, and asks for one offset [T-047, T-049]', () => {
    const span = { start: 0, end: 1 };
    expect(found('resource.citation.recorded', { citations: [{ source: {} }, {}, { source: {}, offset: { char: span, page: span } }] })).toEqual([
      'warning missing-source $.data.citations[1].source',
      'error several-offsets $.data.citations[2].offset',
    ]);
  });

  it('warns of a category of a guardrail without name', () => {
    expect(found('assessment.guardrail.recorded', { guardrail: { categories: [{ name: 'a' }, { score: 1 }] } })).toEqual(['warning missing-member $.data.guardrail.categories[1].name']);
  });

  it('passes over members of the wrong type, which are for the schema to report', () => {
    expect(found('attention.requested', { kind: 'form', prompt: 1, fields: 'x', options: { id: 'a' } })).toEqual([]);
    expect(found('resource.citation.recorded', { citations: 'x' })).toEqual([]);
    expect(found('resource.citation.recorded', { citations: [null, 'x'] })).toEqual(['warning missing-source $.data.citations[0].source', 'warning missing-source $.data.citations[1].source']);
    expect(found('run.finished', { cost: 'x' })).toEqual([]);
    expect(found('attention.answered', { answer: { values: ['x'] } })).toEqual([]);
    expect(found('assessment.guardrail.recorded', { guardrail: 'x' })).toEqual([]);
  });

  it('bounds its list', () => {
    const data = { documents: Array.from({ length: 9 }, () => ({ content: 'c' })) };
    expect(checkEmission(event('resource.retrieval.returned', { data }), { maxIssues: 3 }).map((issue) => issue.code)).toEqual(['above-capture', 'above-capture', 'above-capture', 'more']);
  });

  it('refuses an Event whose capture is no level', () => {
    expect(() => found('tool.denied', {}, { capture: 'all' as Capture })).toThrow(expect.objectContaining({ code: 'unknown-level' }));
  });
});
