import { describe, expect, it } from 'vitest';

import {
  beyondCore,
  decodeFrame,
  encodeFrame,
  encodeRecord,
  LocalPreambleReader,
  negotiate,
  PipeReader,
  TopicFilter,
  TopicFilterIndex,
  WeidaError,
  type CursorRecord,
  type Frame,
  type HelloFrame,
  type Negotiation,
  type PipeEvent,
  type StreamRole,
} from '../src/index.js';
import { errorOf, feedings, fieldsOf, hex, readPieces, toHex, VECTORS, type NegotiationResult, type Vector } from './support.js';

/** A head for records that come without one. */
const HEAD = '570603a10001';
const ofRecords = (vector: Vector): boolean => vector.frame === 'RECORD';
const octetsOf = (vector: Vector): Uint8Array => hex(ofRecords(vector) ? HEAD + vector.hex : vector.hex);
const frameOf = (vector: Vector): Frame => ({ kind: vector.frame, ...fieldsOf(vector.fields) }) as Frame;

function expectRead(vector: Vector, payload = ''): void {
  const records = ofRecords(vector) ? ([vector.fields].flat() as CursorRecord[]) : [];
  const frame = ofRecords(vector) ? { kind: 'CURSOR', reportId: 1 } : frameOf(vector);
  for (const pieces of feedings(octetsOf(vector))) expect(readPieces(pieces)).toStrictEqual({ frame, payload, records });
}

describe('golden vectors', () => {
  it('are 23', () => {
    expect(VECTORS.vectors).toHaveLength(23);
  });

  it.each(VECTORS.vectors)('$name: octets decode to exactly its fields, however they come [W-349]', (vector) => {
    expectRead(vector);
  });

  it.each(VECTORS.vectors)('$name: fields encode to exactly its octets [W-348]', (vector) => {
    const octets = ofRecords(vector) ? encodeRecord(vector.fields as CursorRecord) : encodeFrame(frameOf(vector));
    expect(toHex(octets)).toBe(vector.hex);
  });
});

it.each(VECTORS.accept)('accepts $name, however it comes', (vector) => {
  expectRead(vector, vector.payload_hex);
});

describe('what is refused', () => {
  it.each(VECTORS.reject)('refuses $name, alike however it comes: $rule', (vector) => {
    const octets = octetsOf(vector);
    const whole = readPieces([octets], { fin: vector.fin ?? false });
    expect(whole.error).toBeDefined();
    for (const pieces of feedings(octets)) expect(readPieces(pieces, { fin: vector.fin ?? false }).error).toBe(whole.error);
  });

  it('is refused with the clause that forbids it', () => {
    const clauses = Object.fromEntries(VECTORS.reject.map((vector) => [vector.name, readPieces([octetsOf(vector)], { fin: vector.fin ?? false }).error]));
    expect(clauses).toMatchObject({
      'bad-magic-58': 'bad-magic 0 W-119',
      'unknown-kind-7': 'unknown-kind 1 W-120',
      'header-len-16385': 'header-too-long 2 W-115',
      'header-len-max-varint': 'header-too-long 2 W-115',
      'header-is-uint': 'not-a-map 3 W-121',
      'trailing-second-map': 'trailing-bytes 8 W-172',
      'map-count-bomb': 'malformed 3 W-121',
      'text-length-bomb': 'too-long 5 W-126',
      'duplicate-key-extension': 'duplicate-key 7 W-123',
      'descending-keys': 'key-order 6 W-161',
      'text-key': 'key-type 4 W-124',
      'endpoint-is-uint': 'wrong-type 5 W-125',
      'producer-33-bytes': 'producer-length 5 W-201',
      'tag-epoch': 'tag 6 W-168',
      'depth-32-arrays-skipped': 'too-deep 14 W-158',
      'hello-missing-max-transfers': 'missing-key 3 W-122',
      'report-without-report-id': 'report-pairing 5 W-233',
      'report-level-15': 'undefined-value 7 W-237',
      'record-truncated-at-fin': 'truncated-record 9 W-341',
      'filter-star-suffix': 'filter-wildcard 12 W-275',
      'filter-hash-middle': 'filter-rest 12 W-277',
      'guarantee-replicas-1': 'guarantee-combination 24 W-302',
    });
  });
});

describe('open points take the reading that is recommended', () => {
  it.each(VECTORS.open)('$name: $recommend', (vector) => {
    const octets = hex(vector.hex);
    const whole = readPieces([octets]);
    for (const pieces of feedings(octets)) expect(readPieces(pieces)).toStrictEqual(whole);
    expect(whole.error === undefined ? 'accept' : 'reject').toBe(vector.recommend.startsWith('reject') ? 'reject' : 'accept');
    expect(whole.payload).toBe('');
    if (vector.name === 'delivery-attempt-0') expect(whole.frame).toStrictEqual({ kind: 'DATA', endpoint: '/t', deliveryAttempt: 1 });
    if (vector.name.startsWith('non-minimal')) expect(whole.frame).toMatchObject({ endpoint: '/t' });
  });
});

