import { describe, expect, it } from 'vitest';

import { BACKPRESSURE, beyondCore, DEDUPLICATION, DELIVERY, encodeHeader, guaranteeIssue, ORDERING, type WeidaEncodeError, type GuaranteeSet, type HelloFrame } from '../src/index.js';
import { header, refusal, toHex } from './support.js';

const V0 = '008100011940000219040003800480';
/** HELLO that offers a set, given as its map in hex. */
const offering = (set: string): string => `a6${V0}05${set}`;
const offered = (set: string): GuaranteeSet | undefined => (header('HELLO', `a7${V0}05${set}06a10100`) as HelloFrame).guaranteesOffered;

describe('a guarantee set', () => {
  it.each([
    ['delivery', '00', 2, 'W-288', ''],
    ['acknowledgement', '01', 5, 'W-289', ''],
    ['durability', '02', 1, 'W-290', '0103'],
    ['ordering', '04', 4, 'W-291', ''],
    ['deduplication', '05', 2, 'W-292', ''],
    ['backpressure', '07', 4, 'W-293', ''],
    ['producerNaming', '08', 1, 'W-294', ''],
    ['controlIsolated', '09', 1, 'W-295', ''],
  ] as const)('has %s from 0 to its last level, and no further [W-288, W-289, W-290, W-291, W-292, W-293, W-294, W-295, W-296, W-129]', (name, key, most, clause, before) => {
    const count = before === '' ? 1 : 2;
    for (let level = 0; level <= most; level++) {
      // Bounded deduplication needs its window.
      if (name === 'deduplication' && level === 1) continue;
      const set = `a${count}${before}${key}0${level}`;
      // Silence requires core: what falls short of it, or stands beside it, is required as it is offered (OPEN-11).
      expect(header('HELLO', `a7${V0}05${set}06${set}`)).toMatchObject({ guaranteesOffered: { [name]: level } });
    }
    expect(refusal('HELLO', offering(`a${count}${before}${key}0${most + 1}`))).toBe(`undefined-value ${clause}`);
    expect(refusal('HELLO', offering(`a${count}${before}${key}1bffffffffffffffff`))).toBe(`undefined-value ${clause}`);
    expect(refusal('HELLO', offering(`a${count}${before}${key}f5`))).toBe('wrong-type W-125');
    expect(guaranteeIssue({ [name]: most + 1 })).toMatchObject({ dimension: name, clause, combination: false });
  });

  it.each([
    ['durability without acknowledgement 3 or 4', { acknowledgement: 5, durability: 1 }, 'a201050201', 'W-300'],
    ['durability alone', { durability: 0 }, 'a10200', 'W-300'],
    ['replicas without acknowledgement 4', { acknowledgement: 3, replicas: 2 }, 'a201030302', 'W-301'],
    ['one replica', { acknowledgement: 4, replicas: 1 }, 'a201040301', 'W-302'],
    ['no replica', { acknowledgement: 4, replicas: 0 }, 'a201040300', 'W-302'],
    ['a bound without a window', { deduplication: 1 }, 'a10501', 'W-303'],
    ['a window without a bound', { dedupWindowMs: 1000 }, 'a1061903e8', 'W-304'],
    ['a window for good', { deduplication: 2, dedupWindowMs: 1000 }, 'a20502061903e8', 'W-304'],
    ['coalescing what is reassembled', { ordering: 2, backpressure: 4 }, 'a204020704', 'W-305'],
  ] as const)('never combines %s [W-300, W-301, W-302, W-303, W-304, W-305, W-129]', (_, set, octets, clause) => {
    expect(guaranteeIssue(set)).toMatchObject({ clause, combination: true });
    expect(refusal('HELLO', offering(octets))).toBe(`guarantee-combination ${clause}`);
    expect(refusal('HELLO', `a7${V0}05a006${octets}`)).toBe(`guarantee-combination ${clause}`);
    const hello = { kind: 'HELLO', versions: [0], maxHeaderBytes: 1, maxTransfers: 1, capabilities: [], requiredCapabilities: [], guaranteesOffered: set } as const;
    expect(() => encodeHeader(hello)).toThrow(expect.objectContaining({ code: 'forbidden-combination', clause }) as WeidaEncodeError);
  });

  it('may coalesce what is only numbered [W-306]', () => {
    expect(header('HELLO', `a7${V0}05a20401070406a204010704`)).toMatchObject({ guaranteesOffered: { ordering: 1, backpressure: 4 } });
  });

  it('may declare every level of acknowledgement, with its axes or without (OPEN-9) [W-307]', () => {
    for (let level = 0; level <= 5; level++) expect(offered(`a1010${level}`)).toEqual({ acknowledgement: level });
    expect(offered('a3010402000302')).toEqual({ acknowledgement: 4, durability: 0, replicas: 2 });
    expect(offered('a205010600')).toEqual({ deduplication: 1, dedupWindowMs: 0 });
  });

  it('stands at core where it is silent, and an empty one is core [W-297, W-298]', () => {
    expect(offered('a0')).toEqual({});
    expect(guaranteeIssue({})).toBeUndefined();
    expect(beyondCore({ delivery: 0, acknowledgement: 1, ordering: 0, deduplication: 0, backpressure: 0, producerNaming: 0, controlIsolated: 0 })).toEqual({});
  });

  it('is written without what stands at core; acknowledgement 0 does not [W-299]', () => {
    const set = { delivery: 0, acknowledgement: 0, ordering: 1, deduplication: 0, backpressure: 0, producerNaming: 0, controlIsolated: 1 } as const;
    const hello = { kind: 'HELLO', versions: [0], maxHeaderBytes: 16_384, maxTransfers: 1024, capabilities: [], requiredCapabilities: [], guaranteesOffered: set, guaranteesRequired: { acknowledgement: 0 } } as const;
    expect(toHex(encodeHeader(hello))).toBe(`a7${V0}05a301000401090106a10100`);
    // What is not core has no such level to leave out.
    expect(beyondCore({ acknowledgement: 3, durability: 0 })).toEqual({ acknowledgement: 3, durability: 0 });
  });

  it('ascends, holds each key once, and has unsigned keys [W-177]', () => {
    expect(refusal('HELLO', offering('a204010001'))).toBe('key-order W-161');
    expect(refusal('HELLO', offering('a204010401'))).toBe('duplicate-key W-123');
    expect(refusal('HELLO', offering('a1616101'))).toBe('key-type W-124');
    expect(refusal('HELLO', offering('a12001'))).toBe('key-type W-124');
    expect(refusal('HELLO', offering('bf0401ff'))).toBe('indefinite-length W-167');
    expect(refusal('HELLO', offering('a10a81818181818181818100'))).toBe('too-deep W-158');
    expect(refusal('HELLO', offering('bbffffffffffffffff'))).toBe('malformed W-121');
  });

  it('skips keys that it does not know [W-178]', () => {
    expect(offered('a304010a8181818181818181001840f6')).toEqual({ ordering: 1 });
    expect(offered('a11bffffffffffffffff00')).toEqual({});
  });

  it('has levels by name', () => {
    expect([DELIVERY, ORDERING, DEDUPLICATION, BACKPRESSURE].map((levels) => Object.values(levels))).toEqual([[0, 1, 2], [0, 1, 2, 3, 4], [0, 1, 2], [0, 1, 2, 3, 4]]);
    expect([DELIVERY.atLeastOnce, ORDERING.perProducerDetect, ORDERING.perProducerReassemble, DEDUPLICATION.bounded, BACKPRESSURE.coalesce]).toEqual([2, 1, 2, 1, 4]);
  });
});
