import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';

import {
  belongsToGroup,
  decodeFrame,
  decodeHeader,
  dispatch,
  encodeFrame,
  encodeLocalPreamble,
  encodePipeChunk,
  FanOutBuffer,
  FrameReader,
  FRAME_KINDS,
  hello,
  LocalPreambleReader,
  negotiate,
  PipeReader,
  QueueAccount,
  ReorderBuffer,
  Reports,
  StreamGuard,
  TopicFilter,
  TopicFilterIndex,
  WeidaEncodeError,
  WeidaError,
  type Frame,
  type GuaranteeSet,
  type StreamRole,
} from '../src/index.js';
import { arbitraryFrame } from './arbitraries.js';
import { errorOf, hex, toHex, VECTORS } from './support.js';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const numRuns = Number(process.env.AEPKIT_RUNS ?? 10_000);
const timeout = 60_000 + 10 * numRuns;

/** Octets that count how often they are looked at. */
function counted(octets: Uint8Array): { readonly bytes: Uint8Array; readonly looks: () => number } {
  let looks = 0;
  const bytes = new Proxy(octets, {
    get(target, key) {
      if (typeof key === 'string' && /^\d+$/.test(key)) {
        looks++;
        return target[Number(key)];
      }
      const member: unknown = Reflect.get(target, key, target);
      return typeof member === 'function' ? (member as (...args: unknown[]) => unknown).bind(target) : member;
    },
  });
  return { bytes, looks: () => looks };
}

const repeat = (piece: string, times: number): string => piece.repeat(times);
/** DATA with one extension that fills `length` octets, of this shape. */
const SHAPES: Record<string, (items: number) => string> = {
  'many extension keys': (items) => `b9${items.toString(16).padStart(4, '0')}${Array.from({ length: items }, (_, i) => `19${(i + 256).toString(16).padStart(4, '0')}00`).join('')}`,
  'a wide array': (items) => `a1184099${items.toString(16).padStart(4, '0')}${repeat('00', items)}`,
  'a wide array of empty maps': (items) => `a1184099${items.toString(16).padStart(4, '0')}${repeat('a0', items)}`,
  'a map of many entries': (items) => `a11840b9${items.toString(16).padStart(4, '0')}${repeat('0000', items)}`,
  'many deep arrays': (items) => `a1184099${items.toString(16).padStart(4, '0')}${repeat('8181818181818100', items)}`,
  'a long text of long characters': (items) => `a118407a${(items * 3).toString(16).padStart(8, '0')}${repeat('e697a5', items)}`,
  'a long byte string': (items) => `a118405a${items.toString(16).padStart(8, '0')}${repeat('ff', items)}`,
};

describe('time', () => {
  it.each(Object.entries(SHAPES))('is linear in the header for %s', (_, shape) => {
    const looksAt = (items: number): number => {
      const { bytes, looks } = counted(hex(shape(items)));
      expect(decodeHeader('DATA', bytes)).toEqual({ kind: 'DATA' });
      return looks();
    };
    const [once, twice] = [looksAt(1500), looksAt(3000)];
    expect(twice).toBeLessThanOrEqual(2.05 * once + 64);
    expect(twice).toBeLessThanOrEqual(6 * hex(shape(3000)).length + 64);
  });

  it('is linear for a header that comes octet by octet: each is copied once', () => {
    let copied = 0;
    const allocate = (length: number): Uint8Array => {
      const memory = new Uint8Array(length);
      const set = memory.set.bind(memory);
      memory.set = (source, offset) => {
        copied += source.length;
        set(source, offset);
      };
      return memory;
    };
    const header = hex(SHAPES['a wide array']!(16_000));
    const reader = new FrameReader({ allocate });
    reader.push(hex(`570180${header.length.toString(16).padStart(6, '0')}`));
    for (let i = 0; i < header.length; i++) reader.push(header.subarray(i, i + 1));
    expect(copied).toBe(header.length);
  });

  it('is linear for payload and for records', () => {
    const looksFor = (count: number): number => {
      const { bytes, looks } = counted(hex(`570603a10001${repeat('024040', count)}`));
      const reader = new FrameReader();
      expect(reader.push(bytes)).toHaveLength(count + 1);
      return looks();
    };
    expect(looksFor(2000)).toBeLessThanOrEqual(2.05 * looksFor(1000));
    const { bytes, looks } = counted(new Uint8Array(100_000));
    const reader = new FrameReader();
    reader.push(hex('570101a0'));
    reader.push(bytes);
    expect(looks()).toBe(0);
  });
});

