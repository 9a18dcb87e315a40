import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openHistory, type History } from '@aepkit/history';
import { buildSession, turn } from '@aepkit/testkit';
import { afterEach, describe, expect, it } from 'vitest';

import { eventLogStream, type Message } from '../src/index.js';
import { errorOf, events, rig, type Peer } from './support.js';

const folders: string[] = [];
const open: History[] = [];
const openIn = async (folder: string): Promise<History> => {
  const history = await openHistory({ path: join(folder, 'history.db') });
  open.push(history);
  return history;
};
afterEach(async () => {
  for (const history of open.splice(0)) await history.close();
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

async function settled(peer: Peer): Promise<Message[]> {
  while (!peer.all.some(({ type }) => type === 'event.replayed' || type === 'subscription.rejected')) await turn();
  return peer.take();
}

describe('a history on disk', () => {
  it('serves the cursors of an earlier process, each with exactly the rest, and goes on live [S-081, S-089, S-095, S-097]', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'subscription-model-'));
    folders.push(folder);
    const before = await openIn(folder);
    const early = rig({ stream: eventLogStream(before, { id: 'disk' }) });
    const one = early.peer().open();
    one.subscribe({ types: '*', delivery_mode: 'replayable' });
    await before.append(buildSession(3));
    await before.append(buildSession(4, { first: 3 }));
    const live = one.take();
    expect(live).toHaveLength(7);
    early.producer.close();
    await before.close();

    const after = await openIn(folder);
    const { peer, producer } = rig({ stream: eventLogStream(after, { id: 'disk' }) });
    for (const [at, { delivery }] of live.entries()) {
      const two = peer().open();
      two.say('subscription.requested', { types: '*', delivery_mode: 'replayable', from_cursor: delivery?.cursor });
      expect(events(await settled(two))).toEqual(live.slice(at + 1).map(({ id }) => id));
    }
    const last = peer().open();
    last.say('subscription.requested', { types: '*', delivery_mode: 'replayable', from_cursor: live.at(-1)?.delivery?.cursor });
    await settled(last);
    await after.append(buildSession(1, { first: 7 }));
    const [fresh] = last.take();
    expect(fresh?.delivery?.sequence).toBeGreaterThan(live.at(-1)?.delivery?.sequence ?? Infinity);
    // Ahead of the head, of another stream, or no cursor at all.
    for (const cursor of ['disk:999999+0', 'disk:0+-1', 'disc:0+0', `${fresh?.delivery?.cursor ?? ''}0000000`, '__proto__', '']) {
      const odd = peer().open();
      odd.say('subscription.requested', { types: '*', from_cursor: cursor });
      expect([cursor, errorOf((await settled(odd))[0]).message]).toEqual([cursor, 'cursor not available']);
    }
    producer.close();
  });
});
