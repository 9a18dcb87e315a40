import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { decodeFrame, encodeFrame, encodeRecord, FrameReader, readFrame, WeidaError, type FrameEvent, type StreamRole } from '../src/index.js';
import { arbitraryFrame, arbitraryRecord } from './arbitraries.js';
import { errorOf, feedings, hex, readPieces, stream, toHex, VECTORS } from './support.js';

const error = (octets: string, options: Parameters<typeof readPieces>[1] = {}): string | undefined => readPieces([hex(octets)], options).error;

describe('the preamble', () => {
  it('begins with 0x57 [W-109, W-119]', () => {
    for (let octet = 0; octet < 256; octet++) {
      expect(readPieces([Uint8Array.of(octet, 1, 1, 0xa0)]).error).toBe(octet === 0x57 ? undefined : 'bad-magic 0 W-119');
    }
  });

  it('has a length of one, two, four or eight octets, minimal or not [W-112, W-113]', () => {
    for (const length of ['05', '4005', '80000005', 'c000000000000005']) {
      expect(decodeFrame(hex(`5701${length}a100622f74`)).frame).toEqual({ kind: 'DATA', endpoint: '/t' });
    }
  });

  it('counts the octets of the header, exactly [W-111]', () => {
    expect(error('570104a100622f74')).toBe('malformed 5 W-121');
    expect(error('570106a100622f7400')).toBe('trailing-bytes 8 W-172');
    expect(error('570100')).toBe('malformed 3 W-121');
  });

  it('announces no header above the limit, 16384 by default [W-115, W-117, W-118]', () => {
    const filled = (length: number): Uint8Array => {
      const octets = new Uint8Array(6 + length);
      // DATA with one extension value that fills the header.
      octets.set(hex(`570180${length.toString(16).padStart(6, '0')}a118405a${(length - 8).toString(16).padStart(8, '0')}`));
      return octets;
    };
    expect(decodeFrame(filled(16_383)).frame).toEqual({ kind: 'DATA' });
    expect(decodeFrame(filled(16_384)).frame).toEqual({ kind: 'DATA' });
    expect(errorOf(() => decodeFrame(filled(16_385)))).toMatchObject({ code: 'header-too-long', offset: 2, clause: 'W-115', scope: 'connection' });
    expect(errorOf(() => decodeFrame(filled(100), { maxHeaderBytes: 99 })).code).toBe('header-too-long');
    expect(decodeFrame(filled(100), { maxHeaderBytes: 100 }).frame).toEqual({ kind: 'DATA' });
    expect(decodeFrame(filled(16_385), { maxHeaderBytes: 20_000 }).frame).toEqual({ kind: 'DATA' });
  });

  it('makes a peer allocate nothing before its length was checked [W-116]', () => {
    const asked: number[] = [];
    const allocate = (length: number): Uint8Array => (asked.push(length), new Uint8Array(length));
    for (const length of ['80004001', 'ffffffffffffffff', 'c000000000004001']) {
      const octets = hex(`5701${length}`);
      for (const pieces of feedings(octets)) expect(readPieces(pieces, { allocate, fin: false }).error).toBe('header-too-long 2 W-115');
    }
    expect(asked).toEqual([]);
    const reader = new FrameReader({ allocate });
    reader.push(hex('570180004000'));
    expect(asked).toEqual([]);
    reader.push(hex('a1'));
    expect(asked).toEqual([16_384]);
  });

  it('makes it allocate nothing at all where the header comes in one piece', () => {
    const asked: number[] = [];
    readPieces([hex('570105'), hex('a100622f74')], { allocate: (length) => (asked.push(length), new Uint8Array(length)) });
    expect(asked).toEqual([]);
  });
});

