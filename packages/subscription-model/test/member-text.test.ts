import fc from 'fast-check';
import { buildWire } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { memberText, onOneLine, withMember } from '../src/member-text.js';
import { eventLogStream, SubscriptionConsumer, SubscriptionProducer, type EventItem, type EventLogLike, type LogBatch } from '../src/index.js';
import { message, rig } from './support.js';

const HUGE = '{"n":12345678901234567890,"small":1e-400,"z":-0,"f":1.0,"t":"\\u00e9\\ud83d\\ude00/"}';

describe('the text of a member', () => {
  it('is found and replaced in any spelling of any object', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue(), { minKeys: 1 }), fc.integer({ min: 0, max: 3 }), fc.jsonValue(), (object, indent, other) => {
        const copy = JSON.parse(JSON.stringify(object)) as Record<string, unknown>;
        const text = JSON.stringify(copy, undefined, indent);
        for (const name of Object.keys(copy)) {
          expect(JSON.parse(memberText(text, name) ?? '')).toEqual(copy[name]);
          const changed = JSON.parse(withMember(text, name, JSON.stringify(other))) as Record<string, unknown>;
          const expected = Object.entries(copy).map(([key, value]) => [key, key === name ? (JSON.parse(JSON.stringify(other)) as unknown) : value]);
          expect(Object.entries(changed)).toEqual(expected);
        }
        if (Object.hasOwn(copy, 'delivery')) return;
        expect(memberText(text, 'delivery')).toBeUndefined();
        expect(JSON.parse(withMember(text, 'delivery', '7'))).toEqual({ ...copy, delivery: 7 });
      }),
    );
  });

  it('is that of the name, however it is written, on the first level alone', () => {
    const text = '{ "a" : {"delivery":1, "}":"\\\\\\""} , "d\\u0065livery"\t: [ 1 , "]" ] , "b":2 }';
    expect(memberText(text, 'delivery')).toBe('[ 1 , "]" ]');
    expect(withMember(text, 'delivery', '{}')).toBe('{ "a" : {"delivery":1, "}":"\\\\\\""} , "d\\u0065livery"\t: {} , "b":2 }');
    expect([memberText(text, 'b'), memberText(text, '}'), memberText('{"s":"x"}', 's')]).toEqual(['2', undefined, '"x"']);
    expect(onOneLine('\r\n{"a":\n\r\n1}\n')).toBe('{"a": 1}');
  });
});

describe('what comes as text', () => {
  it('is delivered as it is spelled but for its delivery, live, replayed and delivered again', async () => {
    const { producer, peer, clock } = rig();
    const text = ` {"payload":${HUGE},\n"delivery":{"mode":"best_effort","cursor":"old","retry":{"max":1}},"id":"e1","type":"memory.x","source":"m","aep_version":"0.1","created_at":"2026-01-01T00:00:00Z","odd":1E2}\n`;
    const one = peer().open();
    one.subscribe({ types: '*', delivery_mode: 'at_least_once' });
    producer.publish(text);
    await clock.advance(31_000);
    const two = peer().open();
    two.subscribe({ types: '*', from_cursor: 'stream_01:0' });
    const line = (mode: string): string =>
      `{"payload":${HUGE}, "delivery":{"retry":{"max":1},"mode":"${mode}","sequence":1,"cursor":"stream_01:1"},"id":"e1","type":"memory.x","source":"m","aep_version":"0.1","created_at":"2026-01-01T00:00:00Z","odd":1E2}`;
    expect(one.texts.filter((each) => each.includes('"e1","type"'))).toEqual([line('at_least_once'), line('at_least_once')]);
    expect(two.texts.filter((each) => each.includes('"e1","type"'))).toEqual([line('best_effort')]);
  });

  it('is as strict as what comes from a peer', () => {
    const { producer } = rig();
    expect(() => producer.publish('{"aep_version":"0.1"}')).toThrow(expect.objectContaining({ code: 'missing-field' }));
    expect(() => producer.publish(JSON.stringify(message({ type: 'event.acknowledged' })))).toThrow(expect.objectContaining({ code: 'reserved-type' }));
    expect(() => producer.publish('{"a":1,"a":2}')).toThrow(expect.objectContaining({ code: 'invalid-json' }));
  });

  it('passes from a peer over its producer to a consumer, to the letter', () => {
    const relay = new SubscriptionProducer({ source: 'relay', onMessage: (_message, { text }) => void relay.publish(text) });
    const items: EventItem[] = [];
    for (const bytes of [false, true]) {
      const consumer: SubscriptionConsumer = new SubscriptionConsumer({
        source: 'a',
        send: (text) => connection.receive(text),
        onItem: (item) => {
          if (item.type === 'event') items.push(item);
        },
      });
      const connection = relay.connect({
        transport: 't',
        send(text) {
          consumer.receive(bytes ? new TextEncoder().encode(text) : text);
          return true;
        },
      });
      consumer.open();
      consumer.subscribe({ types: 'memory.*' });
    }
    const peer = relay.connect({ transport: 't', send: () => true });
    const text = JSON.stringify(message({ payload: 0 })).replace('"payload":0', `"payload":${HUGE}`);
    peer.receive(new TextEncoder().encode(text));
    expect(items.map((item) => memberText(item.text, 'payload'))).toEqual([HUGE, HUGE]);
  });

  it('is the data of an Event in a log, to the letter', () => {
    let commit: (batch: LogBatch) => void = () => undefined;
    const log: EventLogLike = { mark: () => 0, onCommit: (listener) => ((commit = listener), () => undefined), replay: () => ({}) as never };
    const { peer } = rig({ stream: eventLogStream(log, { id: 'log' }) });
    const one = peer().open();
    one.subscribe({ types: '*' });
    const { event, json } = buildWire({ id: 'e-1', data: { n: 1 } });
    const spelled = json.replace('{"n":1}', HUGE);
    expect(spelled).not.toBe(json);
    commit({ events: [{ event, json: spelled }], admissions: ['admitted'], mark: 1 });
    expect(memberText(one.texts.at(-1) ?? '', 'payload')).toBe(HUGE);
    expect(one.all.at(-1)).toMatchObject({ source: event.source, delivery: { mode: 'best_effort', cursor: 'log:0+1' } });
  });
});
