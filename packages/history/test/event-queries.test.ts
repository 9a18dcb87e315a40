import { describe, expect, it } from 'vitest';
import type { EventQuery, History } from '../src/index.js';
import { at, command, query, testStore, type TestStore } from './support.js';

async function filled(): Promise<TestStore> {
  const store = await testStore({ writer: 'inline', buffer: 2 });
  await store.history.append([
    command('s1', { id: 'early' }),
    at(2, { id: 'a2', time: '2026-01-01T10:00:02Z' }),
    at(0, { id: 'b0', session: 's2', source: 'aep://test/2', type: 'run.started', time: '2026-01-01T11:00:00+01:00' }),
    at(4, { id: 'a4', time: '2026-01-01T10:00:04Z', type: 'run.started' }),
    command('s1', { id: 'told' }),
    at(3, { id: 'a3', time: '2026-01-01T10:00:03Z' }),
    at(1, { id: 'a1', time: '2026-01-01T10:00:01Z' }),
    at(0, { id: 'agent', type: 'agent.started', session: undefined, seq: undefined }),
  ]);
  return store;
}

async function ids(history: History, wanted?: EventQuery): Promise<string> {
  return (await query(history, wanted)).map(({ event }) => event.id).join(' ');
}

describe('events', () => {
  it.each<[string, EventQuery, string]>([
    ['all, in the order of the log', {}, 'early a2 b0 a4 told a3 a1 agent'],
    ['all, backwards', { order: 'descending' }, 'agent a1 a3 told a4 b0 a2 early'],
    ['a session by position, late ones and commands at their places', { session: 's1' }, 'early a1 a2 a3 a4 told'],
    ['a session backwards', { session: 's1', order: 'descending' }, 'told a4 a3 a2 a1 early'],
    ['a source', { source: 'aep://test/operator' }, 'early told'],
    ['a source in a session', { session: 's1', source: 'aep://test/operator' }, 'early told'],
    ['types', { types: ['run.started', 'agent.started'] }, 'b0 a4 agent'],
    ['no type', { types: [] }, ''],
    ['a time on', { since: Date.parse('2026-01-01T10:00:03Z') }, 'a4 a3'],
    ['up to a time, which is not among them', { until: Date.parse('2026-01-01T10:00:02Z'), since: Date.parse('2026-01-01T10:00:00Z') }, 'b0 a1'],
    ['some of a session', { session: 's1', types: ['tool.requested'], limit: 2 }, 'a1 a2'],
    ['an unknown source', { source: 'aep://test/none' }, ''],
    ['an unknown session', { session: 'none' }, ''],
    ['none', { limit: 0 }, ''],
    ['as many as there are', { limit: 100 }, 'early a2 b0 a4 told a3 a1 agent'],
  ])('gives %s', async (_, wanted, expected) => {
    await using store = await filled();
    expect(await ids(store.history, wanted)).toBe(expected);
  });

  it.each<EventQuery>([{}, { order: 'descending' }, { session: 's1' }, { session: 's1', order: 'descending' }, { types: ['tool.requested'] }])(
    'comes in pages that add up: %o',
    async (wanted) => {
      await using store = await filled();
      const whole = await query(store.history, wanted);
      for (const limit of [1, 2, 3]) {
        const paged: string[] = [];
        for (let after: number | undefined; ; ) {
          const page = await query(store.history, { ...wanted, limit, ...(after === undefined ? {} : { after }) });
          paged.push(...page.map(({ event }) => event.id));
          after = page.at(-1)?.mark;
          if (page.length < limit) break;
        }
        expect(paged).toEqual(whole.map(({ event }) => event.id));
      }
    },
  );

  it.each<EventQuery>([{ limit: -1 }, { limit: 0.5 }, { since: NaN }, { after: 99, session: 's1' }])('refuses %o', async (wanted) => {
    await using store = await filled();
    await expect(query(store.history, wanted)).rejects.toThrow(RangeError);
  });

  it('merges the sources of one name', async () => {
    await using store = await testStore({ writer: 'inline' });
    for (const source of [1, 2, 3]) await store.history.append([0, 1, 2].map((seq) => at(seq, { id: `${source}:${seq}`, source: `aep://test/${source}` })));
    expect(await ids(store.history, { session: 's1' })).toBe('1:0 2:0 3:0 1:1 2:1 3:1 1:2 2:2 3:2');
    expect(await ids(store.history, { session: 's1', source: 'aep://test/2', order: 'descending' })).toBe('2:2 2:1 2:0');
  });

  it('can be left in the middle, and looks at long stretches step by step', async () => {
    await using store = await testStore({ writer: 'inline' });
    for (let first = 0; first < 3000; first += 1000) await store.history.append(Array.from({ length: 1000 }, (_, index) => at(first + index)));
    let seen = 0;
    for await (const event of store.history.events({ session: 's1' })) {
      expect(event.event.seq).toBe(seen);
      seen += 1;
      if (seen === 300) break;
    }
    let turns = 0;
    const count = setInterval(() => (turns += 1), 0);
    expect(await query(store.history, { types: ['none.such'] })).toEqual([]);
    clearInterval(count);
    expect(turns).toBeGreaterThan(0);
  });
});

describe('has', () => {
  it('knows an Event by its source and id together', async () => {
    await using store = await filled();
    const { history } = store;
    expect(await history.has('aep://test/2', 'b0')).toBe(true);
    expect(await Promise.all([history.has('aep://test/2', 'a2'), history.has('aep://test/none', 'b0'), history.has('aep://test/2', '')])).toEqual([false, false, false]);
    await history.close();
    await expect(history.has('aep://test/2', 'b0')).rejects.toMatchObject({ code: 'closed' });
  });
});