describe('payload', () => {
  it('is opaque, up to the end, in whatever pieces it comes [W-136, W-137]', () => {
    const payload = '570101a000ff0102';
    for (const pieces of feedings(hex(`570105a100622f74${payload}`))) expect(readPieces(pieces)).toEqual({ frame: { kind: 'DATA', endpoint: '/t' }, payload, records: [] });
  });

  it('is given out as a view, with its place in the stream', () => {
    const chunk = hex('570101a0aabb');
    const reader = new FrameReader();
    const [, event] = reader.push(chunk);
    expect(event).toEqual({ type: 'payload', bytes: hex('aabb'), at: 4 });
    expect((event as { bytes: Uint8Array }).bytes.buffer).toBe(chunk.buffer);
    expect(reader.push(hex('cc'))).toEqual([{ type: 'payload', bytes: hex('cc'), at: 6 }]);
    expect(reader.position).toBe(7);
  });

  it('may be of another length than announced, and no memory is made for what is announced [W-211, W-212]', () => {
    const asked: number[] = [];
    const allocate = (length: number): Uint8Array => (asked.push(length), new Uint8Array(length));
    const octets = hex('57010ba1011bffffffffffffffff6869');
    expect(readPieces([octets.subarray(0, 8), octets.subarray(8)], { allocate })).toMatchObject({ frame: { contentLen: 2n ** 64n - 1n }, payload: '6869' });
    expect(asked).toEqual([11]);
    expect(error('570104a10118ff')).toBeUndefined();
  });

  it('is not what follows a header-only frame: that is ignored [W-134, W-135]', () => {
    for (const octets of ['570010a5008100011940000219040003800480', '570203a10005', '570308a200632f6d640160', '570408a200632f6d640160', '57050ca300652f6a6f627301600200']) {
      for (const pieces of feedings(hex(`${octets}ffff`))) expect(readPieces(pieces)).toMatchObject({ payload: '', records: [] });
      const reader = new FrameReader();
      expect(reader.finished).toBe(false);
      expect(reader.push(hex(octets))).toHaveLength(1);
      expect(reader.finished).toBe(true);
      expect(reader.push(new Uint8Array(100_000))).toEqual([]);
    }
  });

  it('is never on a CURSOR stream [W-139]', () => {
    for (const pieces of feedings(hex('570603a100010240400310'))) expect(readPieces(pieces)).toEqual({ frame: { kind: 'CURSOR', reportId: 1 }, payload: '', records: [{ level: 2, offset: 64 }, { level: 3, offset: 16 }] });
  });
});

describe('records', () => {
  const HEAD = '570603a10001';

  it('follow the head, any number of them [W-335]', () => {
    for (const count of [0, 1, 3, 1000]) expect(readPieces([hex(HEAD + '024040'.repeat(count))]).records).toHaveLength(count);
  });

  it('may come in pieces while the stream goes on [W-342]', () => {
    const reader = new FrameReader();
    reader.push(hex(`${HEAD}0380`));
    expect(reader.push(hex('0f42'))).toEqual([]);
    expect(reader.push(hex('40'))).toEqual([{ type: 'record', record: { level: 3, offset: 1_000_000 }, at: 6 }]);
    reader.end();
  });

  it('are a violation where the stream ends in one [W-341]', () => {
    for (const rest of ['02', '40', '0240', '03800f42', '02404002', 'c0000000', '02c0']) {
      for (const pieces of feedings(hex(HEAD + rest))) {
        expect(readPieces(pieces).error).toBe(`truncated-record ${(HEAD.length + rest.length) / 2} W-341`);
        expect(readPieces(pieces, { fin: false }).error).toBeUndefined();
      }
    }
  });

  it('have a level from 0 to 5 or from 16 [W-343, W-344]', () => {
    for (let level = 0; level < 64; level++) {
      const octets = `${HEAD}${level.toString(16).padStart(2, '0')}00`;
      if (level >= 6 && level < 16) expect(error(octets)).toBe('undefined-value 6 W-343');
      else expect(readPieces([hex(octets)]).records).toEqual([{ level, offset: 0 }]);
    }
    expect(error(`${HEAD}400600`)).toBe('undefined-value 6 W-343');
    expect(error(`${HEAD}c00000000000000f00`)).toBe('undefined-value 6 W-343');
    expect(readPieces([hex(`${HEAD}ffffffffffffffff00`)]).records).toEqual([{ level: 2n ** 62n - 1n, offset: 0 }]);
  });

  it('are at most 16 octets long, in any varint form [W-334]', () => {
    for (const [octets, record] of [
      ['c000000000000002c000000000000040', { level: 2, offset: 64 }],
      ['800000028000ffff', { level: 2, offset: 65_535 }],
      ['02ffffffffffffffff', { level: 2, offset: 2n ** 62n - 1n }],
      ['02e000000000000000', { level: 2, offset: 2n ** 61n }],
      ['02c01fffffffffffff', { level: 2, offset: Number.MAX_SAFE_INTEGER }],
      ['02c020000000000001', { level: 2, offset: 2n ** 53n + 1n }],
    ] as const) {
      for (const pieces of feedings(hex(HEAD + octets))) expect(readPieces(pieces).records).toEqual([record]);
    }
  });
});