describe('memory', () => {
  it('is asked for once and within the limit, whatever a peer sends', { timeout }, () => {
    const seeds = [...VECTORS.vectors, ...VECTORS.accept, ...VECTORS.reject].map(({ hex: octets }) => octets).filter((octets) => octets.length > 0);
    const base = fc.oneof(
      fc.constantFrom(...seeds).map(hex),
      arbitraryFrame.map((frame) => encodeFrame(frame)),
      fc.uint8Array({ maxLength: 60 }).map((tail) => Uint8Array.of(0x57, (tail[0] ?? 0) % 8, ...tail)),
    );
    const change = fc.tuple(fc.nat(), fc.oneof(fc.nat(255), fc.constantFrom(0x1b, 0x40, 0x5b, 0x7f, 0x80, 0x9b, 0xbb, 0xbf, 0xc0, 0xff)), fc.constantFrom('set', 'insert', 'cut', 'end'));
    const roles = fc.constantFrom<StreamRole | undefined>(undefined, 'uni', 'initiating', 'reply', 'control', 'transfer', 'reverse');
    let accepted = 0;
    fc.assert(
      fc.property(base, fc.array(change, { maxLength: 4 }), fc.integer({ min: 1, max: 30 }), roles, fc.integer({ min: 1, max: 400 }), (octets, changes, size, stream, maxHeaderBytes) => {
        const mutated = [...octets];
        for (const [place, value, way] of changes) {
          const at = place % (mutated.length + 1);
          if (way === 'set') mutated[at] = value;
          else if (way === 'insert') mutated.splice(at, 0, value);
          else if (way === 'cut') mutated.splice(at, 1);
          else mutated.length = at;
        }
        const asked: number[] = [];
        const reader = new FrameReader({ stream, maxHeaderBytes, allocate: (length) => (asked.push(length), new Uint8Array(length)) });
        let frame: Frame | undefined;
        try {
          for (let i = 0; i < mutated.length; i += size) {
            for (const event of reader.push(Uint8Array.from(mutated.slice(i, i + size)))) if (event.type === 'frame') frame = event.frame;
          }
          reader.end();
          accepted++;
        } catch (error) {
          // Nothing but the error of the package, with a place inside the stream.
          if (!(error instanceof WeidaError)) throw error;
          expect(error.offset).toBeLessThanOrEqual(mutated.length);
          expect(error.clause).toMatch(/^(W-\d{3}|OPEN-\d+)$/);
        }
        expect(asked.length).toBeLessThanOrEqual(1);
        for (const length of asked) expect(length).toBeLessThanOrEqual(Math.min(maxHeaderBytes, 16_384));
        if (frame !== undefined) expect(FRAME_KINDS).toContain(frame.kind);
      }),
      { numRuns: numRuns * 2 },
    );
    expect(accepted).toBeGreaterThan(numRuns / 20);
  });

  it('is not taken from any declared length or count', () => {
    const sizes: unknown[] = [];
    const real = Uint8Array;
    vi.stubGlobal(
      'Uint8Array',
      class extends real {
        constructor(length: number) {
          super(length);
          sizes.push(length);
        }
      },
    );
    const bombs = ['a1005bffffffffffffffff', 'a1007bffffffffffffffff', 'a1075bffffffffffffffff', 'a1075a7fffffff', 'a209010a9bffffffffffffffff', 'a118409bffffffffffffffff', 'a11840bbffffffffffffffff', 'a118405bffffffffffffffff', 'a118407bffffffffffffffff', 'bbffffffffffffffff', 'a1011bffffffffffffffff'];
    const octets = bombs.map((bomb) => Buffer.from(bomb, 'hex'));
    for (const bomb of octets) for (const kind of FRAME_KINDS) errorOfOrFrame(kind, bomb);
    expect(sizes).toEqual([]);
    decodeHeader('DATA', Buffer.from(`a1075820${'11'.repeat(32)}`, 'hex'));
    expect(sizes).toEqual([32]);
  });
});

