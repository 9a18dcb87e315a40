import { ReplayBuffer } from '@aepkit/replay-buffer';
import { buildSession, buildWire, turn } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';
import { type CommittedBatch, Hub, memoryLog, type Replayed, type ReplayFrom } from '../src/index.js';
import { EVERYTHING, POST, settle, TestSink } from './support.js';

function logOf(options: ConstructorParameters<typeof ReplayBuffer>[0] = {}) {
  const buffer = new ReplayBuffer(options);
  const log = memoryLog(buffer);
  const batches: CommittedBatch[] = [];
  const forget = log.onCommit((batch) => batches.push(batch));
  return { buffer, log, batches, forget };
}

async function read(log: ReturnType<typeof memoryLog>, from: ReplayFrom, upTo = log.mark()): Promise<Replayed[]> {
  const steps: Replayed[] = [];
  for await (const chunk of log.replay(from, upTo)) steps.push(...chunk);
  return steps;
}

describe('a log in memory', () => {
  it('commits what arrives in one turn as one group, in the order of the calls', async () => {
    const { log, batches } = logOf();
    const events = buildSession(6);
    const answers = [0, 2, 4].map((at) => log.append(events.slice(at, at + 2)));
    expect(batches).toEqual([]);
    expect(await Promise.all(answers)).toEqual([
      ['admitted', 'admitted'],
      ['admitted', 'admitted'],
      ['admitted', 'admitted'],
    ]);
    expect(batches).toEqual([{ events, admissions: events.map(() => 'admitted'), mark: 6 }]);
    expect(log.mark()).toBe(6);
  });

  it('calls its listeners ahead of the answers, in the same turn', async () => {
    const { log } = logOf();
    const order: string[] = [];
    log.onCommit(() => {
      order.push('listener');
      setImmediate(() => order.push('next turn'));
      void Promise.resolve().then(() => order.push('microtask'));
    });
    await log.append([buildWire()]).then(() => order.push('answer'));
    await turn();
    expect(order.slice(0, 3).sort()).toEqual(['answer', 'listener', 'microtask']);
    expect(order[0]).toBe('listener');
  });

  it('puts an append of a listener into a later group', async () => {
    const { log, batches } = logOf();
    const [first, second] = buildSession(2) as [never, never];
    let inner: Promise<unknown> | undefined;
    log.onCommit(() => void (inner ??= log.append([second])));
    await log.append([first]);
    await inner;
    expect(batches.map(({ events }) => events)).toEqual([[first], [second]]);
  });

  it('tells duplicates, late and unbuffered Events, and keeps none of them', async () => {
    const { log } = logOf({ perSession: 1 });
    const [old, ...events] = buildSession(3);
    const routed = buildWire({ type: 'attention.routed', session: 'unheard', seq: undefined, data: undefined });
    expect(await log.append([...events, events[1]!, old!, routed])).toEqual(['admitted', 'admitted', 'duplicate', 'late', 'unbuffered']);
    const steps = await read(log, { type: 'all' });
    expect(steps.flatMap((step) => (step.type === 'event' ? [step.event.json] : []))).toEqual([events[1]!.json]);
  });

  it('fails one batch without taking another of its group with it', async () => {
    const { buffer, log, batches } = logOf();
    const [good, bad, more] = buildSession(3) as [never, never, never];
    const admit = buffer.admit.bind(buffer);
    buffer.admit = (wire) => {
      if (wire === bad) throw new Error('boom');
      return admit(wire);
    };
    const answers = await Promise.allSettled([log.append([good]), log.append([bad]), log.append([more])]);
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(batches.flatMap(({ events }) => events)).toEqual([good, more]);
  });

  it('replays from positions, from all, and behind a mark, up to a mark', async () => {
    const { log } = logOf();
    const events = buildSession(5);
    await log.append(events.slice(0, 3));
    const mark = log.mark();
    await log.append(events.slice(3));
    const seqs = async (from: ReplayFrom, upTo?: number) =>
      (await read(log, from, upTo)).flatMap((step) => (step.type === 'event' ? [step.event.event.seq] : []));
    expect(await seqs({ type: 'all' })).toEqual([0, 1, 2, 3, 4]);
    expect(await seqs({ type: 'all' }, mark)).toEqual([0, 1, 2]);
    expect(await seqs({ type: 'positions', positions: [{ session: 's1', epoch: 0, seq: 1 }] })).toEqual([2, 3, 4]);
    expect(await seqs({ type: 'mark', mark })).toEqual([3, 4]);
    expect(await seqs({ type: 'mark', mark: 1 }, mark)).toEqual([1, 2]);
  });

  it('lets a replay that lost its next Event fail, and one that is left early go', async () => {
    const { log } = logOf({ perSession: 2, chunk: 1 });
    await log.append(buildSession(2));
    const reading = log.replay({ type: 'all' }, log.mark())[Symbol.asyncIterator]();
    expect((await reading.next()).done).toBe(false);
    await log.append(buildSession(3, { first: 2 }));
    await expect(reading.next()).rejects.toMatchObject({ code: 'replay-evicted' });
    for await (const chunk of log.replay({ type: 'all' }, log.mark())) {
      expect(chunk).toHaveLength(1);
      break;
    }
  });

  it('stops telling a listener that was removed', async () => {
    const { log, batches, forget } = logOf();
    forget();
    await log.append([buildWire()]);
    expect(batches).toEqual([]);
  });

  it('takes the commit of its turn from where it is told to', async () => {
    const commits: (() => void)[] = [];
    const log = memoryLog(new ReplayBuffer(), { schedule: (commit) => commits.push(commit) });
    const answer = log.append([buildWire()]);
    void log.append([buildWire()]);
    expect(commits).toHaveLength(1);
    commits[0]!();
    expect(await answer).toEqual(['admitted']);
  });
});

