import { parseEvent } from '@aepkit/envelope';
import { expect, it } from 'vitest';
import { KeptEvent } from '../src/kept-event.js';

const HEAD = '"aep":"0.1","id":"e1","type":"tool.requested","time":"2026-01-01T00:00:00Z","source":"aep://h/agent/a","agent":"a","session":"s","seq":0';

it.each([
  ['plain', `{${HEAD}}`],
  ['an integer attribute beyond 2^53', `{${HEAD},"acmeid":9007199254740993}`],
  ['one spelled with an exponent', `{${HEAD},"acmeid":1e20}`],
  ['data that JSON.parse rounds', `{${HEAD},"data":{"id":2512292042121000001,"__proto__":{"x":1}}}`],
])('reads an Event like the door it came through: %s', (_, json) => {
  const kept = new KeptEvent(json, 7);
  expect(kept).toMatchObject({ json, mark: 7 });
  expect(kept.event).toEqual(parseEvent(json).event);
  expect(kept.event).toBe(kept.event);
});

it('says that the store is damaged where a text is none', () => {
  expect(() => new KeptEvent('{"aep":', 1).event).toThrow(expect.objectContaining({ code: 'corrupt' }) as Error);
});
