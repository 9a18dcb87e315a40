import { buildSession, buildWire } from '@aepkit/testkit';
import type { WireEvent } from '@aepkit/envelope';
import { describe, expect, it } from 'vitest';
import { SharedBatch, SharedDelivery } from '../src/delivery.js';
import { LiveQueue } from '../src/live-queue.js';
import type { Parcel } from '../src/parcel.js';
import type { LiveSubscription } from '../src/subscription.js';

const [a, b] = [{ id: 'a' }, { id: 'b' }] as unknown as [LiveSubscription, LiveSubscription];

function parcel(events: readonly WireEvent[], admitted = true): Parcel {
  return { batch: new SharedBatch(events.map((event) => new SharedDelivery(event, admitted))), sole: a, matched: [] };
}

function idsOf(parcels: readonly Parcel[]): string[] {
  return parcels.flatMap(({ batch }) => batch.deliveries.map(({ event }) => event.event.id));
}

function ids(events: readonly WireEvent[]): string[] {
  return events.map(({ event }) => event.id);
}

describe('a queue', () => {
  it('gives out in order, at least one parcel and no more bytes than asked for', () => {
    const queue = new LiveQueue();
    const events = buildSession(3_000);
    for (const event of events) queue.push(parcel([event]));
    const got: string[] = [];
    got.push(...idsOf(queue.take(1)));
    expect(got).toHaveLength(1);
    const [next] = events.slice(1).map((event) => parcel([event]).batch.bytes);
    expect(queue.take(2 * next!)).toHaveLength(2);
    got.push(...ids(events.slice(1, 3)));
    while (!queue.empty) got.push(...idsOf(queue.take(10_000)));
    expect(got).toEqual(ids(events));
    expect(queue.bytes).toBe(0);
    expect(queue.take(1)).toEqual([]);
  });

  it('drops debug and info from the front, whole parcels or parts of them, until the target is met', () => {
    const queue = new LiveQueue();
    const chatter = buildSession(4);
    const loud = buildSession(4, { severity: 'error', first: 10 });
    queue.push(parcel([chatter[0]!, loud[0]!]));
    queue.push(parcel([chatter[1]!]));
    queue.push(parcel([loud[1]!]));
    queue.push(parcel([chatter[2]!, loud[2]!, chatter[3]!]));
    const last = parcel([chatter[2]!]).batch.bytes;
    expect(queue.thin(queue.bytes - 1)).toBe(1);
    expect(queue.thin(queue.bytes - last)).toBe(1);
    expect(queue.thin(queue.bytes)).toBe(0);
    const rest = queue.bytes;
    expect(queue.thin(0)).toBe(2);
    expect(queue.bytes).toBe(rest - parcel(chatter.slice(2)).batch.bytes);
    expect(queue.thin(0)).toBe(0);
    queue.push(parcel([chatter[0]!]));
    expect(queue.thin(0)).toBe(1);
    expect(idsOf(queue.take(Infinity))).toEqual(ids(loud.slice(0, 3)));
    expect(queue.thin(0)).toBe(0);
    expect([queue.bytes, queue.empty]).toEqual([0, true]);
  });

  it('forgets what the log has, and keeps the rest in order', () => {
    const queue = new LiveQueue();
    const [one, two, three] = [buildSession(2), buildSession(2), buildSession(1)];
    queue.push(parcel(one, false));
    queue.push(parcel(two));
    queue.push(parcel(three, false));
    queue.forget();
    expect(queue.bytes).toBe(parcel([...one, ...three], false).batch.bytes);
    expect(idsOf(queue.take(Infinity))).toEqual(ids([...one, ...three]));
  });

  it('parts with what only one subscription wanted, and remembers whom the rest is for', () => {
    const queue = new LiveQueue();
    const events = buildSession(3);
    const { batch } = parcel(events);
    queue.push({ batch, sole: undefined, matched: [a, [a, b], b] });
    queue.push({ batch, sole: undefined, matched: [a, a, a] });
    queue.push({ batch, sole: b, matched: [] });
    queue.remove(a);
    const [first, second] = queue.take(Infinity);
    expect(idsOf([first!])).toEqual(ids(events.slice(1)));
    expect(first!.matched.flat()).toEqual([b, b]);
    expect(second!.batch).toBe(batch);
  });

  it('shares what it makes of a batch with every other queue that holds it', () => {
    const shared = parcel([...buildSession(2), buildWire({ severity: 'error' })]);
    const queues = [new LiveQueue(), new LiveQueue()];
    for (const queue of queues) {
      queue.push(shared);
      queue.thin(0);
    }
    const [first, second] = queues.map((queue) => queue.take(1)[0]!.batch);
    expect(first).toBe(second);
    expect(first!.deliveries).toHaveLength(1);
  });
});
