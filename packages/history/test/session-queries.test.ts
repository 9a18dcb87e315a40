import { describe, expect, it } from 'vitest';
import { at, command, testStore } from './support.js';

describe('sessions', () => {
  it('sums up what is kept of each, the latest commit first', async () => {
    await using store = await testStore({ writer: 'inline' });
    await store.history.append([
      at(0, { type: 'session.started', time: '2026-01-01T10:00:00Z' }),
      at(0, { session: 's2', source: 'aep://test/2', agent: 'a2', time: '2026-01-01T11:00:00Z' }),
      at(2, { type: 'session.ended', time: '2026-01-01T09:00:00.5Z' }),
      command('s2', { time: '2026-01-01T12:00:00Z' }),
    ]);
    expect(await store.history.sessions()).toEqual([
      {
        source: 'aep://test/agent/a1/session/s1',
        session: 's1',
        agent: 'a1',
        firstTime: Date.parse('2026-01-01T09:00:00.5Z'),
        lastTime: Date.parse('2026-01-01T10:00:00Z'),
        count: 2,
        lastType: 'session.ended',
        ended: true,
        mark: 3,
      },
      {
        source: 'aep://test/2',
        session: 's2',
        agent: 'a2',
        firstTime: Date.parse('2026-01-01T11:00:00Z'),
        lastTime: Date.parse('2026-01-01T11:00:00Z'),
        count: 1,
        lastType: 'tool.requested',
        ended: false,
        mark: 2,
      },
    ]);
  });

  it('stays right over many commits and openings, ended for good', async () => {
    await using store = await testStore({ writer: 'inline' });
    await store.history.append([at(0), at(1, { type: 'session.ended' })]);
    await store.history.sessions();
    await store.history.append([at(2)]);
    await store.reopen();
    await store.history.append([at(3)]);
    expect(await store.history.sessions()).toMatchObject([{ count: 4, lastType: 'tool.requested', ended: true, mark: 4 }]);
  });

  it('comes in pages, and by source and name', async () => {
    await using store = await testStore({ writer: 'inline' });
    for (let index = 0; index < 5; index += 1) {
      await store.history.append([at(0, { session: `s${index % 4}`, source: `aep://test/${index % 2}`, id: `e${index}` })]);
    }
    const named = async (query: Parameters<typeof store.history.sessions>[0]): Promise<string[]> =>
      (await store.history.sessions(query)).map(({ session, source }) => `${session}@${source.slice(-1)}`);
    const first = await store.history.sessions({ limit: 2 });
    expect(first.map(({ session }) => session)).toEqual(['s0', 's3']);
    expect(await named({ limit: 2, before: first[1]?.mark ?? 0 })).toEqual(['s2@0', 's1@1']);
    expect(await named({ before: 0 })).toEqual([]);
    expect(await named({ source: 'aep://test/1' })).toEqual(['s3@1', 's1@1']);
    expect(await named({ session: 's2' })).toEqual(['s2@0']);
    expect(await named({ session: 's2', source: 'aep://test/1' })).toEqual([]);
    expect(await named({ limit: Infinity })).toHaveLength(4);
    await expect(store.history.sessions({ limit: 1.5 })).rejects.toThrow(RangeError);
  });
});

it('counts Events and sessions', async () => {
  await using store = await testStore({ writer: 'inline' });
  expect(await store.history.stats()).toMatchObject({ events: 0, sessions: 0, commits: 0, appended: 0 });
  const first = at(0);
  await store.history.append([first, first, at(0, { session: 's2', source: 'aep://test/2' }), command('s3')]);
  expect(await store.history.stats()).toMatchObject({ events: 3, sessions: 2, commits: 1, appended: 4 });
  const { databaseBytes, walBytes } = await store.history.stats();
  expect([databaseBytes, walBytes].every((bytes) => bytes > 0)).toBe(true);
});
