import { type AepEvent, parseEvent, type WireEvent } from '@aepkit/envelope';
import { buildWire } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';
import type { Capture } from '@aepkit/envelope';
import type { DeliveryBatch, Encoder, Sink } from '../src/index.js';
import { bench, EVERYTHING, POST, settle, TestSink, textEncoder } from './support.js';

function outcome(capture: Capture | undefined, more: object = {}): WireEvent {
  return buildWire({
    type: 'tool.completed',
    capture,
    data: { tool: { name: 'shell' }, status: 'ok', duration_ms: 5 },
    ...more,
  });
}

/** Keeps the batches themselves. */
class BatchSink implements Sink {
  readonly batches: DeliveryBatch[] = [];
  write(batch: DeliveryBatch): boolean {
    this.batches.push(batch);
    return true;
  }
  drained(): Promise<void> {
    return Promise.resolve();
  }
  exhausted(): void {}
  close(): void {}
}

function watch(it: ReturnType<typeof bench>, filter: object = {}, capture?: string): TestSink {
  const sink = new TestSink();
  it.hub.connect({ sink, principal: EVERYTHING }).subscribe({ id: 's', filter: { value: filter }, ...(capture === undefined ? {} : { capture }) });
  return sink;
}

describe('fan-out', () => {
  it('hands on the very text it was given, once per committed batch [B-005, B-141, E-058]', async () => {
    const it = bench();
    const sink = watch(it);
    const json = `{"id":"1","aep":"0.1","type":"x.acme.build.done","time":"2026-01-01T00:00:00Z","source":"urn:s","agent":"a","session":"s1","seq":1,"acmebig":9007199254740993,"data":{"n":2512292042121000001,"e":"\\u0041"}}`;
    await it.publish(parseEvent(json), buildWire());
    expect(sink.writes).toHaveLength(1);
    expect(sink.events[0]?.json).toBe(json);
  });

  it('gives each subscription what its filter matches, agent-scoped Events with the empty one [B-115, B-162]', async () => {
    const it = bench();
    const all = watch(it);
    const tools = watch(it, { type: 'tool.*' });
    const loud = watch(it, { severity: { gte: 'warning' } });
    const none = watch(it, { agent: 'nobody' });
    const events = [
      buildWire({ type: 'agent.idle', session: undefined, seq: undefined, data: undefined }),
      buildWire({ severity: 'error' }),
      buildWire({ type: 'run.started', data: undefined }),
    ];
    await it.publish(...events);
    expect(all.events).toEqual(events);
    expect(tools.events).toEqual([events[1]]);
    expect(loud.events).toEqual([events[1]]);
    expect(none.writes).toEqual([]);
  });

  it('delivers to the sender as to everybody else', async () => {
    const { hub, log } = bench();
    const sink = new TestSink();
    const peer = { id: 'p', principal: EVERYTHING, role: 'both' as const, send: () => true };
    hub.connect({ sink, principal: EVERYTHING, peer }).subscribe({ id: 's' });
    const event = buildWire();
    const receipt = hub.ingest([event], { principal: EVERYTHING, via: 'connection', connection: peer });
    log.commit();
    await receipt;
    expect(sink.events).toEqual([event]);
  });

  it('forwards a repeat live, as it was received this time [B-110]', async () => {
    const it = bench();
    const sink = watch(it);
    const event = buildWire({ id: 'twice' });
    const again = parseEvent(event.json.replace('{', '{ '));
    await it.publish(event);
    await it.publish(again);
    await it.publish(event, again);
    expect(sink.events.map(({ json }) => json)).toEqual([event.json, again.json, event.json, again.json]);
  });

  it('forwards live what the log does not keep', async () => {
    const it = bench({ depth: 1 });
    const sink = watch(it);
    const [old, one, two] = [1, 2, 3].map((seq) => buildWire({ session: 'x', seq })) as [WireEvent, WireEvent, WireEvent];
    expect(await it.publish(one, two, old)).toEqual(['admitted', 'admitted', 'late']);
    expect(sink.events).toEqual([one, two, old]);
  });

  it('stops with unsubscribe, and leaves the other subscriptions alone; an unknown id is no error [B-163]', async () => {
    const { hub, publish } = bench();
    const sink = new TestSink();
    const connection = hub.connect({ sink, principal: EVERYTHING });
    const first = connection.subscribe({ id: 'a', filter: { value: { agent: 'a1' } } });
    connection.subscribe({ id: 'b', filter: { value: { agent: 'b1' } } });
    connection.unsubscribe('a');
    connection.unsubscribe('never');
    await first.done;
    await publish(buildWire({ agent: 'a1' }), buildWire({ agent: 'b1' }));
    expect(sink.events.map(({ event }) => event.agent)).toEqual(['b1']);
  });

  it('sends an Event that matches several subscriptions of a connection once, at the widest ceiling [B-224]', async () => {
    const { hub, publish } = bench();
    const sink = new TestSink();
    const connection = hub.connect({ sink, principal: EVERYTHING });
    connection.subscribe({ id: 'narrow', capture: 'none' });
    connection.subscribe({ id: 'wide', filter: { value: { type: 'tool.*' } }, capture: 'metadata' });
    connection.subscribe({ id: 'narrow2', capture: 'none' });
    const [tool, run] = [buildWire(), buildWire({ type: 'run.started', data: { trigger: 'user' } })];
    await publish(tool, run);
    expect(sink.events).toHaveLength(2);
    expect(sink.events[0]).toBe(tool);
    expect(sink.events[1]?.event).toMatchObject({ id: run.event.id, capture: 'none' });
    expect(sink.events[1]?.event).not.toHaveProperty('data');
  });
});

