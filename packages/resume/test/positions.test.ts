import { buildWire, turn } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { positionSaver, ProcessedPositions, type SavedPosition } from '../src/index.js';

const saved = (session: string, seq: number): SavedPosition => ({ source: 'aep://test/agent/a1/session/s1', session, epoch: 0, seq });
const at = (session: string, seq: number) => buildWire({ id: `${session}-${seq}`, session, seq });
const failed = (message: string, cause: unknown): Error => new Error(message, { cause });

describe('ProcessedPositions', () => {
  it('moves forward only, and tells once what has moved [B-169]', () => {
    const positions = new ProcessedPositions();
    positions.restore([saved('s', 3)]);
    expect(positions.takeChanged()).toEqual([]);
    for (const seq of [2, 5, 4]) positions.processed(at('s', seq));
    positions.processed(buildWire({ type: 'control.cancel', seq: undefined }));
    expect(positions.list()).toEqual([saved('s', 5)]);
    expect(positions.takeChanged()).toEqual([saved('s', 5)]);
    expect(positions.takeChanged()).toEqual([]);
  });

  it('forgets what moved longest ago, though nobody ever asks what has', () => {
    const positions = new ProcessedPositions(2);
    for (let i = 0; i < 100; i += 1) positions.processed(at(`s${i}`, 1));
    expect(positions.list()).toEqual([saved('s98', 1), saved('s99', 1)]);
    expect(positions.takeChanged()).toEqual([saved('s98', 1), saved('s99', 1)]);
  });
});

describe('positionSaver', () => {
  /** A store whose calls wait to be ended by the test. */
  function setup() {
    let moved: SavedPosition[] = [];
    const calls: { readonly changed: readonly SavedPosition[]; end(error?: Error): void }[] = [];
    const store = {
      load: () => [],
      save: (changed: readonly SavedPosition[]) =>
        new Promise<void>((resolve, reject) => void calls.push({ changed, end: (error) => (error === undefined ? resolve() : reject(error)) })),
    };
    const saver = positionSaver(store, () => moved.splice(0), failed);
    return { saver, calls, move: (...some: SavedPosition[]) => { moved = [...moved, ...some]; saver.changed(); } };
  }

  it('saves one call at a time: what moves meanwhile goes into the next', async () => {
    const { saver, calls, move } = setup();
    move(saved('a', 1));
    move(saved('b', 1));
    await turn();
    move(saved('a', 2));
    move(saved('a', 3));
    await turn();
    expect(calls.map(({ changed }) => changed)).toEqual([[saved('a', 1), saved('b', 1)]]);
    calls[0]!.end();
    await turn();
    expect(calls.map(({ changed }) => changed)).toEqual([[saved('a', 1), saved('b', 1)], [saved('a', 2), saved('a', 3)]]);
    let flushed = false;
    const done = saver.flush().then(() => (flushed = true));
    await turn();
    expect(flushed).toBe(false);
    calls[1]!.end();
    await done;
  });

  it('tells once that saving failed, at the next chance', async () => {
    const { saver, calls, move } = setup();
    const cause = new Error('disk full');
    move(saved('a', 1));
    await turn();
    calls[0]!.end(cause);
    await turn();
    expect(() => move(saved('a', 2))).toThrow(expect.objectContaining({ message: 'Positions could not be saved.', cause }));
    await saver.flush();
  });

  it('rejects a flush with what failed and was not told', async () => {
    const { saver, calls, move } = setup();
    move(saved('a', 1));
    const done = saver.flush();
    await turn();
    calls[0]!.end(new Error('disk full'));
    await expect(done).rejects.toThrow('Positions could not be saved.');
  });

  it('loads what was saved, and nothing where there is nothing yet', async () => {
    const load = (value: unknown) => positionSaver({ load: () => value as SavedPosition[], save: () => undefined }, () => [], failed).load();
    expect(await load([saved('a', 1)])).toEqual([saved('a', 1)]);
    expect([await load(null), await load(undefined)]).toEqual([[], []]);
    for (const junk of ['text', {}, [null], [{ ...saved('a', 1), source: 1 }], [{ ...saved('a', 1), seq: '1' }]]) {
      await expect(load(junk)).rejects.toThrow('Positions could not be loaded.');
    }
    const broken = positionSaver({ load: () => Promise.reject(new Error('gone')), save: () => undefined }, () => [], failed);
    await expect(broken.load()).rejects.toMatchObject({ message: 'Positions could not be loaded.', cause: { message: 'gone' } });
  });
});
