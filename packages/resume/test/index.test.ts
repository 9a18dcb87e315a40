import { describe, expect, it } from 'vitest';

import * as resume from '../src/index.js';

describe('@aepkit/resume', () => {
  it('exports these values', () => {
    expect(Object.keys(resume).toSorted()).toEqual([
      'DEFAULT_MAX_SEEN',
      'DEFAULT_MAX_SESSIONS',
      'Memory',
      'ProcessedPositions',
      'eventItem',
      'exhaustedItems',
      'positionSaver',
      'resumePlan',
      'sessionFilter',
    ]);
  });

  it('has these defaults', () => {
    expect([resume.DEFAULT_MAX_SEEN, resume.DEFAULT_MAX_SESSIONS]).toEqual([50_000, 10_000]);
  });

  it('has these words', () => {
    const reasons: Record<resume.GapReason, true> = { exhausted: true, 'not-held': true, 'not-listed': true };
    const modes: Record<resume.ResumeMode, true> = { live: true, positions: true, all: true };
    const verdicts: Record<resume.Verdict, true> = { new: true, replaces: true, redelivered: true, duplicate: true };
    const items: Record<resume.ResumeItem['type'], true> = { open: true, event: true, exhausted: true, gap: true, invalid: true };
    expect([reasons, modes, verdicts, items].map((words) => Object.keys(words).length)).toEqual([3, 3, 4, 5]);
  });
});