describe('a ceiling', () => {
  const levels: readonly (Capture | undefined)[] = ['none', 'metadata', 'redacted', 'full', undefined];
  const expected: Record<string, readonly (Capture | undefined)[]> = {
    none: ['none', 'none', 'none', 'none', 'none'],
    metadata: ['none', 'metadata', 'metadata', 'metadata', 'metadata'],
    redacted: ['none', 'metadata', 'redacted', 'redacted', 'redacted'],
    full: ['none', 'metadata', 'metadata', 'full', 'full'],
    absent: ['none', undefined, undefined, undefined, undefined],
  };
  for (const [level, outcomes] of Object.entries(expected)) {
    it(`lowers an Event at ${level} and never raises it, live and replayed alike [B-102, B-139, B-140, B-142, B-143, B-144, B-146, E-100, E-103, E-105, E-107]`, async () => {
      const it = bench();
      const event = outcome(level === 'absent' ? undefined : (level as Capture), level === 'none' ? { data: undefined } : {});
      const live = levels.map((ceiling) => watch(it, {}, ceiling));
      await it.publish(event);
      const replayed = levels.map((ceiling) => {
        const sink = new TestSink();
        it.hub.connect({ sink, principal: EVERYTHING }).subscribe({ id: 's', from: 'all', ...(ceiling === undefined ? {} : { capture: ceiling }) });
        return sink;
      });
      await settle();
      expect(live.map((sink) => sink.events[0]?.event.capture)).toEqual(outcomes);
      expect(replayed.map((sink) => sink.events[0]?.json)).toEqual(live.map((sink) => sink.events[0]?.json));
      for (const sink of live) {
        const got = sink.events[0]!;
        if (got.event.capture === event.event.capture) expect(got).toBe(event);
        else expect(got.event.data === undefined).toBe(got.event.capture === 'none');
      }
    });
  }

  it('is put on behind the filter: that sees the level as stored', async () => {
    const it = bench();
    const sink = watch(it, { capture: 'full' }, 'metadata');
    await it.publish(outcome('full'), outcome('metadata'));
    expect(sink.events.map(({ event }) => event.capture)).toEqual(['metadata']);
  });

  it('that an Event cannot be lowered to ends its consumers, and nobody else', async () => {
    const incidents: unknown[] = [];
    const it = bench({ onIncident: (incident) => incidents.push(incident) });
    const [open, gated] = [watch(it), watch(it, {}, 'metadata')];
    const good = outcome('full');
    const lying: WireEvent = { event: good.event, json: '[]' };
    await it.publish(lying);
    expect(open.events).toEqual([lying]);
    expect(gated.seen).toEqual([{ type: 'close', reason: 'internal-error', delivered: [] }]);
    expect(incidents).toHaveLength(1);
  });
});

