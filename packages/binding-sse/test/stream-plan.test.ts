import { describe, expect, it } from 'vitest';

import { resolveConsumerOptions, type SseConsumerOptions } from '../src/consumer-options.js';
import { planStream, type PlanState } from '../src/stream-plan.js';

const URL_ = 'http://127.0.0.1:1/stream';
const position = (session: string, seq = 1) => ({ session, epoch: 0, seq });

/** The ways to ask, as `resume`, what `from` says, and whether sessions may be missed. */
function plan(options: Partial<SseConsumerOptions>, state: Partial<PlanState> = {}) {
  const resolved = resolveConsumerOptions({ url: URL_, ...options });
  const ways = planStream(resolved, { resuming: false, positions: [], allRefused: false, sessions: resolved.sessions, ...state });
  return ways.map(({ resume, url, unlisted }) => {
    const from = new URL(url).searchParams.get('from') ?? '';
    const named = from.startsWith('[') ? (JSON.parse(from) as { session: string; seq: number }[]).map(({ session, seq }) => `${session}:${seq}`).join() : from;
    return `${resume}(${named})${unlisted ? ' unlisted' : ''}`;
  });
}

describe('planStream', () => {
  it('starts as the caller says', () => {
    expect(plan({})).toEqual(['live()']);
    expect(plan({ from: 'all' })).toEqual(['all(all)', 'live() unlisted']);
    expect(plan({ from: [position('a')] })).toEqual(['positions(a:1)', 'all(all)', 'live() unlisted']);
    expect(plan({ from: [] })).toEqual(['live()']);
  });

  it('resumes with positions where the filter names the sessions and each has one [B-043]', () => {
    const state = { resuming: true, positions: [position('b'), position('a'), position('c')] };
    expect(plan({ filter: { session: 'a' } }, state)).toEqual(['positions(a:1)', 'all(all)', 'live() unlisted']);
    expect(plan({ filter: '{"session":["a","b"]}' }, state)).toEqual(['positions(a:1,b:1)', 'all(all)', 'live() unlisted']);
    expect(plan({ sessions: ['a', 'b'] }, state)).toEqual(['positions(a:1,b:1)', 'all(all)', 'live() unlisted']);
  });

  it('resumes with everything where a session that the filter names has no position', () => {
    const state = { resuming: true, positions: [position('a')] };
    expect(plan({ filter: { session: ['a', 'b'] } }, state)).toEqual(['all(all)', 'positions(a:1) unlisted', 'live() unlisted']);
  });

  it('resumes with everything where the filter names no sessions, since one may have begun meanwhile [B-217]', () => {
    const state = { resuming: true, positions: [position('a')] };
    const ways = ['all(all)', 'positions(a:1) unlisted', 'live() unlisted'];
    expect(plan({}, state)).toEqual(ways);
    expect(plan({ filter: { type: 'run.*' } }, state)).toEqual(ways);
    expect(plan({ filter: { session: [] } }, state)).toEqual(ways);
    expect(plan({ filter: 'not JSON' }, state)).toEqual(ways);
    expect(plan({ filter: '{"__proto__":{"session":"a"}}' }, state)).toEqual(ways);
  });

  it('asks for known sessions only where the caller prefers that, and says so', () => {
    expect(plan({ resume: 'positions' }, { resuming: true, positions: [position('a')] })).toEqual(['positions(a:1) unlisted', 'live() unlisted']);
    expect(plan({ resume: 'positions' }, { resuming: true })).toEqual(['live() unlisted']);
  });

  it('leaves out what the endpoint has refused [B-108]', () => {
    expect(plan({}, { resuming: true, positions: [position('a')], allRefused: true })).toEqual(['positions(a:1) unlisted', 'live() unlisted']);
    expect(plan({}, { resuming: true, allRefused: true })).toEqual(['live() unlisted']);
  });

  it('has no live way for a run that wants the replay alone', () => {
    expect(plan({ live: false, from: 'all' })).toEqual(['all(all)']);
    expect(plan({ live: false })).toEqual(['live()']);
    const sessions = new Set(['a']);
    expect(plan({ live: false, from: [position('a')] }, { sessions })).toEqual(['positions(a:1)']);
    expect(plan({ live: false, from: [position('a')] }, { resuming: true, positions: [position('b', 9), position('a', 5)], sessions })).toEqual(['positions(a:5)']);
  });

  it('falls back to everything where the positions do not fit a URL, then to those that fit', () => {
    const positions = Array.from({ length: 40 }, (_, index) => position(`session-${index}`));
    const state = { resuming: true, positions };
    const filter = { session: positions.map(({ session }) => session) };
    const roomy = plan({ filter, maxUrlChars: 10_000 }, state);
    expect(roomy[0]).toMatch(/^positions\(session-0:1,.*session-39:1\)$/);
    const tight = plan({ filter, maxUrlChars: 2_000 }, state);
    expect(tight.map((way) => way.replace(/\(.+\)/, '(…)'))).toEqual(['all(…)', 'positions(…) unlisted', 'live() unlisted']);
    expect(plan({ filter, maxUrlChars: 500 }, state)).toEqual(['all(all)', 'live() unlisted']);
  });

  it('stays within the length it is told, to the character', () => {
    const positions = [position('é 1'), position('b')];
    const resolved = (maxUrlChars: number) => resolveConsumerOptions({ url: `${URL_}?x=1`, sessions: ['é 1', 'b'], maxUrlChars });
    const ask = (maxUrlChars: number) => {
      const options = resolved(maxUrlChars);
      return planStream(options, { resuming: true, positions, allRefused: false, sessions: options.sessions })[0]!;
    };
    const { length } = ask(10_000).url;
    expect(ask(length)).toMatchObject({ resume: 'positions', unlisted: false });
    expect(ask(length - 1)).toMatchObject({ resume: 'all' });
  });

  it('encodes what it puts into a URL, so that an endpoint reads it back [B-207]', () => {
    const options = resolveConsumerOptions({ url: `${URL_}?keep=1#x`, filter: { agent: 'é&=+#' }, capture: 'none', live: false, from: [position('ö:%+ 1', 7)] });
    const [way] = planStream(options, { resuming: false, positions: [], allRefused: false, sessions: undefined });
    const { searchParams, hash } = new URL(way!.url);
    expect(hash).toBe('');
    expect(Object.fromEntries(searchParams)).toEqual({
      keep: '1',
      filter: '{"agent":"é&=+#"}',
      capture: 'none',
      live: '0',
      from: '[{"session":"ö:%+ 1","epoch":0,"seq":7}]',
    });
  });
});
