import { describe, expect, it } from 'vitest';

import {
  decodeHeader,
  encodeFrame,
  encodeHeader,
  encodeRecord,
  ERROR_CODE,
  FRAME_KINDS,
  hello,
  isHeaderOnly,
  LEVEL,
  WeidaEncodeError,
  type DataFrame,
  type EncodeOptions,
  type Frame,
  type HelloFrame,
  type StreamRole,
} from '../src/index.js';
import { header, hex, readPieces, refusal, toHex } from './support.js';

/** `code field clause` of what cannot be written. */
function unwritable(frame: unknown, options?: EncodeOptions): string {
  try {
    encodeFrame(frame as Frame, options);
  } catch (error) {
    if (error instanceof WeidaEncodeError) return `${error.code} ${error.field} ${error.clause}`;
    throw error;
  }
  return 'written';
}

const data = (fields: object): string => unwritable({ kind: 'DATA', ...fields });
const written = (frame: Frame): string => toHex(encodeHeader(frame));
const text = (length: number): string => (length < 256 ? `78${length.toString(16).padStart(2, '0')}` : `79${length.toString(16).padStart(4, '0')}`) + '61'.repeat(length);
const V0: HelloFrame = { kind: 'HELLO', versions: [0], maxHeaderBytes: 16_384, maxTransfers: 1024, capabilities: [], requiredCapabilities: [] };
const HELLO = '008100011940000219040003800480';

