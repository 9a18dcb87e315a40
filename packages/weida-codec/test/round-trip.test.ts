import { isDeepStrictEqual } from 'node:util';

import { decode, encode } from 'cborg';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { decodeFrame, decodeHeader, encodeFrame, encodeHeader, encodeRecord, FRAME_KINDS, WeidaError, type Frame, type Uint } from '../src/index.js';
import { arbitraryFrame, arbitraryRecord, arbitrarySet, arbitraryText, arbitraryUint } from './arbitraries.js';
import { hex, readPieces, toHex, VECTORS } from './support.js';

/** 10,000 cases; AEPKIT_RUNS names another number for a long run. */
const numRuns = Number(process.env.AEPKIT_RUNS ?? 10_000);
const timeout = 60_000 + 10 * numRuns;

/** Members by key, written down once more here: what the independent library reads is judged by this table. */
const KEYS: Record<Frame['kind'], readonly string[]> = {
  HELLO: ['versions', 'maxHeaderBytes', 'maxTransfers', 'capabilities', 'requiredCapabilities', 'guaranteesOffered', 'guaranteesRequired'],
  DATA: ['endpoint', 'contentLen', 'contentType', 'traceparent', 'tracestate', 'topic', 'sequence', 'producer', 'achieved', 'reportId', 'report', 'reportMode', 'deliveryAttempt'],
  ERROR: ['code', 'message'],
  SUBSCRIBE: ['endpoint', 'filter'],
  UNSUBSCRIBE: ['endpoint', 'filter'],
  CREDIT: ['endpoint', 'filter', 'limit'],
  CURSOR: ['reportId'],
};
const SET_KEYS = ['delivery', 'acknowledgement', 'durability', 'replicas', 'ordering', 'deduplication', 'dedupWindowMs', 'backpressure', 'producerNaming', 'controlIsolated'];

/** The library drops a byte order mark at the begin of a text; what we give keeps it, and is compared without. */
function withoutMark(frame: Frame): Record<string, unknown> {
  return Object.fromEntries(Object.entries(frame).map(([name, value]) => [name, typeof value === 'string' && value.startsWith('\uFEFF') ? value.slice(1) : (value as unknown)]));
}

function named(map: Map<Uint, unknown>, names: readonly string[]): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [key, value] of map) {
    const name = names[Number(key)];
    if (name !== undefined) fields[name] = value instanceof Map ? named(value as Map<Uint, unknown>, SET_KEYS) : value;
  }
  if (fields.deliveryAttempt === 0) fields.deliveryAttempt = 1;
  return fields;
}

function numbered(fields: object, names: readonly string[]): Map<number, unknown> {
  const entries = Object.entries(fields)
    .filter(([name]) => name !== 'kind')
    .map(([name, value]): [number, unknown] => [names.indexOf(name), value?.constructor === Object ? numbered(value as object, SET_KEYS) : value]);
  return new Map(entries.sort(([a], [b]) => a - b));
}

/** What the independent library reads, or `undefined` where it refuses. */
function independent(octets: Uint8Array): Map<Uint, unknown> | undefined {
  try {
    const map: unknown = decode(octets, { useMaps: true, allowIndefinite: false, rejectDuplicateMapKeys: true, strict: false });
    return map instanceof Map ? (map as Map<Uint, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function ours(kind: Frame['kind'], octets: Uint8Array): Frame | WeidaError {
  try {
    return decodeHeader(kind, octets);
  } catch (error) {
    if (error instanceof WeidaError) return error;
    throw error;
  }
}

/** Strict equality, with the words of `expect` where it does not hold: a million of those would take their time. */
function expectSame(found: unknown, wanted: unknown): void {
  if (!isDeepStrictEqual(found, wanted)) expect(found).toStrictEqual(wanted);
}

const extension: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: 'small', withCrossShrink: true }, arbitraryUint, arbitraryText(100), fc.uint8Array({ maxLength: 40 }), fc.constantFrom(true, false, null, undefined), fc.integer({ min: -1000, max: -1 }), tie('list'), tie('map')),
  list: fc.array(tie('value'), { maxLength: 3 }),
  map: fc.array(fc.tuple(fc.nat(200), tie('value')), { maxLength: 3 }).map((entries) => new Map(entries.sort(([a], [b]) => a - b))),
})).value;

const depthOf = (value: unknown): number => {
  const inside = value instanceof Map ? [...value.values()] : Array.isArray(value) ? value : [];
  return inside.length === 0 ? 0 : 1 + Math.max(...inside.map(depthOf));
};

describe('generated frames', () => {
  it('come back as they were, and so do their octets', { timeout }, () => {
    fc.assert(
      fc.property(arbitraryFrame, fc.uint8Array({ maxLength: 20 }), (frame, payload) => {
        const octets = encodeFrame(frame);
        const whole = new Uint8Array(octets.length + (frame.kind === 'DATA' ? payload.length : 0));
        whole.set(octets);
        whole.set(payload.subarray(0, whole.length - octets.length), octets.length);
        const read = decodeFrame(whole);
        expectSame(read.frame, frame);
        expectSame(toHex(read.payload), toHex(whole.subarray(octets.length)));
        expectSame(toHex(encodeFrame(read.frame)), toHex(octets));
      }),
      { numRuns },
    );
  });

  it('come back as they were, record by record', { timeout }, () => {
    fc.assert(
      fc.property(fc.array(arbitraryRecord, { maxLength: 8 }), (records) => {
        const octets = Uint8Array.from([hex('570603a10001'), ...records.map(encodeRecord)].flatMap((part) => [...part]));
        expect(decodeFrame(octets).records).toStrictEqual(records);
      }),
      { numRuns: numRuns / 10 },
    );
  });
});