describe('sharing', () => {
  it('gives consumers of the same Events one batch, whatever their filters and ceilings, encoded once per encoder', async () => {
    const { hub, publish } = bench();
    const requests = [{}, { filter: { value: { agent: 'a1' } } }, { filter: { value: { type: 'tool.*' } }, capture: 'full' }, { capture: 'redacted' }];
    const sinks = requests.map((request) => {
      const sink = new BatchSink();
      hub.connect({ sink, principal: EVERYTHING }).subscribe({ id: 's', ...request });
      return sink;
    });
    const odd = new BatchSink();
    hub.connect({ sink: odd, principal: EVERYTHING }).subscribe({ id: 's', filter: { value: { severity: 'error' } } });
    const events = [buildWire(), buildWire({ severity: 'error' }), buildWire()];
    await publish(...events);
    const batches = sinks.map((sink) => sink.batches[0]!);
    expect(new Set(batches).size).toBe(1);
    let calls = 0;
    const encoder: Encoder = (event) => {
      calls++;
      return textEncoder(event);
    };
    const bytes = batches.map((batch) => batch.encoded(encoder));
    expect(new Set(bytes).size).toBe(1);
    expect(new TextDecoder().decode(bytes[0])).toBe(events.map(({ json }) => `${json}\n`).join(''));
    // One Event stands in two batches; its frame is made once all the same.
    odd.batches[0]!.encoded(encoder);
    expect(calls).toBe(3);
    expect(batches[0]!.encoded(textEncoder)).not.toBe(bytes[0]);
  });

  it('encodes what one batch alone holds together, where a frame is a text', async () => {
    const { hub, publish } = bench();
    const sink = new BatchSink();
    hub.connect({ sink, principal: EVERYTHING }).subscribe({ id: 's' });
    const events = [buildWire(), buildWire(), buildWire({ agent: 'ä' })];
    await publish(...events);
    let frames = 0;
    const frame: Encoder = (event) => {
      frames++;
      return textEncoder(event);
    };
    const encoder: Encoder = Object.assign(frame, { text: ({ json }: { readonly json: string }) => `${json}\n` });
    const bytes = sink.batches[0]!.encoded(encoder);
    expect(new TextDecoder().decode(bytes)).toBe(events.map(({ json }) => `${json}\n`).join(''));
    expect([frames, sink.batches[0]!.encoded(encoder) === bytes]).toEqual([0, true]);
  });

  it('lowers an Event once per ceiling', async () => {
    const it = bench();
    const sinks = [watch(it, {}, 'metadata'), watch(it, { agent: 'a1' }, 'metadata'), watch(it, {}, 'none')];
    await it.publish(outcome('full'));
    const [first, second, third] = sinks.map((sink) => sink.events[0]);
    expect(first).toBe(second);
    expect(third).not.toBe(first);
  });
});

describe('a sink', () => {
  it('that throws is closed, and disturbs neither the writer nor the others', async () => {
    const incidents: unknown[] = [];
    const it = bench({ onIncident: (incident) => incidents.push(incident) });
    const bad = watch(it);
    const good = watch(it);
    bad.onWrite = () => {
      throw new Error('boom');
    };
    expect(await it.publish(buildWire())).toEqual(['admitted']);
    await it.publish(buildWire());
    expect(good.events).toHaveLength(2);
    expect(bad.closing?.reason).toBe('internal-error');
    expect(incidents).toMatchObject([{ type: 'sink-failed' }]);
    expect(it.hub.stats()).toMatchObject({ connections: 1, incidents: 1, closed: { 'internal-error': 1 } });
  });

  it('may subscribe while it is written to: the new subscription has the batch in its replay, and not live as well [B-215]', async () => {
    const { hub, publish } = bench();
    const sinks = [new TestSink(), new TestSink()];
    const connections = sinks.map((sink) => hub.connect({ sink, principal: EVERYTHING }));
    for (const connection of connections) connection.subscribe({ id: 'a', filter: { value: { agent: 'a1' } } });
    let asked = false;
    sinks[0]!.onWrite = () => {
      if (asked) return;
      asked = true;
      // The second connection is still to be served by the running fan-out.
      for (const connection of connections) connection.subscribe({ id: 'b', filter: { value: { agent: 'b1' } }, from: 'all' });
    };
    const wires = [buildWire({ agent: 'a1' }), buildWire({ agent: 'b1' })];
    await publish(...wires);
    await settle();
    await publish(buildWire({ agent: 'b1', id: 'later' }));
    await settle();
    for (const sink of sinks) expect(sink.ids).toEqual([...wires.map(({ event }) => event.id), 'later']);
  });

  it('may unsubscribe or close while it is written to', async () => {
    const it = bench();
    const { hub, log } = it;
    const sink = new TestSink();
    const connection = hub.connect({ sink, principal: EVERYTHING });
    connection.subscribe({ id: 'a' });
    const other = new TestSink();
    const otherConnection = hub.connect({ sink: other, principal: EVERYTHING });
    otherConnection.subscribe({ id: 'a' });
    sink.onWrite = () => {
      connection.close();
      otherConnection.close();
    };
    const receipt = hub.ingest([buildWire()], POST);
    log.commit();
    await receipt;
    expect(sink.events).toHaveLength(1);
    expect(other.seen).toEqual([]);
    expect(hub.stats()).toMatchObject({ connections: 0, subscriptions: 0, closed: { peer: 2 } });
  });
});

describe('matching', () => {
  it('never looks into data [B-120, E-006]', async () => {
    const it = bench();
    const sink = watch(it, { tool: 'shell' });
    await it.publish(buildWire({ data: { tool: 'shell' } }), buildWire({ tool: 'shell' }));
    expect(sink.events.map(({ event }) => (event as AepEvent & { tool?: string }).tool)).toEqual(['shell']);
  });
});
