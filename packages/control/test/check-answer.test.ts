import type { JsonValue } from '@aepkit/envelope';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { checkAnswer } from '../src/index.js';
import { requestOf } from './support.js';

const OPTIONS = [
  { id: 'allow', label: 'Yes, go on' },
  { id: 'deny', label: 'No' },
  { id: 'always', label: 'Later' },
  { id: 'never', label: 'Later' },
];
const permission = requestOf({ kind: 'permission', options: OPTIONS }).event;
const input = requestOf({ kind: 'input', options: OPTIONS }).event;
const form = requestOf({
  kind: 'form',
  options: [{ id: 'decline', label: 'Decline' }],
  fields: [
    { id: 'name', type: 'string', label: 'Name', required: true },
    { id: 'count', type: 'number', label: 'Count', min: 1, max: 10 },
    { id: 'sure', type: 'boolean', label: 'Sure' },
    { id: 'env', type: 'select', label: 'Where', choices: [{ id: 'dev', label: 'Dev' }, { id: 'prod', label: 'Prod' }] },
    { id: 'tags', type: 'select', multi: true, label: 'Tags', choices: [{ id: 'a', label: 'A' }, { id: 'b', label: 'B' }] },
    { id: 'tool', type: 'select', other: true, label: 'Tool', choices: [{ id: 'sh', label: 'Shell' }] },
    { id: '__proto__', type: 'string', label: 'Odd' },
  ],
}).event;
const invalid = { type: 'invalid', detail: expect.any(String) };

describe('an option', () => {
  it.each(['allow', 'deny'])('%s that was offered applies', (option) => {
    expect(checkAnswer(permission, { option })).toEqual({ type: 'valid', answer: { option } });
  });

  it('applies with the text beside it, which is the reason', () => {
    expect(checkAnswer(permission, { option: 'deny', text: 'allow' })).toEqual({ type: 'valid', answer: { option: 'deny', text: 'allow' } });
  });

  it.each(['Allow', ' allow', 'Yes, go on', '', 'constructor', '__proto__', 7, null, ['allow']])('%j was not offered', (option) => {
    expect(checkAnswer(permission, { option, text: 'allow' })).toEqual(invalid);
  });

  it('applies to no request that offered none', () => {
    expect(checkAnswer(requestOf({ kind: 'permission' }).event, { option: 'allow' })).toEqual(invalid);
  });
});

describe('text against options', () => {
  it.each([
    ['allow', 'allow'],
    [' ALLOW\n', 'allow'],
    ['yes, go on', 'allow'],
    ['NO', 'deny'],
    ['Always', 'always'],
  ])('%j counts as the option %s, and is not repeated', (text, option) => {
    for (const request of [permission, input]) expect(checkAnswer(request, { text })).toEqual({ type: 'valid', answer: { option } });
  });

  it('prefers an id to a label, and a label that several have names none of them', () => {
    const request = requestOf({ kind: 'permission', options: [{ id: 'no', label: 'yes' }, { id: 'yes', label: 'no' }] }).event;
    expect(checkAnswer(request, { text: 'YES' })).toEqual({ type: 'valid', answer: { option: 'yes' } });
    expect(checkAnswer(permission, { text: 'later' })).toEqual(invalid);
  });

  it('names none of the options whose ids differ by case alone', () => {
    const request = requestOf({ kind: 'permission', options: [{ id: 'a', label: 'x' }, { id: 'A', label: 'y' }] }).event;
    expect(checkAnswer(request, { text: 'a' })).toEqual(invalid);
    expect(checkAnswer(request, { text: 'x' })).toEqual({ type: 'valid', answer: { option: 'a' } });
    const third = requestOf({ kind: 'permission', options: [{ id: 'a', label: 'x' }, { id: 'A', label: 'y' }, { id: 'allow', label: 'a' }] }).event;
    expect(checkAnswer(third, { text: 'a' })).toEqual(invalid);
  });

  it.each(['', '   ', 'allow it', 'al low', 'yes', 'do not allow', 'allow\u0000', 'später'])('%j, which matches none, never permits', (text) => {
    expect(checkAnswer(permission, { text })).toEqual(invalid);
    expect(checkAnswer(permission, { text }, { refusing: 'deny' })).toEqual({ type: 'valid', answer: { option: 'deny', text } });
    expect(checkAnswer(permission, { text }, { refusing: 'not-offered' })).toEqual(invalid);
  });

  it('is the answer itself where nothing has to be permitted', () => {
    for (const kind of ['input', 'auth', 'review', 'other', 'made-up']) {
      expect(checkAnswer(requestOf({ kind, options: OPTIONS }).event, { text: 'Blue' })).toEqual({ type: 'valid', answer: { text: 'Blue' } });
      expect(checkAnswer(requestOf({ kind }).event, { text: ' ' })).toEqual(invalid);
    }
  });

  it('never comes to a permission, whatever the text, unless it is the word of one option', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const verdict = checkAnswer(permission, { text }, { refusing: 'deny' });
        const allowed = verdict.type === 'valid' && verdict.answer.option !== 'deny' && verdict.answer.option !== undefined;
        if (allowed) expect(['allow', 'yes, go on', 'always', 'never']).toContain(text.trim().toLowerCase());
      }),
    );
  });
});