describe('a hub on a log in memory', () => {
  it('advertises its depth and keeps its promises: what was answered is in the next replay, the rest comes live [B-097, B-213, B-216]', async () => {
    const hub = new Hub({ log: memoryLog(new ReplayBuffer({ perSession: 3 })), id: 'relay' });
    expect(hub.facts().capabilities.replay).toEqual({ buffer: 3, all: true });
    const events = buildSession(6);
    for (const event of events.slice(0, 5)) await hub.ingest([event], POST);
    const sink = new TestSink();
    hub.connect({ sink, principal: EVERYTHING }).subscribe({ id: 's', from: [{ session: 's1', epoch: 0, seq: 0 }] });
    await hub.ingest([events[5]!], POST);
    await settle();
    expect(sink.seqs).toEqual([2, 3, 4, 5]);
    expect(sink.markers).toEqual([{ session: 's1', epoch: 0, seq: 2 }]);
    // X8: the history is kept while nobody is connected.
    await hub.close();
  });

  it('holds history while nobody is connected', async () => {
    const hub = new Hub({ log: memoryLog(new ReplayBuffer()), id: 'relay' });
    const first = new TestSink();
    const connection = hub.connect({ sink: first, principal: EVERYTHING });
    connection.subscribe({ id: 's' });
    const events = buildSession(11);
    await hub.ingest(events.slice(0, 1), POST);
    connection.close();
    await hub.ingest(events.slice(1), POST);
    const second = new TestSink();
    hub.connect({ sink: second, principal: EVERYTHING }).subscribe({ id: 's', from: [{ session: 's1', epoch: 0, seq: 0 }] });
    await settle();
    expect(second.ids).toEqual(events.slice(1).map(({ event }) => event.id));
  });

  it('owes the marker of a session that was evicted whole until its next Event', async () => {
    const hub = new Hub({ log: memoryLog(new ReplayBuffer({ sessions: 1 })), id: 'relay' });
    await hub.ingest(buildSession(3, { session: 'old' }), POST);
    await hub.ingest(buildSession(1, { session: 'new' }), POST);
    const sink = new TestSink();
    hub.connect({ sink, principal: EVERYTHING }).subscribe({ id: 's', from: [{ session: 'old', epoch: 0, seq: 0 }] });
    await settle();
    expect(sink.seen).toEqual([]);
    await hub.ingest(buildSession(1, { session: 'old', first: 7 }), POST);
    expect(sink.seen.map(({ type }) => type)).toEqual(['exhausted', 'event']);
    expect(sink.markers).toEqual([{ session: 'old', epoch: 0, seq: 7 }]);
  });

  describe('that began empty, for a consumer that names a session it has not heard of', () => {
    const comingBack = async (seq: number) => {
      const hub = new Hub({ log: memoryLog(new ReplayBuffer()), id: 'relay' });
      const sink = new TestSink();
      hub.connect({ sink, principal: EVERYTHING }).subscribe({ id: 's', from: [{ session: 's1', epoch: 0, seq }] });
      await settle();
      expect(sink.seen).toEqual([]);
      return { hub, sink };
    };

    it('sends the marker where the next Event leaves a gap, once', async () => {
      const { hub, sink } = await comingBack(3);
      await hub.ingest(buildSession(2, { first: 9 }), POST);
      expect(sink.seen.map(({ type }) => type)).toEqual(['exhausted', 'event', 'event']);
      expect(sink.markers).toEqual([{ session: 's1', epoch: 0, seq: 9 }]);
    });

    it.each([
      ['directly succeeds the position', 4],
      ['is the one at the position', 3],
      ['is from before', 1],
      ['is the first there is', 0],
    ])('sends none where it %s', async (_, first) => {
      const { hub, sink } = await comingBack(3);
      await hub.ingest(buildSession(3, { first }), POST);
      expect(sink.markers).toEqual([]);
      expect(sink.ids).toHaveLength(3);
    });

    it('sends none where the session begins', async () => {
      const { hub, sink } = await comingBack(3);
      await hub.ingest([buildWire({ type: 'session.started', session: 's1', epoch: 7, seq: 5 })], POST);
      expect(sink.markers).toEqual([]);
    });

    it('keeps no more of them than positions are allowed, and none behind the end of the subscription', async () => {
      const hub = new Hub({ log: memoryLog(new ReplayBuffer()), id: 'relay', maxPositions: 2 });
      const sink = new TestSink();
      const connection = hub.connect({ sink, principal: EVERYTHING });
      const from = (...sessions: string[]) => sessions.map((session) => ({ session, epoch: 0, seq: 1 }));
      connection.subscribe({ id: 'a', from: from('a', 'b') });
      connection.subscribe({ id: 'b', from: from('c') });
      await settle();
      for (const session of ['a', 'c']) await hub.ingest(buildSession(1, { session, first: 9 }), POST);
      expect(sink.markers.map(({ session }) => session)).toEqual(['a']);
      connection.unsubscribe('a');
      connection.subscribe({ id: 'c', from: from('d', 'e') });
      await settle();
      for (const session of ['b', 'd', 'e']) await hub.ingest(buildSession(1, { session, first: 9 }), POST);
      expect(sink.markers.map(({ session }) => session)).toEqual(['a', 'd', 'e']);
    });
  });

  describe('whose source lost Events', () => {
    it('tells whoever is subscribed ahead of the next one, and whoever comes back [B-100]', async () => {
      const hub = new Hub({ log: memoryLog(new ReplayBuffer()), id: 'relay' });
      const all = new TestSink();
      const other = new TestSink();
      hub.connect({ sink: all, principal: EVERYTHING }).subscribe({ id: 'all' });
      hub.connect({ sink: other, principal: EVERYTHING }).subscribe({ id: 'other', filter: { text: '{"session":"s2"}' } });
      await hub.ingest(buildSession(3), POST);
      hub.missed({ session: 's1', epoch: 0, seq: 9 });
      await hub.ingest(buildSession(1, { first: 1 }), POST);
      expect(all.markers).toEqual([]);
      await hub.ingest(buildSession(2, { first: 9 }), POST);
      expect(all.seen.map((one) => (one.type === 'event' ? one.wire.event.seq : one.type))).toEqual([0, 1, 2, 1, 'exhausted', 9, 10]);
      expect(all.markers).toEqual([{ session: 's1', epoch: 0, seq: 9 }]);
      expect(other.markers).toEqual([]);
      const late = new TestSink();
      hub.connect({ sink: late, principal: EVERYTHING }).subscribe({ id: 's', from: [{ session: 's1', epoch: 0, seq: 2 }] });
      await settle();
      expect(late.seen.map((one) => (one.type === 'event' ? one.wire.event.seq : one.type))).toEqual(['exhausted', 9, 10]);
    });

    it('names the first of two losses, ahead of what lies between them', async () => {
      const hub = new Hub({ log: memoryLog(new ReplayBuffer()), id: 'relay' });
      const sink = new TestSink();
      hub.connect({ sink, principal: EVERYTHING }).subscribe({ id: 's' });
      hub.missed({ session: 's1', epoch: 0, seq: 5 });
      hub.missed({ session: 's1', epoch: 0, seq: 9 });
      await hub.ingest(buildSession(1, { first: 9 }), POST);
      expect(sink.markers).toEqual([{ session: 's1', epoch: 0, seq: 9 }]);
    });
  });
});