describe('the stream decides', () => {
  const ROLES: Record<string, StreamRole> = { uni: 'uni', 'bidi-initiating': 'initiating', 'bidi-reply': 'reply' };

  it.each(VECTORS.context)('$name: $outcome', ({ stream, hex: octets, outcome }) => {
    for (const pieces of feedings(hex(octets))) {
      const { error, frame } = readPieces(pieces, { stream: ROLES[stream]! });
      if (outcome === 'PROTOCOL_VIOLATION') expect(error).toMatch(/^(frame-not-allowed|missing-endpoint) /);
      else expect([error, frame]).toEqual([undefined, expect.anything()]);
    }
  });
});

describe('topic filters', () => {
  it.each(VECTORS.match)('$filter on $topic: $match', ({ filter, topic, match }) => {
    const parsed = TopicFilter.parse(filter);
    expect(parsed.matches(topic)).toBe(match);
    const index = new TopicFilterIndex<number>();
    index.add(parsed, 1);
    expect(index.match(topic)).toEqual(match ? [1] : []);
  });

  it.each(VECTORS.invalid_filters)('refuses the filter %s', (filter) => {
    expect(errorOf(() => TopicFilter.parse(filter)).code).toMatch(/^filter-/);
  });
});

describe('negotiation', () => {
  const REASONS: Record<string, string> = { 'no common version': 'no-common-version', 'required capability': 'required-capability' };
  const camel = (name: string): string => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());

  function expectOutcome(outcome: Negotiation, wanted: NegotiationResult): void {
    if (outcome.ok) {
      expect([outcome.version, outcome.sendMaxHeaderBytes, beyondCore(outcome.guarantees)]).toEqual([wanted.version, wanted.send_max_header_bytes, fieldsOf(wanted.guarantees)]);
      return;
    }
    const [, kind, dimension] = /^(incomparable|requirement not reached):? (\w+)$/.exec(wanted.reason ?? '') ?? [];
    expect([outcome.reason, outcome.dimension]).toEqual(
      kind === undefined ? [REASONS[wanted.reason!], undefined] : [kind.replaceAll(' ', '-'), camel(dimension!)],
    );
  }

  it.each(VECTORS.negotiation)('$name', (vector) => {
    const ours = { kind: 'HELLO', ...fieldsOf(vector.ours) } as HelloFrame;
    const theirs = { kind: 'HELLO', ...fieldsOf(vector.theirs) } as HelloFrame;
    const here = negotiate(ours, theirs);
    const there = negotiate(theirs, ours);
    expect([here.ok, there.ok]).toEqual([vector.ours_result.ok, vector.theirs_result.ok]);
    expect(here.ok && there.ok).toBe(vector.connection_ok);
    expectOutcome(here, vector.ours_result);
    expectOutcome(there, vector.theirs_result);
  });
});

describe('local transports', () => {
  function readPreamble(pieces: Uint8Array[]): unknown {
    const reader = new LocalPreambleReader();
    let rest = '';
    let preamble: Record<string, unknown> | undefined;
    for (const piece of pieces) {
      if (preamble !== undefined) rest += toHex(piece);
      else {
        const found = reader.push(piece);
        if (found === undefined) continue;
        preamble = { ...found.preamble, ...('token' in found.preamble && { token: toHex(found.preamble.token) }) };
        rest += toHex(found.rest);
      }
    }
    return preamble === undefined ? 'incomplete' : [preamble, rest];
  }

  function readPipe(pieces: Uint8Array[]): unknown {
    const reader = new PipeReader();
    let bytes = '';
    let end: Exclude<PipeEvent, { type: 'payload' }> | undefined;
    try {
      for (const piece of pieces) {
        for (const event of reader.push(piece)) {
          if (event.type === 'payload') bytes += toHex(event.bytes);
          else end = event;
        }
      }
    } catch (error) {
      return error instanceof WeidaError ? error.code : error;
    }
    return { bytes, end: end?.type.toUpperCase(), ...(end?.type === 'reset' && { code: end.code }) };
  }

  it.each(VECTORS.local)('$layer $name: $verdict', ({ layer, hex: octets, parsed, verdict }) => {
    for (const pieces of feedings(hex(octets))) {
      if (layer === 'local-preamble') expect(readPreamble(pieces)).toEqual(verdict === 'incomplete' ? 'incomplete' : [parsed, '']);
      else expect(readPipe(pieces)).toEqual(verdict === 'reject' ? 'pipe-chunk' : parsed);
    }
  });
});

it('decodes a whole stream at once as it does in pieces', () => {
  expect(decodeFrame(hex('570108a200622f740118646869'))).toEqual({ frame: { kind: 'DATA', endpoint: '/t', contentLen: 100 }, payload: hex('6869'), records: [] });
});