describe('an independent CBOR library', () => {
  it('writes the same octets', { timeout }, () => {
    fc.assert(
      fc.property(arbitraryFrame, (frame) => {
        expectSame(toHex(encodeHeader(frame)), toHex(encode(numbered(frame, KEYS[frame.kind]))));
      }),
      { numRuns },
    );
  });

  it('reads the same from every header that both accept, with extensions', { timeout }, () => {
    fc.assert(
      fc.property(arbitraryFrame, fc.array(fc.tuple(fc.integer({ min: 13, max: 1000 }), extension), { maxLength: 3 }), (frame, extensions) => {
        const map = new Map([...numbered(frame, KEYS[frame.kind]), ...extensions.sort(([a], [b]) => a - b)]);
        const octets = encode(map);
        const found = ours(frame.kind, octets);
        if (extensions.some(([, value]) => depthOf(value) > 8)) expect(found).toMatchObject({ code: 'too-deep' });
        else {
          expect(found).toStrictEqual(frame);
          expect(withoutMark(frame)).toEqual({ kind: frame.kind, ...named(independent(octets)!, KEYS[frame.kind]) });
        }
      }),
      { numRuns: numRuns / 2 },
    );
  });

  it('reads the same from every changed header that both accept, and accepts all that we accept', { timeout }, () => {
    const seeds = [...VECTORS.vectors, ...VECTORS.accept].filter(({ frame }) => frame !== 'RECORD').map(({ hex: octets }) => octets);
    const changed = fc.oneof(
      arbitraryFrame.map((frame) => [frame.kind, encodeHeader(frame)] as const),
      fc.constantFrom(...seeds).map((octets) => {
        const stream = hex(octets);
        return [FRAME_KINDS[stream[1]!]!, stream.subarray(stream[2]! < 64 ? 3 : stream[2]! < 128 ? 4 : 6)] as const;
      }),
    );
    const changes = fc.array(fc.tuple(fc.nat(), fc.oneof(fc.nat(255), fc.constantFrom(0x18, 0x1b, 0x60, 0x80, 0xa0, 0xbf, 0xc0, 0xf6, 0xf9, 0xff)), fc.constantFrom('set', 'insert', 'cut', 'flip')), { minLength: 1, maxLength: 3 });
    let both = 0;
    fc.assert(
      fc.property(changed, changes, ([kind, header], list) => {
        const octets = [...header];
        for (const [place, value, way] of list) {
          const at = place % (octets.length + 1);
          if (way === 'set') octets[at] = value;
          else if (way === 'insert') octets.splice(at, 0, value);
          else if (way === 'cut') octets.splice(at, 1);
          else octets[at] = (octets[at] ?? 0) ^ (1 << (value & 7));
        }
        const bytes = Uint8Array.from(octets);
        const found = ours(kind, bytes);
        if (found instanceof WeidaError) return;
        both++;
        const map = independent(bytes);
        expect(map).toBeDefined();
        expect(withoutMark(found)).toEqual({ kind, ...named(map!, KEYS[kind]) });
      }),
      { numRuns: numRuns * 2 },
    );
    expect(both).toBeGreaterThan(numRuns / 20);
  });
});

it('the longest header of every kind comes back', () => {
  const list = Array.from({ length: 64 }, () => 2n ** 64n - 1n);
  const set = { delivery: 2, acknowledgement: 4, durability: 1, replicas: 2n ** 64n - 1n, ordering: 4, deduplication: 1, dedupWindowMs: 2n ** 64n - 1n, backpressure: 4, producerNaming: 1, controlIsolated: 1 } as const;
  const most = 2n ** 64n - 1n;
  const texts = (length: number): string => '\u{10ffff}'.repeat(length / 4);
  const frames: Frame[] = [
    { kind: 'HELLO', versions: list, maxHeaderBytes: most, maxTransfers: most, capabilities: list, requiredCapabilities: list, guaranteesOffered: set, guaranteesRequired: set },
    {
      kind: 'DATA',
      endpoint: texts(512),
      contentLen: most,
      contentType: texts(256),
      traceparent: texts(128),
      tracestate: texts(512),
      topic: texts(256),
      sequence: most,
      producer: new Uint8Array(32).fill(255),
      achieved: 5,
      reportId: most,
      report: Array.from({ length: 16 }, (_, i) => most - 15n + BigInt(i)),
      reportMode: 1,
      deliveryAttempt: most,
    },
    { kind: 'ERROR', code: most, message: texts(1024) },
    { kind: 'CREDIT', endpoint: texts(512), filter: texts(256), limit: most },
  ];
  for (const frame of frames) {
    const octets = encodeFrame(frame);
    expect(decodeFrame(octets).frame).toStrictEqual(frame);
    expect(octets.length).toBeLessThan(2200);
  }
});

it('a guarantee set comes back without what stands at core', () => {
  fc.assert(
    fc.property(arbitrarySet, (set) => {
      const least = { acknowledgement: 0, backpressure: set.backpressure, producerNaming: set.producerNaming } as const;
      const hello = { kind: 'HELLO', versions: [0], maxHeaderBytes: 1, maxTransfers: 1, capabilities: [], requiredCapabilities: [], guaranteesOffered: set, guaranteesRequired: least } as const;
      const octets = encodeFrame(hello);
      expect(toHex(encodeFrame(readPieces([octets]).frame!))).toBe(toHex(octets));
    }),
    { numRuns: 2000 },
  );
});