describe('values', () => {
  it.each([
    ['the required field', { name: 'x' }],
    ['every type', { name: '', count: 3, sure: false, env: 'prod', tags: ['a', 'b'], tool: 'sh' }],
    ['the ends of a range', { name: 'x', count: 10 }],
    ['free text where it is offered', { name: 'x', tool: 'zsh' }],
    ['one choice of many', { name: 'x', tags: 'a' }],
    ['no choice', { name: 'x', tags: [] }],
  ])('with %s apply', (_, values) => {
    expect(checkAnswer(form, { values })).toEqual({ type: 'valid', answer: { values } });
  });

  it('lose what belongs to no field, and keep names that objects inherit', () => {
    const values = JSON.parse('{"name":"x","toString":"y","other":1,"__proto__":"z"}') as JsonValue;
    const verdict = checkAnswer(form, { values });
    expect(JSON.stringify(verdict)).toBe('{"type":"valid","answer":{"values":{"name":"x","__proto__":"z"}}}');
  });

  it.each([
    ['a missing required field', { count: 1 }],
    ['an inherited required field', Object.create({ name: 'x' })],
    ['text for a number', { name: 'x', count: '3' }],
    ['a number below its range', { name: 'x', count: 0 }],
    ['a number above its range', { name: 'x', count: 10.5 }],
    ['a number for text', { name: 1 }],
    ['null', { name: null }],
    ['a word for a boolean', { name: 'x', sure: 'true' }],
    ['a choice that is none', { name: 'x', env: 'test' }],
    ['a label for a choice', { name: 'x', env: 'Prod' }],
    ['several for one', { name: 'x', env: ['dev'] }],
    ['one of several that is none', { name: 'x', tags: ['a', 'c'] }],
    ['an object among several', { name: 'x', tags: [{}] }],
    ['a number where text is free', { name: 'x', tool: 3 }],
  ])('with %s do not apply', (_, values) => {
    expect(checkAnswer(form, { values })).toEqual(invalid);
  });

  it.each([[[]], ['x'], [null], [7]])('that are %j do not apply', (values) => {
    expect(checkAnswer(form, { values })).toEqual(invalid);
  });

  it('go with a form only, and a form goes with values, or with an option that it offers', () => {
    expect(checkAnswer(permission, { values: {} })).toEqual(invalid);
    expect(checkAnswer(form, { text: 'x' })).toEqual(invalid);
    expect(checkAnswer(form, { option: 'decline' })).toEqual({ type: 'valid', answer: { option: 'decline' } });
    expect(checkAnswer(form, { text: 'decline' })).toEqual({ type: 'valid', answer: { option: 'decline' } });
  });

  it('are held against the form as an oracle reads it', () => {
    const value = fc.constantFrom<JsonValue>('x', 'dev', 'a', 'sh', 0, 1, 10, 11, true, null, ['a'], ['a', 'z'], [], {});
    const values = fc.dictionary(fc.constantFrom('name', 'count', 'sure', 'env', 'tags', 'tool', 'else'), value);
    const fits: Record<string, (given: JsonValue) => boolean> = {
      name: (given) => typeof given === 'string',
      count: (given) => typeof given === 'number' && given >= 1 && given <= 10,
      sure: (given) => typeof given === 'boolean',
      env: (given) => given === 'dev' || given === 'prod',
      tags: (given) => [given].flat().every((each) => each === 'a' || each === 'b'),
      tool: (given) => typeof given === 'string',
    };
    fc.assert(
      fc.property(values, (given) => {
        const right = 'name' in given && Object.entries(given).every(([id, each]) => fits[id]?.(each) ?? true);
        expect(checkAnswer(form, { values: given }).type).toBe(right ? 'valid' : 'invalid');
      }),
    );
  });
});

describe('an answer', () => {
  it.each([undefined, null, 'allow', 7, [], {}, { other: 1 }, Object.create({ option: 'allow' }), { text: 7 }, { option: undefined }])('%j is none', (answer) => {
    expect(checkAnswer(permission, answer)).toEqual(invalid);
  });

  it.each([undefined, 'x', { kind: 'permission' }, { kind: 'permission', options: 'allow' }, { kind: 'permission', options: [null, 'allow', { id: 7 }] }])(
    'to a request with data %j permits nothing',
    (data) => {
      for (const answer of [{ option: 'allow' }, { text: 'allow' }, { values: {} }]) {
        const verdict = checkAnswer({ ...permission, data: data as never }, answer);
        if (verdict.type === 'valid') expect(verdict.answer.option).toBeUndefined();
      }
    },
  );

  it('is refused without a word of what it held', () => {
    const secret = 'hunter2';
    for (const answer of [{ option: secret }, { text: secret }, { values: { name: 1, [secret]: secret } }, { values: { name: 'x', env: secret } }]) {
      expect(JSON.stringify(checkAnswer(answer.values === undefined ? permission : form, answer))).not.toContain(secret);
    }
  });
});
