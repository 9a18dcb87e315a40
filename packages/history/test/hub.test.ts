import { type DeliveryBatch, Hub, type Ingress, type Sink } from '@aepkit/hub';
import { turn } from '@aepkit/testkit';
import { expect, it } from 'vitest';
import { at, large, testStore } from './support.js';

const principal: Ingress['principal'] = { name: 'tester', scopes: new Set(['emit', 'observe']), authenticated: true };
const POST: Ingress = { principal, via: 'post' };

/** Counts what it is given, by id, and keeps the order. */
class CountingSink implements Sink {
  readonly seqs: number[] = [];
  readonly markers: number[] = [];
  closed: string | undefined;

  write({ deliveries }: DeliveryBatch): boolean {
    for (const { event } of deliveries) this.seqs.push(event.event.seq ?? -1);
    return true;
  }

  drained(): Promise<void> {
    return Promise.resolve();
  }

  exhausted({ seq }: { readonly seq: number }): void {
    this.markers.push(seq);
  }

  close(reason: string): void {
    this.closed = reason;
  }
}

it('hands a consumer over from replay to live without a hole or a double, under a writer [B-215]', async () => {
  await using store = await testStore({ buffer: 500 });
  const hub = new Hub({ log: store.history, id: 'test' });
  const BATCHES = 200;
  const sinks: { sink: CountingSink; behind: number }[] = [];
  const answers: Promise<unknown>[] = [];
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const events = Array.from({ length: 10 }, (_, index) => at(10 * batch + index, { severity: 'notice' }));
    answers.push(hub.ingest(events, POST));
    // Every few commits somebody comes, from a position of long ago, of just now, or of the time to come.
    if (batch % 10 === 5) {
      await answers[batch - (batch % 3)];
      const behind = [10 * batch - 400, 10 * batch - 30, 10 * batch + 5, -1][sinks.length % 4] ?? -1;
      const sink = new CountingSink();
      sinks.push({ sink, behind });
      hub.connect({ sink, principal }).subscribe({ id: 's', from: behind < 0 ? 'all' : [{ session: 's1', epoch: 0, seq: behind }] });
    }
  }
  await Promise.all(answers);
  while (sinks.some(({ sink }) => sink.seqs.at(-1) !== 10 * BATCHES - 1)) await turn();
  await hub.close();
  expect(sinks).toHaveLength(20);
  for (const { sink, behind } of sinks) {
    const first = sink.seqs[0] ?? 0;
    expect(sink.seqs).toEqual(Array.from({ length: 10 * BATCHES - first }, (_, index) => first + index));
    if (sink.markers.length > 0) expect(sink.markers).toEqual([first]);
    else if (behind >= 0) expect(first).toBeLessThanOrEqual(behind + 1);
    expect(sink.closed).toBe('shutdown');
  }
});

it('lets nothing out that was not committed, and says unavailable', async () => {
  await using store = await testStore({ maxBytes: 2 * 1024 ** 2 });
  const hub = new Hub({ log: store.history, id: 'test' });
  const sink = new CountingSink();
  hub.connect({ sink, principal }).subscribe({ id: 's' });
  await hub.ingest([at(0)], POST);
  await expect(hub.ingest([at(1), large(2, 8 * 1024 ** 2)], POST)).rejects.toMatchObject({ code: 'unavailable' });
  await hub.ingest([at(3)], POST);
  await hub.close();
  expect(sink.seqs).toEqual([0, 3]);
});
