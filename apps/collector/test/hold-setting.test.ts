import { describe, expect, it } from 'vitest';

import { DEFAULT_HOLD_S, holdTimes, MAX_HOLD_S } from '../src/hold-setting.js';

const AGENTS = ['claude-code', 'codex'];

describe('the setting of holds', () => {
  it.each([
    [[], { 'claude-code': 600_000, codex: 600_000 }],
    [['55'], { 'claude-code': 55_000, codex: 55_000 }],
    [['codex=30'], { 'claude-code': 600_000, codex: 30_000 }],
    [['codex=0'], { 'claude-code': 600_000 }],
    [['55', 'codex=0'], { 'claude-code': 55_000 }],
    [['codex=0', '3600'], { 'claude-code': 3_600_000, codex: 3_600_000 }],
    [['0'], {}],
  ])('%j means %j', (items, times) => {
    expect(Object.fromEntries(holdTimes(items, AGENTS))).toEqual(times);
  });

  it('has bounds that are known', () => {
    expect([DEFAULT_HOLD_S, MAX_HOLD_S]).toEqual([600, 3600]);
  });

  it.each(['x', '-1', '1.5', '3601', '99999', 'codex', 'codex=', '=5', 'gemini-cli=5', '__proto__=5', 'codex=5s', ''])('refuses %j', (item) => {
    expect(() => holdTimes([item], AGENTS)).toThrow(expect.objectContaining({ code: 'config-unreadable', message: expect.stringContaining('hold: ') as string }));
  });
});
