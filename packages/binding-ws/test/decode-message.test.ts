import { buildWire } from '@aepkit/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { decodeMessage } from '../src/decode-message.js';
import { encodeFrame } from '../src/encode-frame.js';
import { FRAME_TYPES, type Frame } from '../src/frame.js';

const EVENT = buildWire({ id: 'e' }).json;
const FRAMES: readonly Frame[] = [
  { type: 'hello', versions: ['0.1'], role: 'both', identity: { agent: 'a', instance: 'i', card: null }, capabilities: { filters: ['attr-match'], n: 12345678901234567890n } },
  { type: 'subscribe', id: 's', filter: { severity: { gte: 'error' }, acmecount: 9007199254740993n }, from: [{ session: 'x', epoch: 0, seq: 1 }], capture: 'none' },
  { type: 'subscribed', id: 's' },
  { type: 'unsubscribe', id: 's' },
  { type: 'unsubscribed', id: 's' },
  { type: 'roster', id: 'r' },
  { type: 'roster', id: 'r', entries: [{ session: 's', agent: 'a', control: { accepts: [] } }] },
  { type: 'error', code: 'x', id: 'i', cause: 'c', versions: ['0.1'], detail: 'd' },
  { type: 'replay-exhausted', sub: 's', session: 'x', earliest: { epoch: 1, seq: 2 } },
  { type: 'closing', reason: 'shutdown', delivered: [{ sub: 's', session: 'x', epoch: 1, seq: 2 }] },
  { type: 'ping', t: [1, 'x', null] },
  { type: 'pong' },
];

