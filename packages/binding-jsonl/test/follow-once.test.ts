import { appendFileSync, renameSync, writeFileSync } from 'node:fs';

import { buildSession, tempDir } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { followJsonl, type FollowItem, type JsonlPosition } from '../src/follow.js';
import { ids, others } from './support.js';

const events = buildSession(6);
const names = events.map(({ event }) => event.id);
const lines = (from: number, to: number): string => events.slice(from, to).map(({ json }) => `${json}\n`).join('');

async function look(path: string, from?: JsonlPosition): Promise<{ items: FollowItem[]; position: JsonlPosition | undefined }> {
  const follower = followJsonl(path, { once: true, watch: false, ...(from === undefined ? {} : { from }) });
  const items = await Array.fromAsync(follower);
  return { items, position: follower.position() };
}

describe('followJsonl with once', () => {
  it('ends behind what is there, and the next look goes on there, through rotations in between', async () => {
    await using dir = await tempDir();
    const path = dir.file('a.jsonl');
    const none = await look(path);
    expect([others(none.items), none.position]).toEqual([['missing'], undefined]);
    writeFileSync(path, lines(0, 2) + events[2]!.json.slice(0, 9));
    const first = await look(path);
    expect(ids(first.items)).toEqual(names.slice(0, 2));
    expect(ids((await look(path, first.position)).items)).toEqual([]);
    appendFileSync(path, `${events[2]!.json.slice(9)}\n`);
    renameSync(path, `${path}.1`);
    writeFileSync(path, lines(3, 4));
    renameSync(path, `${path}.2`);
    writeFileSync(path, lines(4, 5));
    const second = await look(path, first.position);
    expect(ids(second.items)).toEqual(names.slice(2, 5));
    // A writer that had looked up the path before the rotation.
    appendFileSync(`${path}.2`, lines(5, 6));
    const third = await look(path, second.position);
    expect(ids(third.items)).toEqual(names.slice(5));
    expect(ids((await look(path, third.position)).items)).toEqual([]);
  });
});
