import { describe, expect, it } from 'vitest';

import { resumePlan, type ResumeFacts } from '../src/index.js';

const position = (session: string, seq = 1) => ({ session, epoch: 0, seq });

/** The ways to ask, as `resume`, the positions, and whether sessions may be missed. */
const plan = (facts: Partial<ResumeFacts>) =>
  resumePlan({ resuming: false, positions: [], ...facts }).map(({ resume, positions, unlisted }) => {
    const named = positions.map(({ session, seq }) => `${session}:${seq}`).join();
    return `${resume}(${named})${unlisted ? ' unlisted' : ''}`;
  });

describe('resumePlan', () => {
  it('starts as the caller says', () => {
    expect(plan({})).toEqual(['live()']);
    expect(plan({ from: [] })).toEqual(['live()']);
    expect(plan({ from: 'all' })).toEqual(['all()', 'live() unlisted']);
    expect(plan({ from: [position('a')] })).toEqual(['positions(a:1)', 'all()', 'live() unlisted']);
  });

  it('names positions where it is known which sessions are wanted and each has one, else asks for everything [B-043]', () => {
    const state = { resuming: true, positions: [position('b'), position('a'), position('c')] };
    expect(plan({ ...state, sessions: new Set(['a', 'b']) })).toEqual(['positions(a:1,b:1)', 'all()', 'live() unlisted']);
    expect(plan({ ...state, sessions: new Set(['a', 'new']) })).toEqual(['all()', 'positions(a:1) unlisted', 'live() unlisted']);
  });

  it('asks for everything where it is about all sessions, since one may have begun meanwhile [B-217]', () => {
    expect(plan({ resuming: true, positions: [position('a')] })).toEqual(['all()', 'positions(a:1) unlisted', 'live() unlisted']);
    expect(plan({ resuming: true })).toEqual(['all()', 'live() unlisted']);
    expect(plan({ resuming: true, positions: [position('a')], prefer: 'positions' })).toEqual(['positions(a:1) unlisted', 'live() unlisted']);
  });

  it('leaves out what the endpoint has refused, and what is of no use [B-108]', () => {
    expect(plan({ resuming: true, positions: [position('a')], all: false })).toEqual(['positions(a:1) unlisted', 'live() unlisted']);
    expect(plan({ from: 'all', live: false })).toEqual(['all()']);
    expect(plan({ from: [position('a')], live: false, all: false })).toEqual(['positions(a:1)']);
  });

  it('falls back to everything where not all positions fit, then to those that fit', () => {
    const from = [position('a'), position('b'), position('c')];
    const fitting = (count: number) => plan({ from, fit: () => count });
    expect(fitting(3)).toEqual(['positions(a:1,b:1,c:1)', 'all()', 'live() unlisted']);
    expect(fitting(2)).toEqual(['all()', 'positions(a:1,b:1) unlisted', 'live() unlisted']);
    expect(fitting(0)).toEqual(['all()', 'live() unlisted']);
  });

  it('names of a position what goes out, and nothing else that the caller left in it', () => {
    const saved = { source: 'aep://secret', ...position('a') };
    const asked: unknown[] = [];
    const [way] = resumePlan({ resuming: false, positions: [], from: [saved], fit: (some) => asked.push(...some) });
    expect([way!.positions, asked]).toEqual([[position('a')], [position('a')]]);
  });
});
