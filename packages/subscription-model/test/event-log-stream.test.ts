import type { EventLog } from '@aepkit/hub';
import { memoryLog } from '@aepkit/hub';
import { ReplayBuffer } from '@aepkit/replay-buffer';
import { buildEvent, buildSession, buildWire, turn } from '@aepkit/testkit';
import { describe, expect, expectTypeOf, it } from 'vitest';

import { eventLogStream, messageOfEvent, parseMessage, SubscriptionConsumer, SubscriptionProducer, type ConsumerItem, type EventLogLike, type ProducerConnection } from '../src/index.js';
import { errorOf, events, part, rig } from './support.js';

const logOf = (perSession = 100): EventLog => memoryLog(new ReplayBuffer({ perSession }));

/** A log whose marks jump, as those of a log on disk may. */
function jumpy(step = 10): EventLogLike & { add(...ids: string[]): void; listeners(): number } {
  const held: { mark: number; id: string }[] = [];
  let mark = 1_000;
  const listeners = new Set<Parameters<EventLogLike['onCommit']>[0]>();
  return {
    mark: () => mark,
    listeners: () => listeners.size,
    onCommit: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async *replay(from, upTo) {
      await turn();
      for (const { mark: at, id } of held) if (at > from.mark && at <= upTo) yield [{ type: 'event', event: buildWire({ id }) }, { type: 'session-end' }];
    },
    add(...ids) {
      mark += step;
      for (const id of ids) held.push({ mark, id });
      for (const listener of listeners) listener({ events: ids.map((id) => buildWire({ id })), admissions: ids.map(() => 'admitted'), mark });
    },
  };
}

const seen = (messages: readonly { readonly id: string }[]): string[] => messages.map(({ id }) => id.slice(id.lastIndexOf('e-')));