function errorOfOrFrame(kind: Frame['kind'], octets: Uint8Array): void {
  try {
    decodeHeader(kind, octets);
  } catch (error) {
    if (!(error instanceof WeidaError)) throw error;
  }
}

describe('hostile names', () => {
  it('of topics and paths reach no prototype', () => {
    const index = new TopicFilterIndex<number>();
    for (const [i, filter] of ['__proto__', 'constructor.prototype', 'toString', 'hasOwnProperty.#'].entries()) index.add(TopicFilter.parse(filter), i);
    expect(index.match('__proto__')).toEqual([0]);
    expect(index.match('constructor.prototype')).toEqual([1]);
    expect(index.match('valueOf')).toEqual([]);
    expect(({} as Record<string, unknown>).here).toBeUndefined();
  });

  it('of extension keys become no member', () => {
    expect(Object.keys(decodeHeader('DATA', hex('a2184001190100f6')))).toEqual(['kind']);
  });
});

describe('the index of filters', () => {
  it('costs what it finds: filters that share no segment with a topic are not looked at', () => {
    const index = new TopicFilterIndex<number>();
    for (let i = 0; i < 5000; i++) index.add(TopicFilter.parse(`s${i}.*.temp`), i);
    const get = vi.spyOn(Map.prototype, 'get');
    expect(index.match('s7.x.temp')).toEqual([7]);
    expect(get.mock.calls.length).toBeLessThan(12);
  });

  it('takes the longest filter there is, and a topic of any length', () => {
    const index = new TopicFilterIndex<string>();
    const dots = '.'.repeat(256);
    index.add(TopicFilter.parse(dots), 'dots');
    index.add(TopicFilter.parse(`${'*.'.repeat(127)}#`), 'stars');
    expect(index.match(dots).sort()).toEqual(['dots', 'stars']);
    expect(index.match('x.'.repeat(100_000))).toEqual(['stars']);
  });
});

describe('the codecs of local transports', () => {
  it('refuse with the error of the package and nothing else', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.integer({ min: 1, max: 9 }), (octets, size) => {
        for (const reader of [new PipeReader(), new LocalPreambleReader()]) {
          try {
            for (let i = 0; i < octets.length; i += size) if (reader.push(octets.subarray(i, i + size)) !== undefined && reader instanceof LocalPreambleReader) break;
          } catch (error) {
            expect(error).toBeInstanceOf(WeidaError);
          }
        }
      }),
      { numRuns: 3000 },
    );
  });

  it('keep no octet of a payload', () => {
    const reader = new PipeReader();
    const chunk = hex('0004000000aabb');
    const [event] = reader.push(chunk);
    expect((event as { bytes: Uint8Array }).bytes.buffer).toBe(chunk.buffer);
  });
});

it('an error in one header leaves nothing behind for the next', () => {
  for (const { hex: octets, frame } of VECTORS.reject) if (frame !== 'RECORD') errorOf(() => (new FrameReader().push(hex(octets)), new FrameReader().push(hex('00'))));
  expect(decodeHeader('SUBSCRIBE', hex('a200632f6d64016370782e'))).toEqual({ kind: 'SUBSCRIBE', endpoint: '/md', filter: 'px.' });
  expect(encodeFrame({ kind: 'DATA' })).toEqual(hex('570101a0'));
});

it('an encoder that refuses leaves nothing behind for the next', () => {
  for (const bad of [{ kind: 'DATA', endpoint: 'a', topic: 5 }, { kind: 'HELLO', versions: [0], maxHeaderBytes: -1 }, { kind: 'CREDIT', endpoint: 'a', filter: '*a' }]) expect(() => encodeFrame(bad as unknown as Frame)).toThrow();
  expect(encodeFrame({ kind: 'ERROR', code: 5 })).toEqual(hex('570203a10005'));
});