describe('frames', () => {
  it('are seven kinds, by these numbers, and no other is read or written [W-120, W-132, W-141, W-005, W-359, W-425]', () => {
    expect(FRAME_KINDS).toEqual(['HELLO', 'DATA', 'ERROR', 'SUBSCRIBE', 'UNSUBSCRIBE', 'CREDIT', 'CURSOR']);
    for (let kind = 7; kind < 256; kind++) expect(readPieces([Uint8Array.of(0x57, kind)], { fin: false }).error).toBe('unknown-kind 1 W-120');
    for (const kind of ['ACK', 'CANCEL', 'PING', 7, undefined]) expect(unwritable({ kind })).toBe('invalid-field kind W-141');
  });

  it('end with their header, but for DATA and CURSOR [W-133]', () => {
    expect(FRAME_KINDS.filter(isHeaderOnly)).toEqual(['HELLO', 'ERROR', 'SUBSCRIBE', 'UNSUBSCRIBE', 'CREDIT']);
  });

  it('are written as one definite map behind magic, kind and the shortest length [W-109, W-110, W-111, W-148]', () => {
    expect(toHex(encodeFrame({ kind: 'DATA', endpoint: 'a'.repeat(59) })).slice(0, 8)).toBe('57013fa1');
    expect(toHex(encodeFrame({ kind: 'DATA', endpoint: 'a'.repeat(60) })).slice(0, 10)).toBe('57014040a1');
    expect(toHex(encodeFrame({ kind: 'ERROR', code: 1, message: 'a'.repeat(1000) })).slice(0, 10)).toBe('570243efa2');
    for (const kind of FRAME_KINDS) expect(toHex(encodeFrame(sample(kind))).slice(2, 4)).toBe(`0${FRAME_KINDS.indexOf(kind)}`);
  });

  it('are written with ascending keys and integers in their shortest form [W-150, W-151]', () => {
    const frame: DataFrame = { kind: 'DATA', deliveryAttempt: 2, report: [2], reportId: 300, sequence: 70_000, contentLen: 24, topic: 't', endpoint: '/t' };
    expect(written(frame)).toBe('a700622f74011818056174061a000111700919012c0a81020c02');
    const integers: [number | bigint, string][] = [
      [0, '00'],
      [23, '17'],
      [24, '1818'],
      [255, '18ff'],
      [256, '190100'],
      [65_535, '19ffff'],
      [65_536, '1a00010000'],
      [4_294_967_295, '1affffffff'],
      [4_294_967_296, '1b0000000100000000'],
      [Number.MAX_SAFE_INTEGER, '1b001fffffffffffff'],
      [2n ** 53n, '1b0020000000000000'],
      [2n ** 64n - 1n, '1bffffffffffffffff'],
    ];
    for (const [value, octets] of integers) {
      expect(written({ kind: 'DATA', contentLen: value })).toBe(`a101${octets}`);
      expect(written({ kind: 'DATA', contentLen: BigInt(value) })).toBe(`a101${octets}`);
    }
  });

  it('leave out what is absent, and what would only repeat a default [W-152, W-153, W-154]', () => {
    const absent = Object.fromEntries(['endpoint', 'contentLen', 'contentType', 'traceparent', 'tracestate', 'topic', 'sequence', 'producer', 'achieved', 'reportId', 'report', 'reportMode', 'deliveryAttempt'].map((name) => [name, undefined]));
    expect(written({ kind: 'DATA', ...absent })).toBe('a0');
    expect(written({ kind: 'DATA', reportMode: 0, deliveryAttempt: 1 })).toBe('a0');
    expect(written({ kind: 'ERROR', code: 5, message: undefined })).toBe('a10005');
    for (const name of Object.keys(absent)) if (name !== 'report') expect(data({ [name]: null })).toMatch(/^(invalid-field|forbidden-combination) /);
  });

  it('carry no field that weida does not have [W-006, W-314, W-429]', () => {
    const stray = { transfer_id: 1, transferId: 1, role: 1, correlation_id: 1, correlationId: 1, ack_mode: 1, ackMode: 1, re: 1, delivery: 2, ordering: 1, acknowledgement: 5, token: 'x', auth: 'x' };
    expect(written({ kind: 'DATA', ...stray })).toBe('a0');
    expect(written({ ...V0, ...stray })).toBe(`a5${HELLO}`);
    expect(written({ kind: 'ERROR', code: 1, ...stray })).toBe('a10001');
    expect(Object.keys(header('HELLO', `a6${HELLO}0763616263`))).toEqual(['kind', 'versions', 'maxHeaderBytes', 'maxTransfers', 'capabilities', 'requiredCapabilities']);
    expect(header('DATA', 'a10d05')).toStrictEqual({ kind: 'DATA' });
  });

  it('lack no required key [W-122, W-180, W-249, W-257, W-258, W-316, W-332]', () => {
    const entries: Record<string, string[]> = {
      HELLO: ['008100', '01194000', '02190400', '0380', '0480'],
      ERROR: ['0005'],
      SUBSCRIBE: ['00622f74', '016161'],
      UNSUBSCRIBE: ['00622f74', '016161'],
      CREDIT: ['00622f74', '016161', '0205'],
      CURSOR: ['0001'],
    };
    for (const [kind, all] of Object.entries(entries)) {
      expect(header(kind as Frame['kind'], `a${all.length}${all.join('')}`).kind).toBe(kind);
      for (const left of all) {
        const rest = all.filter((entry) => entry !== left);
        expect(refusal(kind as Frame['kind'], `a${rest.length}${rest.join('')}`)).toBe('missing-key W-122');
        expect(refusal(kind as Frame['kind'], `a${rest.length + 1}${rest.join('')}184000`)).toBe('missing-key W-122');
      }
    }
    for (const frame of [{ kind: 'ERROR' }, { kind: 'SUBSCRIBE', endpoint: '/t' }, { kind: 'CREDIT', endpoint: '/t', filter: '' }, { kind: 'CURSOR' }, { kind: 'HELLO' }]) expect(unwritable(frame)).toMatch(/^invalid-field /);
  });

  it('hold values of the types of their keys [W-125, W-181, W-183, W-184, W-186, W-194, W-199, W-203, W-204, W-206]', () => {
    const wrong = ['20', '4100', 'f5', 'fa00000000', 'f6'];
    for (const value of [...wrong, '00']) {
      expect(refusal('HELLO', `a500${value}011940000219040003800480`)).toBe('wrong-type W-125');
      expect(refusal('HELLO', `a50081${value === '00' ? '6130' : value}011940000219040003800480`)).toBe('wrong-type W-125');
      expect(refusal('HELLO', `a5008100011940000219040003${value}0480`)).toBe('wrong-type W-125');
      expect(refusal('HELLO', `a500810001194000021904000380048181${value}`)).toBe('wrong-type W-125');
    }
    for (const value of [...wrong, '6130', '80']) {
      expect(refusal('HELLO', `a500810001${value}0219040003800480`)).toBe('wrong-type W-125');
      expect(refusal('HELLO', `a50081000119400002${value}03800480`)).toBe('wrong-type W-125');
      for (const key of ['01', '06', '08', '0b', '0c']) expect(refusal('DATA', `a1${key}${value}`)).toBe('wrong-type W-125');
      expect(refusal('DATA', `a209${value}0a8102`)).toBe('wrong-type W-125');
      expect(refusal('DATA', `a209010a81${value}`)).toBe('wrong-type W-125');
      expect(refusal('CREDIT', `a300622f71016002${value}`)).toBe('wrong-type W-125');
      expect(refusal('CURSOR', `a100${value}`)).toBe('wrong-type W-125');
      expect(refusal('ERROR', `a100${value}`)).toBe('wrong-type W-125');
    }
    expect(refusal('DATA', 'a209010a02')).toBe('wrong-type W-125');
  });
});