describe('decodeMessage', () => {
  it('knows these frames [B-007]', () => {
    expect(FRAME_TYPES).toEqual(['hello', 'subscribe', 'subscribed', 'unsubscribe', 'unsubscribed', 'roster', 'error', 'replay-exhausted', 'closing', 'ping', 'pong']);
    expect(new Set(FRAMES.map(({ type }) => type))).toEqual(new Set(FRAME_TYPES));
  });

  it.each(FRAMES.map((frame) => [frame.type, frame]))('reads what encodeFrame writes: %s [B-007]', (_, frame) => {
    const text = encodeFrame(frame);
    expect(decodeMessage(text)).toEqual({ type: 'frame', frame });
    expect(decodeMessage(new TextEncoder().encode(text))).toEqual({ type: 'frame', frame });
    expect(text).toBe(encodeFrame(frame));
  });

  it('reads an Event and keeps its text, wherever its members stand [B-004, B-006]', () => {
    const big = EVENT.replace('"data":{', '"data":{"n":1e400,"m":12345678901234567890,');
    expect(decodeMessage(big)).toMatchObject({ type: 'event', wire: { json: big } });
    const escaped = EVENT.replace('"aep"', '"\\u0061ep"');
    expect(decodeMessage(escaped)).toMatchObject({ type: 'event', wire: { json: escaped, event: { aep: '0.1' } } });
    expect(decodeMessage(`\n ${EVENT}\t`)).toMatchObject({ type: 'event', wire: { json: EVENT } });
  });

  it('does not take a frame for an Event because it mentions one [B-006]', () => {
    expect(decodeMessage('{"type":"ping","aep":"0.1","t":"tool.requested"}')).toEqual({ type: 'frame', frame: { type: 'ping', t: 'tool.requested' } });
    expect(decodeMessage('{"type":"later","aep":"0.1"}')).toEqual({ type: 'unknown' });
  });

  it.each([
    ['', 'invalid-message'],
    ['x', 'invalid-message'],
    ['{', 'invalid-message'],
    ['null', 'invalid-message'],
    ['1', 'invalid-message'],
    ['"hello"', 'invalid-message'],
    ['[{"type":"ping"}]', 'invalid-message'],
    ['{}', 'invalid-message'],
    ['{"type":null}', 'invalid-message'],
    ['{"type":["ping"]}', 'invalid-message'],
    ['{"type":"ping"}{"type":"ping"}', 'invalid-message'],
    ['\uFEFF{"type":"ping"}', 'invalid-message'],
    ['{"__proto__":{"type":"ping"}}', 'invalid-message'],
    ['{"type":"ping","type":"ping"}', 'invalid-request'],
    ['{"type":"ping","t":"\\ud800"}', 'invalid-request'],
    [`{"type":"ping","t":${'['.repeat(64)}${']'.repeat(64)}}`, 'invalid-request'],
    ['{"type":"subscribe","id":"a","id":"b"}', 'invalid-filter'],
    ['{"type":"subscribe"}', 'invalid-filter'],
    ['{"type":"subscribe","__proto__":{"id":"x"}}', 'invalid-filter'],
    ['{"type":"hello","role":"consumer"}', 'version-unsupported'],
    ['{"type":"hello","versions":["0.1"],"role":"boss"}', 'invalid-hello'],
    ['{"type":"hello","versions":["0.1"],"role":"consumer","a":1,"a":2}', 'invalid-hello'],
    ['{"type":"unsubscribe"}', 'invalid-request'],
    ['{"type":"subscribed","id":1}', 'invalid-request'],
    ['{"type":"roster","id":"r","entries":[{}]}', 'invalid-request'],
    ['{"type":"roster","id":"r","entries":{}}', 'invalid-request'],
    ['{"type":"error"}', 'invalid-request'],
    ['{"type":"replay-exhausted","sub":"s","session":"x","earliest":{"epoch":0}}', 'invalid-request'],
    ['{"type":"replay-exhausted","sub":"s","session":"x","earliest":{"epoch":0,"seq":-1}}', 'invalid-request'],
    ['{"type":"replay-exhausted","sub":"s","session":"","earliest":{"epoch":0,"seq":1}}', 'invalid-request'],
    ['{"type":"tool.requested"}', 'invalid-event'],
    ['{"type":"a.b","aep":"0.1"}', 'invalid-event'],
    ['{"type":"."}', 'invalid-event'],
    ['{"type":"tool.requested","type":"tool.requested"}', 'invalid-event'],
  ])('finds the fault of %j: %s', (text, code) => {
    expect(decodeMessage(text)).toMatchObject({ type: 'fault', code });
  });

  it('names the id of what is at fault, and no other part of it', () => {
    expect(decodeMessage('{"type":"tool.requested","id":"e1","data":{"secret":"s3cr3t"}}')).toEqual({ type: 'fault', code: 'invalid-event', cause: 'e1', detail: expect.not.stringContaining('s3cr3t') });
    expect(decodeMessage('{"type":"subscribe","id":"s","filter":{"a":"s3cr3t","a":1}}')).toEqual({ type: 'fault', code: 'invalid-filter', frame: 'subscribe', id: 's', detail: expect.not.stringContaining('s3cr3t') });
    for (const id of ['7', '""', `"${'x'.repeat(1_025)}"`, '"\\ud800"']) {
      expect(decodeMessage(`{"type":"tool.requested","id":${id}}`)).toEqual({ type: 'fault', code: 'invalid-event', detail: expect.any(String) });
    }
  });

  it('looks at own members only', () => {
    Object.defineProperty(Object.prototype, 'id', { value: 'inherited', configurable: true });
    try {
      expect(decodeMessage('{"type":"subscribe"}')).toMatchObject({ type: 'fault', code: 'invalid-filter' });
      expect(Object.hasOwn(decodeMessage('{"type":"error","code":"x"}'), 'id')).toBe(false);
    } finally {
      Reflect.deleteProperty(Object.prototype, 'id');
    }
  });

  it('refuses bytes that are no UTF-8', () => {
    for (const bytes of [[0xff], [0x22, 0xc3], [0xed, 0xa0, 0x80], [0xc0, 0x80]]) expect(decodeMessage(new Uint8Array(bytes))).toMatchObject({ type: 'fault', code: 'invalid-message' });
  });

  it('bounds an Event by its bytes', () => {
    const text = buildWire({ id: 'e', data: { text: 'é'.repeat(100) } }).json;
    const bytes = Buffer.byteLength(text);
    expect(decodeMessage(text, { maxEventBytes: bytes })).toMatchObject({ type: 'event' });
    expect(decodeMessage(text, { maxEventBytes: bytes - 1 })).toMatchObject({ type: 'fault', code: 'invalid-event', cause: 'e' });
    expect(decodeMessage(JSON.stringify({ type: 'ping', t: 'x'.repeat(500) }), { maxEventBytes: 100 })).toMatchObject({ type: 'frame' });
    const large = text.replace('é', 'x'.repeat(1024 * 1024));
    expect(decodeMessage(large)).toMatchObject({ type: 'fault', code: 'invalid-event', cause: 'e' });
    expect(decodeMessage(large, { maxEventBytes: Infinity })).toMatchObject({ type: 'event' });
    expect(decodeMessage(large.replace('"aep"', '"\\u0061ep"'), { maxEventBytes: Infinity })).toMatchObject({ type: 'event' });
  });

  it('bounds frames by their length, and a ping by less, as its answer may be longer', () => {
    const pad = 'x'.repeat(1024 * 1024);
    expect(decodeMessage(JSON.stringify({ type: 'subscribe', id: 's', pad: pad.slice(100) }))).toMatchObject({ type: 'frame' });
    expect(decodeMessage(JSON.stringify({ type: 'subscribe', id: 's', pad }))).toMatchObject({ type: 'fault', code: 'limit-exceeded', id: 's' });
    expect(decodeMessage(JSON.stringify({ type: 'roster', id: 'r', pad }))).toMatchObject({ type: 'fault', code: 'invalid-request', id: 'r' });
    expect(decodeMessage(JSON.stringify({ type: 'later', pad }))).toEqual({ type: 'unknown' });
    expect(decodeMessage(`{"type":"later","a":1,"a":2}`)).toEqual({ type: 'unknown' });
    const ping = (zeros: number): string => `{"type":"ping","t":[${Array.from({ length: zeros }, () => '1e308').join(',')}]}`;
    const read = decodeMessage(ping(10_000));
    expect(read.type === 'frame' ? encodeFrame(read.frame).length : 0).toBe(ping(10_000).length);
    expect(decodeMessage(ping(20_000))).toMatchObject({ type: 'fault', code: 'invalid-request' });
  });

  it('leaves out of a closing what is no position', () => {
    const delivered = [{ sub: 's', session: 'x', epoch: 0, seq: 1 }, null, {}, { sub: 's', session: 'x', epoch: 0, seq: 1.5 }, { sub: 1, session: 'x', epoch: 0, seq: 1 }];
    expect(decodeMessage(JSON.stringify({ type: 'closing', delivered }))).toEqual({ type: 'frame', frame: { type: 'closing', reason: '', delivered: delivered.slice(0, 1) } });
    expect(decodeMessage('{"type":"closing","reason":5,"delivered":7}')).toEqual({ type: 'frame', frame: { type: 'closing', reason: '', delivered: [] } });
  });

  it('leaves out of an error what is of the wrong kind', () => {
    expect(decodeMessage('{"type":"error","code":"x","id":1,"cause":null,"versions":[1],"detail":{}}')).toEqual({ type: 'frame', frame: { type: 'error', code: 'x' } });
  });

  it('gives the same for text and bytes, and never throws', () => {
    const anything = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.json(),
      fc.record({ type: fc.oneof(fc.constantFrom(...FRAME_TYPES, 'a.b', 'tool.requested'), fc.string()), id: fc.anything(), versions: fc.anything(), role: fc.anything() }, { requiredKeys: [] }).map((value) => {
        try {
          return JSON.stringify(value);
        } catch {
          return '';
        }
      }),
    );
    fc.assert(
      fc.property(anything, (text) => {
        const read = decodeMessage(text);
        if (text.isWellFormed()) expect(decodeMessage(new TextEncoder().encode(text))).toEqual(read);
        if (read.type === 'frame') expect(decodeMessage(encodeFrame(read.frame))).toEqual(read);
      }),
      { numRuns: 300 },
    );
  });
});
