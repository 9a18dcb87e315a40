import { appendFileSync, truncateSync, writeFileSync } from 'node:fs';

import { buildSession, tempDir } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { resolveFollowOptions } from '../src/follow-options.js';
import { Tail, type TailStart } from '../src/tail.js';

const events = buildSession(8);
const lines = (from: number, to: number): string => events.slice(from, to).map(({ json }) => `${json}\n`).join('');

async function open(path: string, start: TailStart = 'start', chunkBytes = 65_536): Promise<Tail | undefined> {
  return Tail.open(path, start, resolveFollowOptions({ chunkBytes }));
}

describe('Tail', () => {
  it('reads what is added, from where it was, and knows a truncation by size and by content', async () => {
    await using dir = await tempDir();
    const path = dir.file('a');
    writeFileSync(path, lines(0, 2));
    const tail = (await open(path))!;
    expect(await tail.read()).toMatchObject({ type: 'items', items: [{ type: 'event', file: tail.id }, { type: 'event' }] });
    tail.gaveAll();
    expect(await tail.read()).toEqual({ type: 'end' });
    appendFileSync(path, lines(2, 3));
    expect(await tail.read()).toMatchObject({ items: [{ line: 3 }] });
    tail.gaveAll();
    truncateSync(path, 10);
    expect(await tail.read()).toEqual({ type: 'truncated' });
    writeFileSync(path, lines(3, 8));
    expect(await tail.read()).toEqual({ type: 'truncated' });
    tail.restart();
    expect(await tail.read()).toMatchObject({ items: { length: 5, 0: { line: 1, start: 0 } } });
    await tail.close();
  });

  it('opens at a position where the bytes ahead are those it was made for, whatever the chunks were', async () => {
    await using dir = await tempDir();
    const [path, copy, other] = [dir.file('a'), dir.file('b'), dir.file('c')];
    writeFileSync(path, lines(0, 4) + '{"long":');
    writeFileSync(copy, lines(0, 4) + lines(7, 8));
    writeFileSync(other, lines(1, 5));
    for (const chunkBytes of [1, 50, 300, 65_536]) {
      const tail = (await open(path, 'start', chunkBytes))!;
      for (let read = await tail.read(); read.type === 'items'; read = await tail.read()) tail.gaveAll();
      const position = tail.position();
      expect(position).toMatchObject({ offset: lines(0, 4).length, line: 5 });
      await tail.close();
      const there = (await open(copy, position))!;
      expect(await there.read()).toMatchObject({ items: [{ line: 5, event: { json: events[7]!.json } }] });
      await there.close();
      expect(await open(other, position)).toBeUndefined();
      expect(await open(path, { ...position, offset: position.offset + 1 })).toBeUndefined();
      expect(await open(path, { ...position, offset: 1_000_000 })).toBeUndefined();
    }
  });

  it('has a tail to report of what was never finished', async () => {
    await using dir = await tempDir();
    writeFileSync(dir.file('a'), '{"torn');
    const tail = (await open(dir.file('a')))!;
    expect(tail.rest()).toEqual([]);
    await tail.read();
    expect(tail.rest()).toEqual([{ type: 'tail', line: 1, start: 0, end: 6, file: tail.id }]);
    await tail.close();
  });
});
