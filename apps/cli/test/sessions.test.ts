import { expect, it } from 'vitest';

import { sessionLines, type Summary } from '../src/commands/sessions.js';
import { painter } from '../src/terminal.js';

const SESSION: Summary = { source: 'aep://h/agent/a/session/s', session: 's\u001b[2J', agent: 'claude-code', firstTime: 0, lastTime: Date.UTC(2026, 0, 1), count: 8, lastType: 'run.finished', ended: false };
const plainly = painter({});

it('puts heads over the columns for people only', () => {
  const piped = sessionLines([SESSION, SESSION], plainly, false);
  expect(piped).toHaveLength(2);
  const [head = '', ...rest] = sessionLines([SESSION, SESSION], plainly, true);
  expect(rest).toEqual(piped);
  const row = rest[0] ?? '';
  expect(head.indexOf('state')).toBe(row.indexOf('active'));
  expect(head.indexOf('agent')).toBe(row.indexOf('claude-code'));
  expect(head.indexOf('session')).toBe(row.indexOf('s\\x1b[2J'));
  expect(head.indexOf('kept') + 4).toBe(row.indexOf('8 events') + 1);
});

it('shows nothing where nothing is kept', () => {
  expect(sessionLines([], plainly, true)).toEqual([]);
});
