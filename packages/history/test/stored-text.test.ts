import { parseEvent } from '@aepkit/envelope';
import { expect, it } from 'vitest';
import { storedText } from '../src/stored-text.js';

const HEAD = '"aep":"0.1","id":"e1","type":"tool.requested","time":"2026-01-01T00:00:00Z","source":"aep://h/agent/a","agent":"a","session":"s","seq":0';

it.each([
  ['plain', `{${HEAD}}`],
  ['an integer attribute beyond 2^53', `{${HEAD},"acmeid":9007199254740993}`],
  ['one spelled with an exponent', `{${HEAD},"acmeid":1e20}`],
  ['data that JSON.parse rounds', `{${HEAD},"data":{"id":2512292042121000001,"__proto__":{"x":1}}}`],
])('reads an Event like the door it came through: %s', (_, json) => {
  const wire = storedText(json);
  expect(wire.json).toBe(json);
  expect(wire.event).toEqual(parseEvent(json).event);
  expect(wire.event).toBe(wire.event);
});

it('survives being copied, since its Event is a member of its own', () => {
  const json = `{${HEAD}}`;
  expect({ ...storedText(json) }).toEqual(parseEvent(json));
});

it('says that the store is damaged where a text is none', () => {
  expect(() => storedText('{"aep":').event).toThrow(expect.objectContaining({ code: 'corrupt' }) as Error);
});