describe('a mistake of the caller', () => {
  const refused = (call: () => unknown): string => {
    try {
      call();
    } catch (error) {
      if (error instanceof WeidaEncodeError) return `${error.code} ${error.field} ${error.clause}`;
      return error instanceof Error ? error.name : 'not an error';
    }
    return 'nothing';
  };
  const frame = encodeFrame({ kind: 'DATA', endpoint: '/t' });

  it('is not blamed on the peer, and loses nothing in silence: octets come as a Uint8Array', () => {
    const others = [frame.slice().buffer, new DataView(frame.slice().buffer), new Uint16Array(frame), new Int8Array(frame), [...frame], 'W', null, undefined];
    for (const other of others as unknown as Uint8Array[]) {
      for (const call of [
        () => new FrameReader().push(other),
        () => decodeFrame(other),
        () => decodeHeader('DATA', other),
        () => new LocalPreambleReader().push(other),
        () => new PipeReader().push(other),
        () => encodePipeChunk({ type: 'payload', bytes: other }),
      ]) {
        expect(refused(call)).toBe('TypeError');
      }
    }
  });

  it('is not that an array is of another realm, shared, a Buffer, or a view into something larger', () => {
    const shared = new Uint8Array(new SharedArrayBuffer(frame.length));
    shared.set(frame);
    const larger = new Uint8Array(frame.length + 9);
    larger.set(frame, 4);
    const foreign: unknown = Object.setPrototypeOf(frame.slice(), Object.create(Object.getPrototypeOf(Uint8Array.prototype) as object) as object);
    for (const octets of [shared, Buffer.from(frame), larger.subarray(4, 4 + frame.length), foreign as Uint8Array]) {
      expect(new FrameReader().push(octets)).toMatchObject([{ type: 'frame', frame: { endpoint: '/t' } }]);
    }
    const producer: unknown = Object.setPrototypeOf(new Uint8Array(32), Object.create(Object.getPrototypeOf(Uint8Array.prototype) as object) as object);
    expect(toHex(encodeFrame({ kind: 'DATA', producer: producer as Uint8Array }))).toContain('075820');
  });

  it('is a kind, a role, a transfer or an authorization that does not exist; none lets anything in', () => {
    for (const name of ['', 'constructor', '__proto__', 'denied', null] as unknown as never[]) {
      expect(refused(() => decodeHeader(name, frame.subarray(3)))).toBe('TypeError');
      expect(refused(() => new StreamGuard(name))).toBe('TypeError');
      expect(refused(() => encodeFrame({ kind: 'DATA' }, { stream: name }))).toBe('TypeError');
      expect(refused(() => encodeLocalPreamble({ role: name, token: new Uint8Array(16) }))).toBe('TypeError');
      expect(refused(() => dispatch(name, 'puller'))).toBe('TypeError');
      expect(refused(() => dispatch('uni', name))).toBe('TypeError');
      expect(refused(() => dispatch('uni', 'puller', { authorization: name }))).toBe('TypeError');
    }
  });

  it('cannot void an account: what is no number of octets is not charged [W-419]', () => {
    for (const octets of [Number.NaN, -1, 0.5, Infinity, '9', 9n] as number[]) {
      const queue = new QueueAccount({ queueBytes: 600 });
      expect(refused(() => queue.admit({ payloadBytes: octets }))).toBe('RangeError');
      expect(refused(() => queue.admit({ payloadBytes: 0, labelBytes: octets }))).toBe('RangeError');
      expect([queue.bytes, queue.messages]).toEqual([0, 0]);
      const fan = new FanOutBuffer({ subscriberBufferBytes: 600 });
      expect(refused(() => fan.offer(octets))).toBe('RangeError');
      expect(fan.offer(600)).toBe('queued');
      expect(refused(() => fan.release(octets))).toBe('RangeError');
      expect(fan.offer(1)).toBe('dropped');
    }
    const queue = new QueueAccount();
    expect(refused(() => queue.admit({} as { payloadBytes: number }))).toBe('RangeError');
    queue.admit({ payloadBytes: 1 });
    expect(refused(() => queue.settle({ payloadBytes: 2 }))).toBe('RangeError');
    expect([queue.bytes, queue.messages]).toEqual([257, 1]);
  });

  it('cannot order a report that no header carries, nor spend an id on it [W-236, W-237]', () => {
    const reports = new Reports();
    expect(refused(() => reports.order([]))).toBe('invalid-field report OPEN-4');
    for (const level of [6, 15, -1, 0.5, Number.NaN, 2 ** 53, '2']) expect(refused(() => reports.order([2, level as number]))).toBe('invalid-field report W-237');
    expect(refused(() => reports.order(Array.from({ length: 17 }, (_, i) => 16 + i)))).toBe('too-long report W-236');
    expect(reports.size).toBe(0);
    expect(reports.order([2]).reportId).toBe(1);
  });

  it('may be a getter: it encodes a frame of its own, or answers otherwise the second time', () => {
    const outer: Frame = {
      kind: 'DATA',
      endpoint: '/a',
      get topic() {
        expect(toHex(encodeFrame({ kind: 'ERROR', code: 1 }))).toBe('570203a10001');
        return 'x';
      },
    };
    expect(toHex(encodeFrame(outer))).toBe(toHex(encodeFrame({ kind: 'DATA', endpoint: '/a', topic: 'x' })));
    let reads = 0;
    const report = Object.defineProperty([2, 3], 1, { get: () => (reads++ === 0 ? 3 : 'zz') });
    expect(toHex(encodeFrame({ kind: 'DATA', reportId: 1, report }))).toBe('570107a209010a820203');
    expect(refused(() => encodeFrame({ kind: 'DATA', reportId: Symbol('1') as never, report: [2] }))).toBe('invalid-field reportId W-125');
  });

  it('may be a bigint in a guarantee set, which says the same as a number [W-299, W-303, W-305]', () => {
    const offering = (offered: object, required?: object): Frame => ({ ...hello(), guaranteesOffered: offered, guaranteesRequired: required as GuaranteeSet });
    expect(toHex(encodeFrame(offering({ delivery: 0n, acknowledgement: 1n })))).toBe(toHex(encodeFrame(hello())));
    expect(toHex(encodeFrame(offering({ ordering: 1n }, { ordering: 1n })))).toBe(toHex(encodeFrame(offering({ ordering: 1 }, { ordering: 1 }))));
    expect(refused(() => encodeFrame(offering({ backpressure: 4n, ordering: 2n }, { backpressure: 4n })))).toBe('forbidden-combination guaranteesOffered.backpressure W-305');
    expect(refused(() => encodeFrame(offering({ deduplication: 1n })))).toBe('forbidden-combination guaranteesOffered.dedupWindowMs W-303');
    const plain = hello({ offered: { deduplication: 1, dedupWindowMs: 5, backpressure: 2 } });
    const big = hello({ offered: { deduplication: 1n, dedupWindowMs: 5n, backpressure: 2n } as never });
    expect(negotiate(big, plain)).toEqual(negotiate(plain, plain));
    expect(negotiate(plain, big)).toEqual(negotiate(plain, plain));
  });
});

