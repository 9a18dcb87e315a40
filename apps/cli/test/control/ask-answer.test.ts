import type { AepEvent, JsonObject } from '@aepkit/envelope';
import { buildEvent } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { askAnswer, type Asked } from '../../src/control/ask-answer.js';

const request = (data: JsonObject): AepEvent => buildEvent({ type: 'attention.requested', id: 'r1', session: 's', data: { kind: 'permission', prompt: 'p', ...data } });
const OPTIONS = { options: [{ id: 'allow', label: 'Allow' }, { id: 'deny', label: 'Deny' }] };

async function answer(data: JsonObject, ...lines: string[]): Promise<{ asked: Asked; told: string[]; left: number }> {
  const told: string[] = [];
  const asked = await askAnswer(request(data), { ask: () => Promise.resolve(lines.shift()), tell: (line) => void told.push(line) });
  return { asked, told, left: lines.length };
}
const given = (value: JsonObject): Asked => ({ type: 'answer', answer: value });

describe('askAnswer', () => {
  it.each([
    [['1'], { option: 'allow' }],
    [['deny'], { option: 'deny' }],
    [['2 not on a Friday '], { option: 'deny', text: 'not on a Friday' }],
    [['', '3', 'maybe', '0', '1'], { option: 'allow' }],
  ])('takes %j for an option, and says so by its id [T-119]', async (lines, expected) => {
    expect((await answer(OPTIONS, ...lines)).asked).toEqual(given(expected));
  });

  it('never takes a number for an option of that name', async () => {
    const options = { options: [{ id: '2', label: 'no' }, { id: '1', label: 'yes' }] };
    expect((await answer(options, '1')).asked).toEqual(given({ option: '2' }));
  });

  it.each([[['s'], 'skip'], [['q'], 'quit'], [[], 'quit'], [['allo'], 'quit']])('takes %j for no answer', async (lines, type) => {
    expect((await answer(OPTIONS, ...lines)).asked).toEqual({ type });
  });

  it('takes a line of text where none are offered, and no text as a permission', async () => {
    expect((await answer({ kind: 'input' }, 'blue, please')).asked).toEqual(given({ text: 'blue, please' }));
    expect((await answer({ kind: 'input' }, '', 'x')).asked).toEqual(given({ text: 'x' }));
    const { asked, told } = await answer({}, 'yes', 's');
    expect([asked, told.join('\n')]).toEqual([{ type: 'skip' }, expect.stringContaining('no text permits anything')]);
  });

  it('goes through a form field by field, again where an answer does not fit', async () => {
    const fields = [
      { id: 'name', type: 'string', label: 'Your name', required: true },
      { id: 'age', type: 'number', label: 'Age', min: 0, max: 150 },
      { id: 'sure', type: 'boolean', label: 'Sure?' },
      { id: 'one', type: 'select', label: 'One', choices: [{ id: 'a', label: 'A' }, { id: 'b', label: 'B' }] },
      { id: 'many', type: 'select', label: 'Many', multi: true, other: true, choices: [{ id: 'a', label: 'A' }, { id: 'b', label: 'B' }] },
      { id: '__proto__', type: 'string', label: 'x' },
    ];
    const { asked, told, left } = await answer({ kind: 'form', fields }, 'y', '', 'Jo', '200', '42', 'perhaps', 'n', 'c', '2', 'a, 2, else', 'z');
    expect(left).toBe(0);
    expect(asked.type === 'answer' ? JSON.stringify(asked.answer) : asked).toBe('{"values":{"name":"Jo","age":42,"sure":false,"one":"b","many":["a","b","else"],"__proto__":"z"}}');
    expect(told).toContain('  it is required');
    expect(told.filter((line) => line === '  that does not fit')).toHaveLength(3);
  });

  it('leaves optional fields out, and lets a form be skipped or left', async () => {
    const data = { kind: 'form', fields: [{ id: 'a', type: 'number', label: 'A' }] };
    expect((await answer(data, 'y', '')).asked).toEqual(given({ values: {} }));
    expect((await answer(data, 's')).asked).toEqual({ type: 'skip' });
    expect((await answer(data, 'q')).asked).toEqual({ type: 'quit' });
    expect((await answer(data, 'y')).asked).toEqual({ type: 'quit' });
  });
});
