import { manualClock } from '@aepkit/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  memoryStream,
  SubscriptionConsumer,
  SubscriptionProducer,
  type ConsumerItem,
  type ConsumerSubscription,
  type DeliveryMode,
  type EventItem,
  type Message,
  type ProducerConnection,
} from '../src/index.js';
import { ids } from './support.js';

/**
 * The model: what was published, in order, and for each subscription what it has processed. It knows nothing of windows, lanes or
 * redeliveries, and says after the end what each mode promises.
 */
const KINDS = ['memory.added', 'memory.fact.added', 'task.progress'] as const;
const FILTERS = ['*', 'memory.*', 'task.*', 'memory.fact.added'] as const;

type Step =
  | { readonly do: 'publish'; readonly kind: (typeof KINDS)[number] }
  | { readonly do: 'subscribe'; readonly types: (typeof FILTERS)[number]; readonly mode: DeliveryMode; readonly fromStart: boolean }
  | { readonly do: 'cancel'; readonly which: number }
  | { readonly do: 'down'; readonly count: number }
  | { readonly do: 'up'; readonly count: number }
  | { readonly do: 'process'; readonly which: number }
  | { readonly do: 'refuse'; readonly which: number }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'cut' }
  | { readonly do: 'restart' }
  | { readonly do: 'fill' }
  | { readonly do: 'drain' };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('publish' as const), kind: fc.constantFrom(...KINDS) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('subscribe' as const),
      types: fc.constantFrom(...FILTERS),
      mode: fc.constantFrom('best_effort' as const, 'at_least_once' as const, 'replayable' as const),
      fromStart: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const), which: fc.nat(5) }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('down' as const), count: fc.integer({ min: 1, max: 6 }) }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('up' as const), count: fc.integer({ min: 1, max: 6 }) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('process' as const), which: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('refuse' as const), which: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(500, 3_000, 40_000) }) },
  { weight: 1, arbitrary: fc.constant({ do: 'cut' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'restart' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'fill' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'drain' as const }) },
);

interface Watched {
  /** That of the process that runs now. */
  subscription: ConsumerSubscription;
  readonly mode: DeliveryMode;
  /** Published before it was created, where it did not ask for them. */
  skipped: number;
  created: boolean;
}