describe('the stream of an event log', () => {
  it('takes the EventLog of the hub as it is', () => {
    expectTypeOf<EventLog>().toExtend<EventLogLike>();
    expect(eventLogStream(logOf(), { id: 'log' }).append).toBeUndefined();
  });

  it('delivers what is committed, and replays from the cursors it gave [S-081, S-089, S-095, S-140]', async () => {
    const log = logOf();
    const { peer, producer } = rig({ stream: eventLogStream(log, { id: 'log' }) });
    const one = peer().open();
    one.subscribe({ types: 'tool.*', delivery_mode: 'replayable' });
    await log.append(buildSession(3));
    await log.append(buildSession(2, { first: 3 }));
    const live = one.take();
    expect(live).toHaveLength(5);
    expect(live.map(({ delivery }) => delivery?.sequence)).toEqual([1, 2, 3, 4, 5]);
    for (const [at, { delivery }] of live.entries()) {
      const two = peer().open();
      two.say('subscription.requested', { types: 'tool.*', from_cursor: delivery?.cursor });
      while (!two.all.some(({ type }) => type === 'event.replayed')) await turn();
      expect(events(two.all)).toEqual(live.slice(at + 1).map(({ id }) => id));
      two.connection.close();
    }
    expect(() => producer.publish({ type: 'a.b', payload: 1 })).toThrow(expect.objectContaining({ code: 'not-appendable' }));
  });

  it('continues with live events, without a hole and without a double, under a writer [S-097]', async () => {
    const log = logOf(10_000);
    await log.append(buildSession(500));
    const { peer } = rig({ stream: eventLogStream(log, { id: 'log' }), maxUnacknowledged: Infinity });
    const one = peer().open();
    let next = 500;
    let last: Promise<unknown> = Promise.resolve();
    const write = (count: number): void => {
      last = log.append(buildSession(count, { first: next }));
      next += count;
    };
    write(3);
    one.say('subscription.requested', { types: '*', delivery_mode: 'at_least_once', from_cursor: 'log:0+250' });
    one.say('subscription.requested', { types: 'tool.*' });
    for (let round = 0; round < 40; round += 1) {
      write(1 + (round % 5));
      await turn();
    }
    await last;
    const wanted = next - 250;
    while (events(one.all).length < wanted) await turn();
    const ids = events(one.all);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toHaveLength(wanted);
    const sequences = one.all.flatMap(({ delivery }) => delivery?.sequence ?? []);
    expect(sequences).toEqual(sequences.toSorted((a, b) => a - b));
  });

  it('counts behind marks that jump, within one run and the next [S-094, S-140]', async () => {
    const log = jumpy();
    log.add('e-0');
    const { peer } = rig({ stream: eventLogStream(log, { id: 'log' }) });
    const one = peer().open();
    one.subscribe({ types: '*', delivery_mode: 'replayable' });
    log.add('e-1', 'e-2', 'e-3');
    log.add('e-4');
    const live = one.take();
    expect(live.map(({ delivery }) => [delivery?.cursor, delivery?.sequence])).toEqual([
      ['log:1010+1', 1011],
      ['log:1010+2', 1012],
      ['log:1010+3', 1013],
      ['log:1020+1', 1021],
    ]);
    // A new process on the same log knows none of the marks.
    const again = rig({ stream: eventLogStream(log, { id: 'log' }) }).peer().open();
    again.say('subscription.requested', { types: '*', from_cursor: 'log:1010+2' });
    while (!again.all.some(({ type }) => type === 'event.replayed')) await turn();
    const replayed = again.all.filter(({ delivery }) => delivery !== undefined);
    expect(seen(replayed)).toEqual(['e-3', 'e-4']);
    expect(replayed.map(({ delivery }) => delivery?.sequence)).toEqual([1013, 1014]);
    log.add('e-5');
    expect(again.all.at(-1)?.delivery?.sequence).toBe(1031);
    // In the old one, a cursor of a replay depends on the nearest mark.
    const two = peer().open();
    two.say('subscription.requested', { types: '*', from_cursor: 'log:1000+0' });
    while (!two.all.some(({ type }) => type === 'event.replayed')) await turn();
    expect(two.all.flatMap(({ delivery }) => delivery?.cursor ?? [])).toEqual(['log:1000+1', 'log:1010+1', 'log:1010+2', 'log:1010+3', 'log:1020+1', 'log:1030+1']);
  });

  it.each(['log:6+0', 'log:5+1', 'log:4+2', 'log:x', 'log:1', 'log:01+0', 'other:1+0', 'log:1+-1', ''])('refuses %j, which is no place of it [S-098]', async (cursor) => {
    const log = logOf();
    await log.append(buildSession(5));
    const { peer, producer } = rig({ stream: eventLogStream(log, { id: 'log' }) });
    const one = peer().open();
    one.say('subscription.requested', { types: '*', from_cursor: cursor });
    for (let at = 0; at < 10; at += 1) await turn();
    const refused = one.take().at(-1);
    expect(['subscription.rejected', 'subscription.expired']).toContain(refused?.type);
    if (refused?.type === 'subscription.rejected') expect(errorOf(refused).message).toBe('cursor not available');
    expect([events(one.all), producer.stats().subscriptions]).toEqual([[], 0]);
  });

  it('refuses a cursor behind which something was evicted [S-098]', async () => {
    const log = logOf(3);
    await log.append(buildSession(5));
    const { peer } = rig({ stream: eventLogStream(log, { id: 'log' }) });
    const one = peer().open();
    one.say('subscription.requested', { types: '*', from_cursor: 'log:1+0' });
    one.say('subscription.requested', { types: '*', from_cursor: 'log:2+0' });
    while (!one.all.some(({ type }) => type === 'event.replayed')) await turn();
    expect(one.all.map(({ type }) => type).filter((type) => type.startsWith('subscription.')).toSorted()).toEqual(['subscription.created', 'subscription.rejected']);
    expect(errorOf(one.all.find(({ type }) => type === 'subscription.rejected')).message).toBe('cursor not available');
    expect(events(one.all)).toHaveLength(3);
  });

  it('leaves duplicates out, and delivers what the log does not replay once, as best effort [S-084, S-085]', async () => {
    const log = logOf();
    const { peer } = rig({ stream: eventLogStream(log, { id: 'log' }) });
    const one = peer().open();
    one.subscribe({ types: '*', delivery_mode: 'at_least_once' });
    const [first] = buildSession(1);
    await log.append([first!, first!, buildWire({ type: 'agent.registered', session: undefined, seq: undefined, data: {} })]);
    expect(one.take().map(({ type, delivery }) => [type, delivery?.mode])).toEqual([
      ['tool.requested', 'at_least_once'],
      ['agent.registered', 'best_effort'],
    ]);
  });

  it('never lets a sequence fall, even where marks count commits [S-140]', () => {
    const log = jumpy(1);
    const one = rig({ stream: eventLogStream(log, { id: 'log' }) }).peer().open();
    one.subscribe({ types: '*' });
    log.add('e-1', 'e-2', 'e-3');
    log.add('e-4', 'e-5');
    const sequences = one.take().map(({ delivery }) => delivery?.sequence ?? NaN);
    expect(sequences).toEqual([1_001, 1_001, 1_001, 1_002, 1_002]);
  });

  it('starts a subscription behind the batch that is just being delivered, as its answer says', () => {
    const log = jumpy();
    const { peer } = rig({ stream: eventLogStream(log, { id: 'log' }) });
    const two = peer().open();
    let asked = false;
    const one = peer({
      send: () => {
        if (one.connection.closed || asked || log.mark() === 1_000) return true;
        asked = true;
        two.say('subscription.requested', { types: '*', delivery_mode: 'at_least_once' });
        return true;
      },
    });
    one.say('session.opened', { session_id: 'sess_1', version: '0.1' });
    one.say('subscription.requested', { types: '*' });
    log.add('e-1', 'e-2', 'e-3');
    log.add('e-4');
    const [created, ...rest] = two.take();
    expect(part(created, 'cursor')).toBe('log:1010+0');
    expect(seen(rest)).toEqual(['e-4']);
  });

  it('lets go of the log with the last producer, and comes back', async () => {
    const log = jumpy();
    const stream = eventLogStream(log, { id: 'log' });
    const first = rig({ stream });
    const second = rig({ stream });
    first.producer.close();
    expect(log.listeners()).toBe(1);
    second.producer.close();
    expect(log.listeners()).toBe(0);
    log.add('e-1');
    const one = rig({ stream }).peer().open();
    one.subscribe({ types: '*' });
    log.add('e-2');
    expect(one.take().map(({ delivery }) => delivery?.cursor)).toEqual(['log:1010+1']);
  });

  it('serves a consumer from start to end', async () => {
    const log = logOf();
    const producer = new SubscriptionProducer({ source: 'harness:relay', stream: eventLogStream(log, { id: 'log' }) });
    const items: ConsumerItem[] = [];
    const consumer: SubscriptionConsumer = new SubscriptionConsumer({ source: 'agent:a', send: (text) => connection.receive(text), onItem: (item) => items.push(item) });
    const connection: ProducerConnection = producer.connect({
      transport: 'test',
      send(text) {
        consumer.receive(text);
        return true;
      },
    });
    consumer.open();
    const all = consumer.subscribe({ types: 'tool.*', delivery_mode: 'replayable' });
    await log.append(buildSession(2));
    expect(all.cursor).toBe('log:0+0');
    for (const item of items) if (item.type === 'event') consumer.processed(item);
    expect(all.cursor).toBe('log:0+2');
    expect(producer.subscriptions()[0]).toMatchObject({ acknowledgedCursor: 'log:0+2', pending: 0 });
    producer.close();
    consumer.disconnected();
  });
});

