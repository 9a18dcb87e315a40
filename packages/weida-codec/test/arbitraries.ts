import fc from 'fast-check';

import { beyondCore, guaranteeIssue, MAX_UINT, type CursorRecord, type DataFrame, type Frame, type GuaranteeSet, type Uint } from '../src/index.js';

/** Unsigned integers as a decoder gives them, with the borders of every width. */
export const arbitraryUint: fc.Arbitrary<Uint> = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 300 }) },
  fc.maxSafeNat(),
  fc.constantFrom<Uint>(0, 23, 24, 255, 256, 65_535, 65_536, 4_294_967_295, 4_294_967_296, Number.MAX_SAFE_INTEGER, 2n ** 53n, 2n ** 62n, MAX_UINT),
  fc.bigInt({ min: 2n ** 53n, max: MAX_UINT }),
);

/** Records as a decoder makes them: with the prototype of every object. */
function record<T extends object>(members: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<T> {
  return fc.record(members, { noNullPrototype: true }) as fc.Arbitrary<T>;
}

const octets = (text: string): number => new TextEncoder().encode(text).length;

export function arbitraryText(cap: number): fc.Arbitrary<string> {
  return fc
    .oneof(fc.string({ maxLength: 20 }), fc.string({ unit: 'binary', maxLength: 40 }), fc.constantFrom('', '/t', '/md', '\uFEFF', '日本', 'a'.repeat(cap)), fc.string({ maxLength: cap }))
    .filter((text) => octets(text) <= cap);
}

const segment = fc.oneof(fc.constantFrom('', 'a', 'b', '*', 'px', 'é'), fc.string({ maxLength: 4 }).map((text) => text.replaceAll(/[.*#]/g, '_')));

export const arbitraryFilter: fc.Arbitrary<string> = fc
  .tuple(fc.array(segment, { maxLength: 6 }), fc.boolean())
  .map(([segments, rest]) => [...segments, ...(rest ? ['#'] : [])].join('.'));

export const arbitraryTopic: fc.Arbitrary<string> = fc
  .array(fc.oneof(fc.constantFrom('', 'a', 'b', '*', '#', 'px', 'é'), fc.string({ maxLength: 4 }).map((text) => text.replaceAll('.', '_'))), { minLength: 1, maxLength: 7 })
  .map((segments) => segments.join('.'));

const level = (most: number): fc.Arbitrary<number | undefined> => fc.option(fc.integer({ min: 0, max: most }), { nil: undefined });

/** Guarantee sets without a fault, as a decoder gives them. */
export const arbitrarySet: fc.Arbitrary<GuaranteeSet> = record({
    delivery: level(2),
    acknowledgement: level(5),
    durability: level(1),
    replicas: fc.option(fc.integer({ min: 2, max: 5 }), { nil: undefined }),
    ordering: level(4),
    deduplication: level(2),
    dedupWindowMs: fc.option(arbitraryUint, { nil: undefined }),
    backpressure: level(4),
    producerNaming: level(1),
    controlIsolated: level(1),
  })
  .map((set): GuaranteeSet => {
    const { acknowledgement, deduplication } = set;
    const mended = {
      ...set,
      durability: acknowledgement === 3 || acknowledgement === 4 ? set.durability : undefined,
      replicas: acknowledgement === 4 ? set.replicas : undefined,
      dedupWindowMs: deduplication === 1 ? (set.dedupWindowMs ?? 1000) : undefined,
      backpressure: set.backpressure === 4 && set.ordering === 2 ? undefined : set.backpressure,
    };
    return Object.fromEntries(Object.entries(mended).filter(([, value]) => value !== undefined));
  })
  .filter((set) => guaranteeIssue(set) === undefined);

const levels = fc
  .uniqueArray(fc.oneof(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 16, max: 40 }), arbitraryUint.filter((value) => value >= 16)), { minLength: 1, maxLength: 16 })
  .map((list) => list.sort((a, b) => (a < b ? -1 : 1)));

function present<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as T;
}

const opt = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(arbitrary, { nil: undefined });
const list = fc.array(arbitraryUint, { maxLength: 64, size: 'small' });

const arbitraryData: fc.Arbitrary<Frame> = record({
    kind: fc.constant('DATA' as const),
    endpoint: opt(arbitraryText(512)),
    contentLen: opt(arbitraryUint),
    contentType: opt(arbitraryText(256)),
    traceparent: opt(arbitraryText(128)),
    tracestate: opt(arbitraryText(512)),
    topic: opt(arbitraryText(256)),
    sequence: opt(arbitraryUint),
    producer: opt(fc.uint8Array({ minLength: 32, maxLength: 32 })),
    achieved: opt(fc.constantFrom(0, 1, 2, 3, 4, 5)),
    order: opt(record({ reportId: arbitraryUint.filter((id) => id > 0), report: levels })),
    reportMode: opt(fc.constant(1)),
    deliveryAttempt: opt(arbitraryUint.filter((attempt) => attempt > 1)),
  })
  .map(({ order, ...rest }) => present({ ...rest, ...order }) as DataFrame);

/** Frames as a decoder gives them. */
export const arbitraryFrame: fc.Arbitrary<Frame> = fc.oneof(
  { weight: 4, arbitrary: arbitraryData },
  record({ maxHeaderBytes: arbitraryUint, maxTransfers: arbitraryUint, versions: list, capabilities: list, requiredCapabilities: list, set: opt(arbitrarySet), require: fc.boolean() })
    .map(({ set, require, ...rest }): Frame => {
      const guarantees = set && beyondCore(set);
      const declared = guarantees !== undefined && Object.keys(guarantees).length > 0;
      const besideCore = declared && (guarantees.acknowledgement === 0 || guarantees.backpressure !== undefined || guarantees.producerNaming !== undefined);
      return { kind: 'HELLO', ...rest, ...(declared && { guaranteesOffered: guarantees }), ...(declared && (require || besideCore) && { guaranteesRequired: guarantees }) };
    }),
  record({ code: arbitraryUint, message: opt(arbitraryText(1024)) }).map((fields): Frame => present({ kind: 'ERROR', ...fields })),
  record({ kind: fc.constantFrom('SUBSCRIBE' as const, 'UNSUBSCRIBE' as const), endpoint: arbitraryText(512), filter: arbitraryFilter })
    .map((fields) => fields as Frame),
  record({ endpoint: arbitraryText(512), filter: arbitraryFilter, limit: arbitraryUint }).map((fields): Frame => ({ kind: 'CREDIT', ...fields })),
  arbitraryUint.filter((id) => id > 0).map((reportId): Frame => ({ kind: 'CURSOR', reportId })),
);

const varint = fc.oneof(fc.integer({ min: 0, max: 70 }), fc.maxSafeNat(), fc.bigInt({ min: 2n ** 53n, max: 2n ** 62n - 1n }));

export const arbitraryRecord: fc.Arbitrary<CursorRecord> = record({ level: varint.filter((value) => value <= 5 || value >= 16), offset: varint });