async function play(steps: readonly Step[], window: number): Promise<void> {
  const clock = manualClock(Date.UTC(2026, 0, 1));
  const shared = { now: () => clock.now(), timers: clock };
  const producer = new SubscriptionProducer({
    ...shared,
    source: 'memory:main',
    stream: memoryStream({ id: 's' }),
    maxUnacknowledged: window,
    retry: { maxAttempts: Infinity },
    createId: ids('p'),
  });
  const published: Message[] = [];
  const watched: Watched[] = [];
  const given: EventItem[] = [];
  /** In the order of processing, with the mode in force; by the process that did it. */
  let processed: EventItem[] = [];
  const processes: EventItem[][] = [processed];
  let up: string[] = [];
  let down: string[] = [];
  let full = false;
  let connection: ProducerConnection | undefined;

  const onItem = (item: ConsumerItem): void => {
    if (item.type === 'created') {
      const one = watched.find(({ subscription }) => subscription === item.subscription);
      if (one !== undefined && !one.created) {
        one.created = true;
        const cursor = Number((one.subscription.cursor ?? 's:0').slice(2));
        one.skipped = one.subscription.filter.fromCursor === undefined ? cursor : 0;
      }
      expect(item.gap).toBe(false);
    } else if (item.type === 'event') {
      if (item.mode === 'best_effort') processed.push(item);
      else given.push(item);
    } else {
      // Nothing is lost, refused or given up in a run without limits.
      expect(['rejected', 'expired', 'refused', 'dead-letter', 'bad', 'postponed', 'ignored']).not.toContain(item.type);
    }
  };
  const createId = ids('c');
  const begin = (): SubscriptionConsumer => new SubscriptionConsumer({ ...shared, source: 'agent:a', send: (text) => up.push(text), onItem, createId });
  let consumer = begin();
  const connect = (): void => {
    up = [];
    down = [];
    full = false;
    connection = producer.connect({
      transport: 'model',
      send: (text) => {
        down.push(text);
        return !full;
      },
    });
    consumer.open();
  };
  const drain = (): void => {
    full = false;
    connection?.drained();
  };
  const carry = (count: number, from: 'up' | 'down'): void => {
    for (let left = count; left > 0; left -= 1) {
      const text = (from === 'up' ? up : down).shift();
      if (text === undefined) return;
      if (from === 'up') connection?.receive(text);
      else consumer.receive(text);
    }
  };
  connect();

  for (const now of steps) {
    switch (now.do) {
      case 'publish': {
        const id = `e${String(published.length + 1)}`;
        producer.publish({ id, type: now.kind, payload: null });
        published.push({ type: now.kind, source: 'memory:main', id } as Message);
        break;
      }
      case 'subscribe': {
        const { types, mode } = now;
        const subscription = consumer.subscribe({ types, delivery_mode: mode, ...(now.fromStart ? { from_cursor: 's:0' } : {}) });
        watched.push({ subscription, mode, skipped: 0, created: false });
        break;
      }
      case 'cancel': {
        const one = watched[now.which % Math.max(1, watched.length)];
        if (one !== undefined && consumer.subscriptions.includes(one.subscription)) consumer.cancel(one.subscription);
        break;
      }
      case 'up':
      case 'down':
        carry(now.count, now.do);
        break;
      case 'process':
      case 'refuse': {
        const [item] = given.splice(now.which % Math.max(1, given.length), 1);
        if (item === undefined) break;
        if (now.do === 'refuse') {
          consumer.reject(item, { code: 'internal_error', message: 'later', retryable: true });
        } else {
          processed.push(item);
          consumer.processed(item);
        }
        break;
      }
      case 'wait':
        await clock.advance(now.ms);
        break;
      case 'cut':
        // Everything under way is lost, in both directions.
        connection?.close();
        consumer.disconnected();
        connect();
        break;
      case 'restart':
        // The process dies with what it has not processed, and another one comes with the cursors that were kept.
        connection?.close();
        consumer.disconnected();
        given.length = 0;
        processed = [];
        processes.push(processed);
        consumer = begin();
        for (const one of watched) {
          const { cursor, state, filter } = one.subscription;
          if (state !== 'ended') continue;
          const kept = cursor === undefined ? {} : { from_cursor: cursor };
          one.subscription = consumer.subscribe({ ...filter.source, ...kept });
          one.created &&= cursor !== undefined;
        }
        connect();
        break;
      case 'fill':
        full = true;
        break;
      case 'drain':
        drain();
        break;
    }
  }

  // To the end: nothing is lost any more, everything is processed, and time passes for what was refused.
  for (let quiet = 0; quiet < 3; ) {
    drain();
    const busy = up.length + down.length + given.length > 0;
    carry(Infinity, 'up');
    carry(Infinity, 'down');
    for (const item of given.splice(0)) {
      processed.push(item);
      consumer.processed(item);
    }
    if (!busy) {
      quiet += 1;
      await clock.advance(40_000);
    }
  }

  // One process processes an id once, in whatever mode and for however many subscriptions (C4).
  for (const of of processes) expect(of.map(({ message }) => message.id).toSorted()).toEqual([...new Set(of.map(({ message }) => message.id))].toSorted());
  const all = processes.flat();
  const done = new Set(all.map(({ message }) => message.id));
  for (const { subscription, mode, skipped, created } of watched) {
    const mine = published.slice(skipped).filter((event) => subscription.filter.matches(event));
    // Nothing but what was asked for.
    for (const { message, subscriptions } of all) {
      if (subscriptions.includes(subscription)) expect(subscription.filter.matches(message)).toBe(true);
    }
    if (subscription.state !== 'active' || mode === 'best_effort' || !created) continue;
    // Durable: everything since it was created, or since the start where it asked for that, was processed.
    expect(mine.filter(({ id }) => !done.has(id))).toEqual([]);
    // So the cursor stands behind the last one.
    expect(subscription.cursor).toBe(mine.length === 0 ? subscription.cursor : `s:${mine.at(-1)?.id.slice(1) ?? ''}`);
  }
  for (const { mode, message } of all) expect(message.delivery?.mode).toBe(mode);
  // And the producer knows it: nothing waits.
  for (const facts of producer.subscriptions()) expect(facts.pending).toBe(0);
  consumer.close();
  connection?.close();
  producer.close();
  expect(clock.pending()).toBe(0);
}

describe('any course of events', () => {
  it('keeps what each mode promises [S-079, S-080, S-081, S-097, S-139]', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 120 }), fc.constantFrom(1, 2, 5, 256), (steps, window) => play(steps, window)),
      { numRuns: Number(process.env.MODEL_RUNS ?? 150) },
    );
  });
});