describe('an Event as a message', () => {
  it('is a message of this draft', () => {
    const made = messageOfEvent(buildEvent({ id: 'e-1', run: 'r1', cause: 'e-0' }));
    expect(made).toEqual({
      aep_version: '0.1',
      id: expect.stringContaining('e-1'),
      type: 'tool.requested',
      source: 'aep://test/agent/a1/session/s1',
      created_at: '2026-01-01T00:00:00.000Z',
      payload: { tool: { name: 'shell' } },
      session_id: 's1',
      task_id: 'r1',
      causation_id: 'e-0',
    });
    expect(parseMessage(JSON.stringify(made))).toEqual(made);
    expect(messageOfEvent(buildEvent({ data: undefined }))?.payload).toEqual({});
  });

  it('has an id that no other source can have', () => {
    const [one, two] = ['aep://a', 'aep://b'].map((source) => messageOfEvent(buildEvent({ id: 'same', source }))?.id);
    expect(one).not.toBe(two);
  });

  it('does not look like a control message, and is left out where its type has no spelling', () => {
    expect(messageOfEvent(buildEvent({ type: 'session.started' }))?.type).toBe('agent.session.started');
    expect(messageOfEvent(buildEvent({ type: 'x.acme-corp.build.done' }))).toBeUndefined();
    expect(messageOfEvent(buildEvent({ type: 'x.acme.build.done' }))?.type).toBe('x.acme.build.done');
  });
});