describe('the end', () => {
  it('before the header length is complete is a violation, in it a loss of this stream alone (OPEN-14) [W-131]', () => {
    const whole = '57014005a100622f74';
    for (let octets = 0; octets < whole.length / 2; octets++) {
      const reader = new FrameReader();
      reader.push(hex(whole.slice(0, 2 * octets)));
      const failure = errorOf(() => reader.end());
      expect([failure.code, failure.scope, failure.offset]).toEqual(octets < 4 ? ['truncated-preamble', 'connection', octets] : ['truncated-header', 'stream', octets]);
    }
  });

  it('may come at once behind every header', () => {
    for (const { hex: octets, frame } of VECTORS.vectors) if (frame !== 'RECORD') expect(error(octets)).toBeUndefined();
  });
});

describe('a failure', () => {
  it('stays: every call after it ends the same', () => {
    const reader = new FrameReader();
    const first = errorOf(() => reader.push(hex('58')));
    expect(errorOf(() => reader.push(hex('570101a0')))).toBe(first);
    expect(errorOf(() => reader.end())).toBe(first);
    const cut = new FrameReader();
    cut.push(hex('57'));
    expect(errorOf(() => cut.end())).toBe(errorOf(() => cut.push(hex('01'))));
  });

  it('has code, place, rule and cost', () => {
    const failure = errorOf(() => decodeFrame(hex('570103a10901')));
    expect(failure).toBeInstanceOf(Error);
    expect(Object.assign({}, failure)).toEqual({ name: 'WeidaError', code: 'report-pairing', offset: 5, clause: 'W-234', detail: 'report_id without report', scope: 'connection' });
    expect(failure.message).toBe('octet 5: report_id without report [W-234]');
  });

  it('counts its octets from the start of the stream, not of the header', () => {
    expect(error('57018000000aa200622f74056170ff00')).toBe('trailing-bytes 14 W-172');
  });

  it('is the same for either end of a connection, and on every kind of stream that may carry the frame [W-130]', () => {
    const roles: StreamRole[] = ['uni', 'transfer'];
    for (const vector of VECTORS.reject) {
      if (vector.frame === 'RECORD' || vector.frame === 'HELLO' || vector.frame === 'ERROR') continue;
      const plain = error(vector.hex, { fin: vector.fin ?? false });
      for (const role of roles) expect(error(vector.hex, { fin: vector.fin ?? false, stream: role })).toBe(plain);
      if (vector.frame !== 'DATA') continue;
      for (const role of ['initiating', 'reply', 'reverse'] as const) expect(error(vector.hex, { fin: vector.fin ?? false, stream: role })).toBe(plain);
    }
  });
});

it('over a local transport the same frames are read as over QUIC [W-010, W-011]', () => {
  for (const vector of [...VECTORS.vectors, ...VECTORS.accept]) {
    if (vector.frame === 'RECORD' || vector.frame === '-' || (vector.frame === 'DATA' && !('endpoint' in (vector.fields as object)))) continue;
    const [network, local]: [StreamRole, StreamRole] = vector.frame === 'ERROR' ? ['reply', 'reply'] : ['uni', vector.frame === 'HELLO' ? 'control' : 'transfer'];
    const read = readPieces([hex(vector.hex)], { stream: network });
    expect(read.error).toBeUndefined();
    expect(readPieces([hex(vector.hex)], { stream: local })).toEqual(read);
  }
});

