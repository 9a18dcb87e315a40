import { expect, it } from 'vitest';
import { at, command, replay, testStore, told } from './support.js';

const OTHER = { session: 's2', source: 'aep://test/agent/a1/session/s2' };

it('gives what was admitted between two marks in the order of the log, without markers and ends', async () => {
  await using store = await testStore({ writer: 'inline', buffer: 2 });
  await store.history.append([at(0), at(1)]);
  const older = store.history.mark();
  await store.history.append([at(5), at(3, OTHER), at(4), command(), at(6)]);
  const newer = store.history.mark();
  await store.history.append([at(7)]);
  expect(await told(store.history, { type: 'mark', mark: older }, newer)).toEqual(['s1 0:5', 's2 0:3', 's1 0:4', 's1 control.cancel', 's1 0:6']);
  expect(await told(store.history, { type: 'mark', mark: newer }, newer)).toEqual([]);
});

it('gives what was admitted and has left the depth since, and neither late, duplicate nor unanchored Events', async () => {
  await using store = await testStore({ writer: 'inline', buffer: 2 });
  const first = at(5);
  await store.history.append([first, at(6), at(7), at(8)]);
  expect(await store.history.append([at(4), first, command('nobody')])).toEqual(['late', 'duplicate', 'unbuffered']);
  expect(await told(store.history, { type: 'mark', mark: 0 })).toEqual(['s1 0:5', 's1 0:6', 's1 0:7', 's1 0:8']);
});

it('reads long stretches that nobody wants step by step', async () => {
  await using store = await testStore({ writer: 'inline' });
  for (let first = 0; first < 3000; first += 1000) await store.history.append(Array.from({ length: 1000 }, (_, index) => at(first + index)));
  await store.history.append([at(0, OTHER)]);
  const hint = { sessions: new Set(['s2']) };
  let turns = 0;
  const count = setInterval(() => (turns += 1), 0);
  expect(await told(store.history, { type: 'mark', mark: 0 }, undefined, hint)).toEqual(['s2 0:0']);
  clearInterval(count);
  expect(turns).toBeGreaterThan(0);
  expect(await replay(store.history, { type: 'mark', mark: 0 })).toHaveLength(3001);
});

it('cuts chunks by size, so that large Events do not pile up', async () => {
  await using store = await testStore({ writer: 'inline' });
  const large = 'x'.repeat(200 * 1024);
  await store.history.append(Array.from({ length: 20 }, (_, seq) => at(seq, { data: { large } })));
  for (const start of [{ type: 'mark', mark: 0 }, { type: 'all' }] as const) {
    let events = 0;
    for await (const chunk of store.history.replay(start, store.history.mark())) {
      const held = chunk.filter((step) => step.type === 'event');
      expect(held.length).toBeLessThanOrEqual(2);
      events += held.length;
    }
    expect(events).toBe(20);
  }
});