function sample(kind: Frame['kind']): Frame {
  switch (kind) {
    case 'HELLO':
      return V0;
    case 'DATA':
      return { kind };
    case 'ERROR':
      return { kind, code: 1 };
    case 'SUBSCRIBE':
    case 'UNSUBSCRIBE':
      return { kind, endpoint: '/md', filter: 'px.' };
    case 'CREDIT':
      return { kind, endpoint: '/md', filter: 'px.', limit: 1 };
    case 'CURSOR':
      return { kind, reportId: 1 };
  }
}

describe('where a frame is written', () => {
  it('is a stream that it may open [W-127, W-144, W-145]', () => {
    const roles = { uni: 'HELLO DATA SUBSCRIBE UNSUBSCRIBE CREDIT CURSOR', initiating: 'DATA', reply: 'DATA ERROR', control: 'HELLO', transfer: 'DATA SUBSCRIBE UNSUBSCRIBE CREDIT CURSOR', reverse: 'DATA' } as const;
    for (const [stream, kinds] of Object.entries(roles)) {
      const writable = FRAME_KINDS.filter((kind) => unwritable(kind === 'DATA' ? { kind, endpoint: '/t' } : sample(kind), { stream: stream as StreamRole }) === 'written');
      expect(writable.join(' ')).toBe(kinds);
    }
    expect(unwritable(sample('ERROR'), { stream: 'uni' })).toBe('forbidden-combination kind W-143');
  });

  it('needs an endpoint where it starts a transfer [W-350]', () => {
    for (const stream of ['uni', 'initiating', 'transfer', 'reverse'] as const) expect(unwritable({ kind: 'DATA', topic: 'a' }, { stream })).toBe('invalid-field endpoint W-350');
    expect(unwritable({ kind: 'DATA' }, { stream: 'reply' })).toBe('written');
  });

  it('is the reply half where it says what was achieved [W-227]', () => {
    for (const stream of ['uni', 'initiating', 'transfer', 'reverse'] as const) expect(unwritable({ kind: 'DATA', endpoint: '/t', achieved: 2 }, { stream })).toBe('forbidden-combination achieved W-227');
    expect(unwritable({ kind: 'DATA', achieved: 2 }, { stream: 'reply' })).toBe('written');
  });
});

