import { describe, expect, it } from 'vitest';

import { memoryStream, type EventStream, type StreamEntry } from '../src/index.js';
import { events, type message, Peer, rig } from './support.js';

/** A memory stream that tells of several events at once. */
function batches(): { readonly stream: EventStream; flush(): void } {
  const inner = memoryStream({ id: 'stream_01' });
  const waiting: StreamEntry[] = [];
  const listeners: ((entries: readonly StreamEntry[]) => void)[] = [];
  inner.onAppend((entries) => waiting.push(...entries));
  return {
    stream: {
      ...inner,
      onAppend(listener) {
        listeners.push(listener);
        return () => undefined;
      },
    },
    flush() {
      const batch = waiting.splice(0);
      for (const listener of listeners) listener(batch);
    },
  };
}

/** A transport that answers while `send` still runs. */
describe('a transport in the same process', () => {
  it('may publish while it takes an event: everybody gets both in order', () => {
    const { producer, publish } = rig();
    let answered = false;
    const one: Peer = new Peer(producer, {
      send: (text) => {
        one.texts.push(text);
        if (!answered && text.includes('"id":"e1"')) {
          answered = true;
          publish('e2');
        }
        return true;
      },
    });
    one.open().subscribe({ types: '*' });
    const two = new Peer(producer).open();
    two.subscribe({ types: '*', delivery_mode: 'at_least_once' });
    publish('e1');
    expect([events(one.all), events(two.all)]).toEqual([['e1', 'e2'], ['e1', 'e2']]);
  });

  it('may end the subscription of somebody who was to get the same event next', () => {
    const { producer, publish } = rig();
    const peers: Peer[] = [];
    const cancelOthers = (self: number) => (text: string) => {
      peers[self]?.texts.push(text);
      if (!text.includes('"id":"e1"')) return true;
      for (const [at, other] of peers.entries()) if (at !== self) other.say('subscription.cancelled', { subscription_id: 'sub_0001' });
      return true;
    };
    for (const self of [0, 1]) {
      const peer = new Peer(producer, { send: cancelOthers(self) });
      peers.push(peer);
      peer.open().subscribe({ types: '*', delivery_mode: 'at_least_once' });
    }
    publish('e1');
    // Whoever was first got it, and the other one nothing but the confirmation.
    expect(peers.map((peer) => events(peer.all).length).toSorted()).toEqual([0, 1]);
    expect(producer.stats().subscriptions).toBe(1);
  });

  it('may cancel while it takes the answer to its request', () => {
    for (const from_cursor of [undefined, 'stream_01:0']) {
      const { producer, publish } = rig();
      publish('e1');
      const one: Peer = new Peer(producer, {
        send: (text) => {
          one.texts.push(text);
          if (text.includes('subscription.created')) one.say('subscription.cancelled', { subscription_id: 'sub_0001' });
          return true;
        },
      });
      one.open();
      one.say('subscription.requested', { types: '*', from_cursor });
      publish('e2');
      expect([events(one.all), producer.stats().subscriptions]).toEqual([[], 0]);
      expect(one.take().map(({ type }) => type)).toEqual(['subscription.created', 'subscription.cancelled']);
    }
  });

  it('may acknowledge while it takes an event: the window is free again at once', () => {
    const { producer, publish, clock } = rig({ maxUnacknowledged: 1 });
    const one: Peer = new Peer(producer, {
      send: (text) => {
        one.texts.push(text);
        const { id, delivery } = JSON.parse(text) as ReturnType<typeof message>;
        if (delivery !== undefined) one.acknowledge(id);
        return true;
      },
    });
    one.open().subscribe({ types: '*', delivery_mode: 'at_least_once' });
    for (const id of ['e1', 'e2', 'e3']) publish(id);
    expect(events(one.all)).toEqual(['e1', 'e2', 'e3']);
    expect(producer.subscriptions()[0]).toMatchObject({ pending: 0, acknowledgedCursor: 'stream_01:3' });
    expect(clock.pending()).toBe(0);
  });

  it('may acknowledge what is delivered again, close the session, or cancel in the middle of a replay', async () => {
    for (const how of ['acknowledge', 'close', 'cancel'] as const) {
      const { producer, publish, clock } = rig();
      for (let at = 1; at <= 4; at += 1) publish(`e${String(at)}`);
      let again = false;
      const one: Peer = new Peer(producer, {
        send: (text) => {
          one.texts.push(text);
          const { id, delivery } = JSON.parse(text) as ReturnType<typeof message>;
          if (delivery === undefined) return true;
          if (how === 'acknowledge' && again) one.acknowledge(id);
          if (how === 'close' && id === 'e2') one.say('session.closed', { session_id: 'sess_1' });
          if (how === 'cancel' && id === 'e2') one.say('subscription.cancelled', { subscription_id: 'sub_0001' });
          return true;
        },
      });
      one.open().subscribe({ types: '*', delivery_mode: 'replayable', from_cursor: 'stream_01:0' });
      if (how !== 'acknowledge') {
        expect(events(one.all)).toEqual(['e1', 'e2']);
        expect(one.all.some(({ type }) => type === 'event.replayed')).toBe(false);
      }
      again = true;
      await clock.advance(1e7);
      expect(events(one.all)).toHaveLength(how === 'acknowledge' ? 8 : 2);
      expect(clock.pending()).toBe(0);
    }
  });

  it.each(['at_least_once', 'best_effort'])('may let a slow session, %s, read ahead of the batch that is being delivered', (mode) => {
    const { stream, flush } = batches();
    const { producer, publish } = rig({ stream, maxUnacknowledged: 3 });
    const slow = new Peer(producer).open();
    if (mode === 'best_effort') {
      slow.free = false;
      slow.say('subscription.requested', { types: '*', from_cursor: 'stream_01:0' });
    } else {
      slow.subscribe({ types: '*', delivery_mode: mode });
      publish('a');
      publish('b');
      publish('c');
      flush();
    }
    const other = new Peer(producer, {
      send: (text) => {
        if (!text.includes('"id":"e1"')) return true;
        for (const id of ['a', 'b', 'c']) slow.acknowledge(id);
        slow.free = true;
        slow.connection.drained();
        return true;
      },
    });
    other.say('session.opened', { session_id: 'sess_1', version: '0.1' });
    other.say('subscription.requested', { types: '*' });
    publish('e1');
    publish('e2');
    flush();
    for (const id of ['e1', 'e2']) slow.acknowledge(id);
    publish('e3');
    flush();
    expect(events(slow.all).slice(mode === 'best_effort' ? 0 : 3)).toEqual(['e1', 'e2', 'e3']);
  });
});
