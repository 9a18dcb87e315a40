import { parseEvent, wireEvent } from '@aepkit/envelope';
import { buildEvent, buildWire } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { sseEncoder } from '../src/server.js';

const text = (wire: Parameters<typeof sseEncoder>[0]) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(sseEncoder(wire));

describe('sseEncoder', () => {
  it('writes type, text and position in one fixed spelling [B-038, B-039, B-040, B-219]', () => {
    const wire = buildWire({ type: 'run.started', session: 's1', epoch: 2, seq: 7 });
    expect(text(wire)).toBe(`event: run.started\ndata: ${wire.json}\nid: s1:2:7\n\n`);
  });

  it('writes an absent epoch as 0 [B-040]', () => {
    expect(text(buildWire({ seq: 7 }))).toMatch(/\nid: s1:0:7\n\n$/);
  });

  it('gives an agent-scoped Event no id [B-041]', () => {
    const wire = buildWire({ type: 'agent.registered', session: undefined, seq: undefined });
    expect(text(wire)).toBe(`event: agent.registered\ndata: ${wire.json}\n\n`);
  });

  it('gives an Event of a session without seq no id', () => {
    const wire = buildWire({ type: 'control.cancel', seq: undefined });
    expect(text(wire)).toBe(`event: control.cancel\ndata: ${wire.json}\n\n`);
  });

  it('sends the text that was received, byte for byte [B-004, B-005]', () => {
    const json = '{"aep":"0.1","id":"1","type":"x.acme.build.done","time":"2026-01-01T00:00:00Z","source":"s:","agent":"a","session":"s1","seq":1,"acmex":true,"data":{"n":2512292042121000001,"f":1.50e2,"u":"\\u00e9\u2028é🙂"}}';
    expect(text(parseEvent(json))).toBe(`event: x.acme.build.done\ndata: ${json}\nid: s1:0:1\n\n`);
  });

  it('puts an Event with line breaks between its tokens on one line [B-039]', () => {
    const event = buildEvent({ seq: 1, data: { text: 'a\nb\u0085c\u2029d' } });
    const pretty = JSON.stringify(event, undefined, 2).replaceAll('\n', '\r\n');
    const data = text({ event, json: pretty }).split('\n')[1]?.slice('data: '.length);
    expect(JSON.parse(data!)).toEqual(event);
    expect(text({ event, json: pretty })).not.toContain('\r');
  });

  it.each([['s\ndata: {"x":1}\n\nid: y'], ['abc\ndata: injected-event\n\nid: next'], ['0\r\nevent: admin\r\ndata: pwned\r\n\r\n'], ['a\0b'], ['s\revent: x']])(
    'writes one message, whatever the session %j holds',
    (session) => {
      const wire = buildWire({ session, seq: 1 });
      expect(text(wire)).toBe(`event: tool.requested\ndata: ${wire.json}\n\n`);
    },
  );

  it('lets a type that an Event built by hand could hold split nothing', () => {
    const wire = wireEvent(buildEvent({ seq: 1 }));
    const forged = { json: wire.json, event: { ...wire.event, type: 'x\nid: forged\n\ndata: y' } };
    expect(text(forged).split('\n').map((line) => /^\w*/.exec(line)![0])).toEqual(['event', 'data', 'id', '', '']);
    expect(text(forged)).toMatch(/\nid: s1:0:1\n\n$/);
  });
});