describe('texts have caps, to the octet', () => {
  it.each([
    ['endpoint', 'DATA', '00', 512, 'W-193'],
    ['contentType', 'DATA', '02', 256, 'W-195'],
    ['traceparent', 'DATA', '03', 128, 'W-196'],
    ['tracestate', 'DATA', '04', 512, 'W-197'],
    ['topic', 'DATA', '05', 256, 'W-198'],
  ] as const)('%s [W-126, W-193, W-195, W-196, W-197, W-198]', (field, kind, key, cap, clause) => {
    for (const length of [cap - 1, cap]) {
      expect(header(kind, `a1${key}${text(length)}`)).toEqual({ kind, [field]: 'a'.repeat(length) });
      expect(written({ kind, [field]: 'a'.repeat(length) })).toBe(`a1${key}${text(length)}`);
    }
    expect(refusal(kind, `a1${key}${text(cap + 1)}`)).toBe('too-long W-126');
    expect(data({ [field]: 'a'.repeat(cap + 1) })).toBe(`too-long ${field} ${clause}`);
    // Octets count, not characters.
    expect(data({ [field]: 'é'.repeat(cap / 2) })).toBe('written');
    expect(data({ [field]: `${'é'.repeat(cap / 2)}a` })).toBe(`too-long ${field} ${clause}`);
    for (const lone of ['\ud800', '\udc00', '\udc00\udc00', '\ud800\ud800', 'a\udfff\udc00', '\ud800a', '\udbff\ue000', '\u{10000}\udc00']) expect(data({ [field]: lone })).toBe(`invalid-field ${field} OPEN-1`);
    expect(data({ [field]: 5 })).toBe(`invalid-field ${field} ${clause}`);
  });

  it('message of an ERROR [W-250]', () => {
    expect(header('ERROR', `a2000101${text(1024)}`)).toEqual({ kind: 'ERROR', code: 1, message: 'a'.repeat(1024) });
    expect(refusal('ERROR', `a2000101${text(1025)}`)).toBe('too-long W-126');
    expect(refusal('ERROR', 'a200010105')).toBe('wrong-type W-125');
    expect(header('ERROR', 'a10001')).toStrictEqual({ kind: 'ERROR', code: 1 });
    expect(unwritable({ kind: 'ERROR', code: 1, message: 'a'.repeat(1025) })).toBe('too-long message W-250');
  });

  it('endpoint and filter of SUBSCRIBE, UNSUBSCRIBE and CREDIT [W-257, W-258, W-317]', () => {
    for (const [kind, tail] of [['SUBSCRIBE', ''], ['UNSUBSCRIBE', ''], ['CREDIT', '0205']] as const) {
      const count = kind === 'CREDIT' ? 'a3' : 'a2';
      expect(header(kind, `${count}00${text(512)}01${text(256)}${tail}`)).toMatchObject({ endpoint: 'a'.repeat(512), filter: 'a'.repeat(256) });
      expect(refusal(kind, `${count}00${text(513)}0160${tail}`)).toBe('too-long W-126');
      expect(refusal(kind, `${count}006001${text(257)}${tail}`)).toBe('too-long W-126');
      expect(refusal(kind, `${count}00010160${tail}`)).toBe('wrong-type W-125');
      expect(refusal(kind, `${count}00600100${tail}`)).toBe('wrong-type W-125');
      expect(unwritable({ ...sample(kind), endpoint: 'a'.repeat(513) })).toBe('too-long endpoint W-193');
      expect(unwritable({ ...sample(kind), filter: 'a'.repeat(257) })).toBe('too-long filter W-258');
    }
  });
});

describe('HELLO', () => {
  it('of a peer that speaks weida 0 has version 0 and no capability [W-001, W-182, W-187]', () => {
    expect(hello()).toEqual(V0);
    expect(toHex(encodeFrame(hello()))).toBe(`570010a5${HELLO}`);
  });

  it('that declares core is octet for octet the one that is silent [W-191]', () => {
    const core = { delivery: 0, acknowledgement: 1, ordering: 0, deduplication: 0, backpressure: 0, producerNaming: 0, controlIsolated: 0 } as const;
    expect(written({ ...V0, guaranteesOffered: core, guaranteesRequired: {} })).toBe(`a5${HELLO}`);
  });

  it('holds guarantee sets under keys 5 and 6, each of them optional [W-189]', () => {
    expect(header('HELLO', `a6${HELLO}05a10401`)).toEqual({ ...V0, guaranteesOffered: { ordering: 1 } });
    expect(header('HELLO', `a6${HELLO}06a0`)).toEqual({ ...V0, guaranteesRequired: {} });
    expect(written({ ...V0, guaranteesOffered: { ordering: 1 }, guaranteesRequired: { ordering: 1 } })).toBe(`a7${HELLO}05a1040106a10401`);
    expect(refusal('HELLO', `a6${HELLO}0500`)).toBe('wrong-type W-125');
    expect(refusal('HELLO', `a6${HELLO}0680`)).toBe('wrong-type W-125');
  });

  it('requires no more than it offers [W-190]', () => {
    expect(refusal('HELLO', `a6${HELLO}06a10401`)).toBe('requires-more-than-offered W-190');
    // Silence requires core: no less acknowledgement, no other backpressure and naming (OPEN-11).
    for (const set of ['a10100', 'a10702', 'a10801']) {
      expect(refusal('HELLO', `a6${HELLO}05${set}`)).toBe('requires-more-than-offered W-190');
      expect(header('HELLO', `a7${HELLO}05${set}06${set}`).kind).toBe('HELLO');
    }
    expect(unwritable({ ...V0, guaranteesRequired: { ordering: 1 } })).toBe('forbidden-combination guaranteesRequired.ordering W-190');
    expect(unwritable({ ...V0, guaranteesOffered: { backpressure: 2 } })).toBe('forbidden-combination guaranteesRequired.backpressure W-190');
    // What is reached by equality only is required where it is offered (OPEN-11).
    expect(unwritable(hello({ offered: { backpressure: 2, producerNaming: 1, ordering: 1 } }))).toBe('written');
    expect(unwritable(hello({ offered: { acknowledgement: 0 } }))).toBe('written');
    expect(hello({ offered: { backpressure: 2, ordering: 1 }, required: { ordering: 1 } }).guaranteesRequired).toEqual({ backpressure: 2, ordering: 1 });
  });

  it('takes what its caller says about itself', () => {
    expect(hello({ maxHeaderBytes: 512, maxTransfers: 7, offered: { ordering: 1 } })).toEqual({ ...V0, maxHeaderBytes: 512, maxTransfers: 7, guaranteesOffered: { ordering: 1 } });
  });

  it('has no list of more than 64 items', () => {
    expect(unwritable({ ...V0, versions: Array.from({ length: 64 }, (_, i) => i) })).toBe('written');
    expect(unwritable({ ...V0, versions: Array.from({ length: 65 }, (_, i) => i) })).toBe('too-long versions W-173');
    expect(unwritable({ ...V0, capabilities: [1, -1] })).toBe('invalid-field capabilities[1] W-125');
    expect(unwritable({ ...V0, capabilities: 'no' })).toBe('invalid-field capabilities W-125');
  });
});