describe('a stream that is held', () => {
  it('is read to the end of its preamble and no further, and goes on when it is released [W-064]', () => {
    for (const pieces of feedings(hex('570105a100622f74abcd'))) {
      const reader = new FrameReader({ hold: true });
      const events: FrameEvent[] = [];
      let waiting: Uint8Array[] = [];
      for (const piece of pieces) {
        if (reader.held) waiting.push(piece);
        else events.push(...reader.push(piece));
      }
      expect([events, reader.held, reader.kind, reader.position]).toEqual([[], true, 'DATA', 3]);
      expect(() => reader.push(hex('00'))).toThrow(TypeError);
      events.push(...reader.release());
      for (const piece of waiting) events.push(...reader.push(piece));
      waiting = [];
      reader.end();
      expect(events[0]).toEqual({ type: 'frame', frame: { kind: 'DATA', endpoint: '/t' }, at: 3, length: 5 });
      expect(events.slice(1).map((event) => (event.type === 'payload' ? toHex(event.bytes) : '')).join('')).toBe('abcd');
      expect(reader.position).toBe(10);
    }
  });

  it('tells at once what is wrong with its preamble (OPEN-22)', () => {
    expect(errorOf(() => new FrameReader({ hold: true }).push(hex('5707'))).code).toBe('unknown-kind');
    expect(errorOf(() => new FrameReader({ hold: true }).push(hex('570180004001'))).code).toBe('header-too-long');
    expect(errorOf(() => new FrameReader({ hold: true, stream: 'uni' }).push(hex('5702'))).code).toBe('frame-not-allowed');
  });
});

describe('readFrame', () => {
  async function collect(chunks: Iterable<Uint8Array>): Promise<FrameEvent[]> {
    const events: FrameEvent[] = [];
    for await (const event of readFrame(chunks)) events.push(event);
    return events;
  }

  it('gives the events of a source of chunks', async () => {
    const chunks = [hex('5701'), hex('05a100'), hex('622f7401'), hex('0203')];
    expect(await collect(chunks)).toEqual([
      { type: 'frame', frame: { kind: 'DATA', endpoint: '/t' }, at: 3, length: 5 },
      { type: 'payload', bytes: hex('01'), at: 8 },
      { type: 'payload', bytes: hex('0203'), at: 9 },
    ]);
  });

  it('stops reading behind a header-only frame', async () => {
    let pulled = 0;
    function* endless(): Generator<Uint8Array> {
      yield hex('570203a10005');
      for (;;) yield new Uint8Array(++pulled);
    }
    expect(await collect(endless())).toHaveLength(1);
    expect(pulled).toBe(0);
  });

  it('ends in the error of a stream that is cut off', async () => {
    await expect(collect([hex('5701')])).rejects.toMatchObject({ code: 'truncated-preamble' });
    await expect(collect([hex('570603a1000102')])).rejects.toBeInstanceOf(WeidaError);
  });
});

describe('options', () => {
  it('are checked when the reader is made', () => {
    for (const maxHeaderBytes of [0, -1, 1.5, NaN, Infinity, 2 ** 30 + 1]) expect(() => new FrameReader({ maxHeaderBytes })).toThrow(RangeError);
    for (const role of ['datagram', 'toString', '']) expect(() => new FrameReader({ stream: role as StreamRole })).toThrow(TypeError);
    expect(new FrameReader({ maxHeaderBytes: 2 ** 30 }).position).toBe(0);
  });
});

it('reads any frame alike in any pieces', () => {
  fc.assert(
    fc.property(arbitraryFrame, fc.uint8Array({ maxLength: 40 }), fc.array(arbitraryRecord, { maxLength: 4 }), fc.array(fc.nat(3000), { maxLength: 5 }), (frame, payload, records, cuts) => {
      const tail = frame.kind === 'DATA' ? [payload] : frame.kind === 'CURSOR' ? records.map(encodeRecord) : [];
      const octets = Uint8Array.from([encodeFrame(frame), ...tail].flatMap((part) => [...part]));
      const places = [0, ...cuts.map((cut) => cut % (octets.length + 1)).sort((a, b) => a - b), octets.length];
      const pieces = places.slice(1).map((place, i) => octets.subarray(places[i], place));
      const read = readPieces(pieces);
      expect(read).toEqual({ frame, payload: frame.kind === 'DATA' ? toHex(payload) : '', records: frame.kind === 'CURSOR' ? records : [] });
    }),
    { numRuns: 1000 },
  );
});

it('keeps the readers of two streams apart [W-401]', () => {
  const [a, b] = [new FrameReader({ stream: 'reply' }), new FrameReader({ stream: 'reply' })];
  const [first, second] = [stream('DATA', 'a10802'), stream('ERROR', 'a10005')];
  a.push(first.subarray(0, 5));
  b.push(second.subarray(0, 4));
  expect(b.push(second.subarray(4))).toMatchObject([{ frame: { kind: 'ERROR', code: 5 } }]);
  expect(a.push(first.subarray(5))).toMatchObject([{ frame: { kind: 'DATA', achieved: 2 } }]);
});