describe('an error of a local layer', () => {
  it('is thrown from then on: nothing behind it is taken for a beginning [W-028, W-054]', () => {
    for (const reader of [new LocalPreambleReader(), new PipeReader()]) {
      const first = errorOf(() => reader.push(hex('09')));
      expect(errorOf(() => reader.push(hex('01')))).toBe(first);
    }
  });

  it('is not needed for a token that is none, and for a peer without a user: neither belongs to anything [W-034, W-035]', () => {
    const group = { token: new Uint8Array(16), credentials: { user: 1 }, live: true };
    expect(belongsToGroup(new Uint8Array(16), { user: 1 }, group)).toBe(true);
    expect(belongsToGroup(new Uint8Array(0), { user: 1 }, { ...group, token: new Uint8Array(0) })).toBe(false);
    const nobody = {} as { user: number };
    expect(belongsToGroup(new Uint8Array(16), nobody, { ...group, credentials: nobody })).toBe(false);
  });
});

it('a reorder buffer without a bound lets a long row go at once, each scope in order', () => {
  const buffer = new ReorderBuffer<number>({ maxHold: Infinity });
  buffer.push('s', 0, 0);
  for (let i = 2; i < 200_000; i++) buffer.push('s', i, i);
  expect(buffer.flush().length).toBe(199_998);
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom('a', 'b'), fc.nat({ max: 12 })), { maxLength: 30 }), (messages) => {
      const held = new ReorderBuffer<number>();
      for (const [i, [scope, sequence]] of messages.entries()) held.push(scope, sequence, i);
      const { size } = held;
      const released = held.flush();
      expect([released.length, held.size]).toEqual([size, 0]);
      for (const scope of ['a', 'b']) {
        const row = released.filter((each) => each.scope === scope).map(({ sequence }) => Number(sequence));
        expect(row).toEqual(row.toSorted((x, y) => x - y));
      }
    }),
    { numRuns: 1000 },
  );
});