describe('DATA', () => {
  it('needs no key, and the smallest one is A0 [W-192, W-210]', () => {
    expect(header('DATA', 'a0')).toStrictEqual({ kind: 'DATA' });
    expect(written({ kind: 'DATA' })).toBe('a0');
  });

  it('takes an empty endpoint and an empty topic for what they are', () => {
    expect(header('DATA', 'a200600560')).toEqual({ kind: 'DATA', endpoint: '', topic: '' });
  });

  it('has a producer of exactly 32 octets, never its text spelling [W-200, W-201, W-225]', () => {
    const digest = hex('9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08');
    expect(header('DATA', `a1075820${toHex(digest)}`)).toEqual({ kind: 'DATA', producer: digest });
    for (const length of [0, 1, 31, 33, 64]) {
      expect(refusal('DATA', `a10758${length.toString(16).padStart(2, '0')}${'00'.repeat(length)}`)).toBe('producer-length W-201');
      expect(data({ producer: new Uint8Array(length) })).toBe('invalid-field producer W-200');
    }
    expect(refusal('DATA', 'a1075bffffffffffffffff')).toBe('producer-length W-201');
    expect(refusal('DATA', `a1077820${'61'.repeat(32)}`)).toBe('wrong-type W-125');
    expect(data({ producer: `sha256:${toHex(digest)}` })).toBe('invalid-field producer W-200');
  });

  it('gives the producer as a copy of its own', () => {
    for (const octets of [hex(`a1075820${'11'.repeat(32)}`), Buffer.from(`a1075820${'11'.repeat(32)}`, 'hex')]) {
      const { producer } = decodeHeader('DATA', octets) as DataFrame;
      octets.fill(0);
      expect(producer).toStrictEqual(new Uint8Array(32).fill(0x11));
    }
  });

  it('has sequence and producer each without the other [W-226]', () => {
    expect(header('DATA', 'a10601')).toEqual({ kind: 'DATA', sequence: 1 });
    expect(data({ sequence: 1 })).toBe('written');
    expect(data({ producer: new Uint8Array(32) })).toBe('written');
  });

  it('has achieved from 0 to 5 [W-202, W-232]', () => {
    for (let level = 0; level <= 5; level++) expect(header('DATA', `a1080${level}`)).toEqual({ kind: 'DATA', achieved: level });
    for (const level of ['06', '0f', '10', '1818', '1bffffffffffffffff']) expect(refusal('DATA', `a108${level}`)).toBe('undefined-value W-232');
    for (const achieved of [6, 16, -1, 0.5, 2n, '2']) expect(data({ achieved })).toBe('invalid-field achieved W-202');
  });

  it('tells achieved 0 from silence [W-231]', () => {
    expect(header('DATA', 'a10800')).toHaveProperty('achieved', 0);
    expect(header('DATA', 'a0')).not.toHaveProperty('achieved');
    expect(written({ kind: 'DATA', achieved: 0 })).toBe('a10800');
  });

  it('has report and report_id together or not at all [W-233, W-234]', () => {
    expect(refusal('DATA', 'a10a8102')).toBe('report-pairing W-233');
    expect(refusal('DATA', 'a10901')).toBe('report-pairing W-234');
    expect(data({ report: [2] })).toBe('forbidden-combination report W-233');
    expect(data({ reportId: 1 })).toBe('forbidden-combination reportId W-234');
  });

  it('has a report that ascends [W-235]', () => {
    for (const list of ['820302', '820202', '83021110', '821b7fffffffffffffff10']) expect(refusal('DATA', `a209010a${list}`)).toBe('report-order W-235');
    expect(data({ reportId: 1, report: [3, 2] })).toBe('invalid-field report[1] W-235');
    expect(data({ reportId: 1, report: [3, 3n] })).toBe('invalid-field report[1] W-235');
  });

  it('has a report of 1 to 16 levels [W-236]', () => {
    const levels = Array.from({ length: 17 }, (_, i) => 16 + i);
    const list = (count: number): string => (0x80 + count).toString(16) + levels.slice(0, count).map((level) => (level < 24 ? level.toString(16) : `18${level.toString(16)}`)).join('');
    expect(header('DATA', `a209010a${list(16)}`)).toEqual({ kind: 'DATA', reportId: 1, report: levels.slice(0, 16) });
    expect(refusal('DATA', `a209010a${list(17)}`)).toBe('too-many-items W-236');
    expect(refusal('DATA', 'a209010a80')).toBe('report-empty OPEN-4');
    expect(data({ reportId: 1, report: levels })).toBe('too-long report W-236');
    expect(data({ reportId: 1, report: [] })).toBe('invalid-field report OPEN-4');
  });

  it('has report levels from 0 to 5 and from 16 [W-237, W-238]', () => {
    expect(Object.values(LEVEL)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(header('DATA', 'a209010a86000102030405')).toMatchObject({ report: [0, 1, 2, 3, 4, 5] });
    expect(header('DATA', 'a209010a8310111bffffffffffffffff')).toMatchObject({ report: [16, 17, 2n ** 64n - 1n] });
    for (let level = 6; level < 16; level++) {
      expect(refusal('DATA', `a209010a810${level.toString(16)}`)).toBe('undefined-value W-237');
      expect(data({ reportId: 1, report: [level] })).toBe('invalid-field report[0] W-237');
    }
  });

  it('has report_mode 0 or 1, and 0 is never written [W-205, W-239]', () => {
    expect(header('DATA', 'a309010a81020b00')).toMatchObject({ reportMode: 0 });
    expect(header('DATA', 'a309010a81020b01')).toMatchObject({ reportMode: 1 });
    expect(refusal('DATA', 'a309010a81020b02')).toBe('undefined-value W-205');
    expect(written({ kind: 'DATA', reportId: 1, report: [2], reportMode: 0 })).toBe('a209010a8102');
    for (const reportMode of [2, -1, '1', 1n]) expect(data({ reportId: 1, report: [2], reportMode })).toBe('invalid-field reportMode W-205');
  });

  it('allocates no report id 0 [W-242]', () => {
    expect(data({ reportId: 0, report: [2] })).toBe('invalid-field reportId W-242');
    expect(data({ reportId: 0n, report: [2] })).toBe('invalid-field reportId W-242');
    expect(unwritable({ kind: 'CURSOR', reportId: 0 })).toBe('invalid-field reportId W-242');
    expect(header('DATA', 'a209000a8102')).toMatchObject({ reportId: 0 });
  });

  it('counts hand-outs from 2 on the wire, and reads an absent one as the first [W-244, W-245]', () => {
    expect(written({ kind: 'DATA', deliveryAttempt: 2 })).toBe('a10c02');
    expect(written({ kind: 'DATA', deliveryAttempt: 1 })).toBe('a0');
    expect(written({ kind: 'DATA', deliveryAttempt: 1n })).toBe('a0');
    expect(data({ deliveryAttempt: 0 })).toBe('invalid-field deliveryAttempt W-244');
    expect(header('DATA', 'a10c00')).toEqual({ kind: 'DATA', deliveryAttempt: 1 });
  });

  it('takes a topic as it is: no octet of it is special [W-213]', () => {
    for (const topic of ['**', '#.a', 'a*', '..', '*#']) {
      expect(data({ topic })).toBe('written');
      const octets = toHex(new TextEncoder().encode(topic));
      expect(header('DATA', `a105${(0x60 + topic.length).toString(16)}${octets}`)).toEqual({ kind: 'DATA', topic });
    }
  });

  it('names no trace context and no producer of its own accord [W-216, W-217, W-218, W-224]', () => {
    expect(written({ kind: 'DATA', endpoint: '/t', topic: 'a' })).toBe('a200622f74056161');
    expect(data({ traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' })).toBe('written');
  });

  it('refuses integers that are not exact', () => {
    for (const contentLen of [-1, 0.5, 2 ** 53, NaN, Infinity, -1n, 2n ** 64n, '5', null]) expect(data({ contentLen })).toBe('invalid-field contentLen W-125');
    expect(data({ contentLen: -0 })).toBe('written');
  });
});

describe('ERROR', () => {
  it('has five codes, and takes any other [W-249, W-252]', () => {
    expect(ERROR_CODE).toEqual({ unknownEndpoint: 1, rejected: 2, unsupported: 3, internal: 4, noReply: 5 });
    expect(header('ERROR', 'a1001863')).toEqual({ kind: 'ERROR', code: 99 });
  });
});

describe('SUBSCRIBE, UNSUBSCRIBE and CREDIT', () => {
  it('differ in one octet where they carry the same [W-256]', () => {
    const [a, b] = [toHex(encodeFrame(sample('SUBSCRIBE'))), toHex(encodeFrame(sample('UNSUBSCRIBE')))];
    expect([a, b]).toEqual(['57030ba200632f6d64016370782e', '57040ba200632f6d64016370782e']);
    expect(header('UNSUBSCRIBE', a.slice(6))).toEqual({ ...header('SUBSCRIBE', a.slice(6)), kind: 'UNSUBSCRIBE' });
  });

  it('write the empty filter [W-259]', () => {
    expect(written({ kind: 'SUBSCRIBE', endpoint: '/md', filter: '' })).toBe('a200632f6d640160');
    expect(written({ kind: 'CREDIT', endpoint: '/md', filter: '', limit: 0 })).toBe('a300632f6d6401600200');
  });

  it('check the grammar of their filter, in both directions [W-275, W-276, W-277, W-278, W-318]', () => {
    const bad = { 'a*': 'filter-wildcard W-275', 'a#': 'filter-wildcard W-276', 'a.#.b': 'filter-rest W-277', '#.': 'filter-rest W-277' };
    for (const kind of ['SUBSCRIBE', 'UNSUBSCRIBE', 'CREDIT'] as const) {
      for (const [filter, expected] of Object.entries(bad)) {
        const octets = toHex(new TextEncoder().encode(filter));
        const entry = `01${(0x60 + filter.length).toString(16)}${octets}`;
        expect(refusal(kind, kind === 'CREDIT' ? `a30060${entry}0205` : `a20060${entry}`)).toBe(expected);
        expect(unwritable({ ...sample(kind), filter })).toBe(`invalid-field filter ${expected.split(' ')[1]}`);
      }
      expect(unwritable({ ...sample(kind), filter: '*.#' })).toBe('written');
    }
  });
});

describe('CURSOR', () => {
  it('has records of two varints, at most 16 octets [W-333, W-334]', () => {
    expect(toHex(encodeRecord({ level: 2, offset: 64 }))).toBe('024040');
    expect(toHex(encodeRecord({ level: 16, offset: 0 }))).toBe('1000');
    expect(toHex(encodeRecord({ level: 63, offset: 16_383 }))).toBe('3f7fff');
    expect(toHex(encodeRecord({ level: 64, offset: 16_384 }))).toBe('404080004000');
    expect(toHex(encodeRecord({ level: 5n, offset: 1_073_741_823 }))).toBe('05bfffffff');
    expect(toHex(encodeRecord({ level: 5, offset: 1_073_741_824 }))).toBe('05c000000040000000');
    expect(encodeRecord({ level: 2n ** 62n - 1n, offset: 2n ** 62n - 1n })).toEqual(new Uint8Array(16).fill(0xff));
  });

  it.each([
    { level: 6, offset: 0 },
    { level: 15, offset: 0 },
    { level: 2n ** 62n, offset: 0 },
    { level: 2, offset: 2n ** 62n },
    { level: -1, offset: 0 },
    { level: 2, offset: 0.5 },
  ])('has no record of level $level and offset $offset', (record) => {
    expect(() => encodeRecord(record)).toThrow(WeidaEncodeError);
  });
});
