import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { APPLICATION_CODE, beyondCore, encodeFrame, guaranteeIssue, hello, negotiate, type WeidaEncodeError, type GuaranteeSet, type HelloFrame, type Uint } from '../src/index.js';
import { arbitrarySet } from './arbitraries.js';

const V0 = hello();
const offering = (guaranteesOffered: GuaranteeSet, guaranteesRequired?: GuaranteeSet): HelloFrame => ({ ...V0, guaranteesOffered, ...(guaranteesRequired && { guaranteesRequired }) });
/** A requirement that any offer meets: silence would require core. */
const anything = (offer: GuaranteeSet): GuaranteeSet => ({ acknowledgement: 0, backpressure: offer.backpressure, producerNaming: offer.producerNaming });
/** The dimensions beyond core that two offers agree on, or why they do not. */
function agreed(ours: GuaranteeSet, theirs: GuaranteeSet, theyRequire: GuaranteeSet = anything(theirs)): unknown {
  const outcome = negotiate(offering(ours), offering(theirs, theyRequire));
  return outcome.ok ? beyondCore(outcome.guarantees) : `${outcome.reason} ${outcome.dimension ?? ''}`;
}
const versions = (ours: readonly Uint[], theirs: readonly Uint[]): unknown => {
  const outcome = negotiate({ ...V0, versions: ours }, { ...V0, versions: theirs });
  return outcome.ok ? outcome.version : outcome.reason;
};

describe('versions', () => {
  it('take the highest that both speak, in whatever order they are listed [W-073, W-074]', () => {
    expect(versions([0, 1, 2, 5], [1, 2, 3])).toBe(2);
    expect(versions([5, 0, 2], [2, 5])).toBe(5);
    expect(versions([2, 5, 0], [5, 2])).toBe(5);
    expect(versions([2, 10], [10, 2])).toBe(10);
    expect(versions([0, 2n ** 60n], [2n ** 60n])).toBe(2n ** 60n);
    expect(versions([3n], [3])).toBe(3);
  });

  it('without one in common fail, as an empty list does [W-072, W-075, W-012]', () => {
    expect(versions([0], [99])).toBe('no-common-version');
    expect(versions([0], [])).toBe('no-common-version');
    expect(versions([], [0])).toBe('no-common-version');
    expect(negotiate({ ...V0, versions: [1] }, V0)).toEqual({ ok: false, reason: 'no-common-version', applicationCode: APPLICATION_CODE.negotiationFailed });
  });

  it('are compared before anything else [W-094]', () => {
    const theirs = { ...V0, versions: [7], requiredCapabilities: [7], guaranteesOffered: { backpressure: 2 } } as const;
    expect(negotiate(V0, theirs)).toMatchObject({ reason: 'no-common-version' });
  });

  it('of two peers of this revision give 0 [W-001]', () => {
    expect(negotiate(hello(), hello())).toMatchObject({ ok: true, version: 0 });
  });
});

describe('capabilities', () => {
  it('that the peer requires are never there, since none is defined [W-076, W-077, W-188]', () => {
    for (const code of [0, 1, 7, 2n ** 64n - 1n]) {
      const theirs = { ...V0, capabilities: [code], requiredCapabilities: [code] };
      expect(negotiate(V0, theirs)).toMatchObject({ ok: false, reason: 'required-capability', capability: code });
      expect(negotiate({ ...V0, capabilities: [code] }, theirs)).toMatchObject({ reason: 'required-capability' });
    }
  });

  it('that the peer offers do no harm, nor do those we require [W-078]', () => {
    expect(negotiate(V0, { ...V0, capabilities: [1, 9] }).ok).toBe(true);
    expect(negotiate({ ...V0, requiredCapabilities: [7] }, V0).ok).toBe(true);
  });
});

describe('the header bound', () => {
  it('for sending is what the peer advertised, and an encoder keeps to it [W-089, W-090]', () => {
    const outcome = negotiate({ ...V0, maxHeaderBytes: 99 }, { ...V0, maxHeaderBytes: 10 });
    if (!outcome.ok) throw new Error('unreachable');
    expect(outcome.sendMaxHeaderBytes).toBe(10);
    expect(encodeFrame({ kind: 'DATA', endpoint: 'a'.repeat(7) }, { agreed: outcome })).toHaveLength(13);
    expect(() => encodeFrame({ kind: 'DATA', endpoint: 'a'.repeat(8) }, { agreed: outcome })).toThrow(
      expect.objectContaining({ code: 'too-long', field: 'header', clause: 'W-090' }) as WeidaEncodeError,
    );
    const huge = negotiate(V0, { ...V0, maxHeaderBytes: 2n ** 64n - 1n });
    expect(huge).toMatchObject({ sendMaxHeaderBytes: 2n ** 64n - 1n });
  });
});

describe('guarantees', () => {
  it('that nobody declares are core, as the core that is declared is [W-079, W-080, W-088]', () => {
    expect(negotiate(V0, V0)).toMatchObject({ ok: true, guarantees: { delivery: 0, acknowledgement: 1, ordering: 0, deduplication: 0, backpressure: 0, producerNaming: 0, controlIsolated: 0 } });
    expect(negotiate(V0, offering({}, {}))).toEqual(negotiate(V0, V0));
    expect(negotiate(V0, { ...V0, guaranteesRequired: { acknowledgement: 1 } }).ok).toBe(true);
    expect(negotiate(V0, { ...V0, guaranteesRequired: { acknowledgement: 2 } }).ok).toBe(false);
    // Silence requires core, which an offer below it does not reach.
    expect(negotiate(V0, { ...V0, guaranteesOffered: { acknowledgement: 0 } })).toMatchObject({ ok: false, reason: 'requirement-not-reached', dimension: 'acknowledgement' });
    expect(negotiate({ ...V0, guaranteesOffered: { acknowledgement: 0 } }, V0)).toMatchObject({ ok: false, dimension: 'acknowledgement' });
  });

  it.each([
    ['delivery', [0, 1, 2]],
    ['acknowledgement', [0, 1, 2, 3, 4, 5]],
    ['ordering', [0, 1, 2, 3, 4]],
    ['controlIsolated', [0, 1]],
  ] as const)('on the ladder %s are the weaker of two offers, and a requirement is at least [W-081, W-309, W-310, W-086]', (dimension, levels) => {
    for (const a of levels) {
      for (const b of levels) {
        expect(negotiate(offering({ [dimension]: a }), offering({ [dimension]: b }, { acknowledgement: 0 }))).toMatchObject({ ok: true, guarantees: { [dimension]: Math.min(a, b) } });
        for (const wanted of levels) {
          const outcome = agreed({ [dimension]: a }, { [dimension]: b }, { [dimension]: wanted });
          if (Math.min(a, b) < wanted) expect(outcome).toBe(`requirement-not-reached ${dimension}`);
          else expect(outcome).toBeTypeOf('object');
        }
      }
    }
  });

  it('of deduplication are a ladder too, with the shorter window (OPEN-10) [W-081, W-309]', () => {
    const bounded = (dedupWindowMs: Uint): GuaranteeSet => ({ deduplication: 1, dedupWindowMs });
    expect(agreed(bounded(5000), bounded(3000))).toEqual(bounded(3000));
    expect(agreed(bounded(3000), bounded(5000))).toEqual(bounded(3000));
    expect(agreed(bounded(5000), { deduplication: 2 })).toEqual(bounded(5000));
    expect(agreed({ deduplication: 2 }, { deduplication: 2 })).toEqual({ deduplication: 2 });
    expect(agreed(bounded(3000), bounded(5000), bounded(3000))).toEqual(bounded(3000));
    expect(agreed(bounded(3000), bounded(5000), bounded(3001))).toBe('requirement-not-reached dedupWindowMs');
    expect(agreed({ deduplication: 2 }, { deduplication: 2 }, bounded(9000))).toEqual({ deduplication: 2 });
    expect(agreed(bounded(9000), { deduplication: 2 }, { deduplication: 2 })).toBe('requirement-not-reached deduplication');
  });

  it('drop the window where nothing is left to bound [W-312]', () => {
    expect(agreed({ deduplication: 1, dedupWindowMs: 5000 }, {})).toEqual({});
    expect(agreed({}, { deduplication: 1, dedupWindowMs: 5000 })).toEqual({});
  });

  it('without an order are the same on both sides, or nothing [W-082, W-083]', () => {
    for (const [a, b] of [[0, 2], [2, 0], [1, 4], [3, 2]] as const) expect(agreed({ backpressure: a }, { backpressure: b })).toBe('incomparable backpressure');
    expect(agreed({ backpressure: 2 }, { backpressure: 2 })).toEqual({ backpressure: 2 });
    expect(agreed({ producerNaming: 1 }, {})).toBe('incomparable producerNaming');
    expect(agreed({}, { producerNaming: 1 })).toBe('incomparable producerNaming');
    expect(agreed({ producerNaming: 1 }, { producerNaming: 1 }, { producerNaming: 1 })).toEqual({ producerNaming: 1 });
    expect(agreed({ producerNaming: 1 }, { producerNaming: 1 }, { producerNaming: 0 })).toBe('requirement-not-reached producerNaming');
    expect(agreed({ backpressure: 2 }, { backpressure: 2 }, { backpressure: 1 })).toBe('requirement-not-reached backpressure');
  });

  it('of durability differ to no end, where the level still carries it [W-084]', () => {
    expect(agreed({ acknowledgement: 3, durability: 1 }, { acknowledgement: 3, durability: 0 })).toBe('incomparable durability');
    expect(agreed({ acknowledgement: 4, durability: 1 }, { acknowledgement: 3, durability: 0 })).toBe('incomparable durability');
    expect(agreed({ acknowledgement: 4, durability: 1 }, { acknowledgement: 4, durability: 0 })).toBe('incomparable durability');
    expect(agreed({ acknowledgement: 3, durability: 0 }, { acknowledgement: 3, durability: 0 })).toEqual({ acknowledgement: 3, durability: 0 });
  });

  it('of replicas differ to no end, where the level still carries them [W-085]', () => {
    expect(agreed({ acknowledgement: 4, replicas: 3 }, { acknowledgement: 4, replicas: 5 })).toBe('incomparable replicas');
    expect(agreed({ acknowledgement: 4, replicas: 3 }, { acknowledgement: 4, replicas: 3n })).toEqual({ acknowledgement: 4, replicas: 3 });
    expect(agreed({ acknowledgement: 4, replicas: 3 }, { acknowledgement: 3 })).toEqual({ acknowledgement: 3 });
  });

  it('drop both axes below Stored, before they would be compared [W-311]', () => {
    expect(agreed({ acknowledgement: 3, durability: 1 }, {})).toEqual({});
    expect(agreed({ acknowledgement: 3, durability: 1 }, { acknowledgement: 2 })).toEqual({ acknowledgement: 2 });
    expect(agreed({ acknowledgement: 4, durability: 1, replicas: 3 }, { acknowledgement: 0 })).toEqual({ acknowledgement: 0 });
  });

  it('carry an axis that one side declares, and reach no requirement with it [W-430]', () => {
    expect(agreed({ acknowledgement: 3 }, { acknowledgement: 3, durability: 1 })).toEqual({ acknowledgement: 3, durability: 1 });
    expect(agreed({ acknowledgement: 3 }, { acknowledgement: 3, durability: 1 }, { acknowledgement: 3, durability: 0 })).toBe('requirement-not-reached durability');
    expect(agreed({ acknowledgement: 4 }, { acknowledgement: 4, replicas: 3 }, { acknowledgement: 4, replicas: 2 })).toBe('requirement-not-reached replicas');
    expect(agreed({ acknowledgement: 4, replicas: 3 }, { acknowledgement: 4, replicas: 3 }, { acknowledgement: 4, replicas: 2 })).toEqual({ acknowledgement: 4, replicas: 3 });
    expect(agreed({ acknowledgement: 4, replicas: 3 }, { acknowledgement: 4, replicas: 3 }, { acknowledgement: 4, replicas: 4 })).toBe('requirement-not-reached replicas');
    expect(agreed({ acknowledgement: 3, durability: 1 }, { acknowledgement: 3, durability: 1 }, { acknowledgement: 3, durability: 0 })).toEqual({ acknowledgement: 3, durability: 1 });
    expect(agreed({ acknowledgement: 3, durability: 0 }, { acknowledgement: 3, durability: 0 }, { acknowledgement: 3, durability: 1 })).toBe('requirement-not-reached durability');
  });

  it('that are required are met in full, or the negotiation fails [W-086, W-087, W-308]', () => {
    expect(agreed({}, { acknowledgement: 2 }, { acknowledgement: 2 })).toBe('requirement-not-reached acknowledgement');
    expect(agreed({}, { ordering: 1 }, { ordering: 1 })).toBe('requirement-not-reached ordering');
    expect(agreed({ ordering: 2 }, { ordering: 1 }, { ordering: 1 })).toEqual({ ordering: 1 });
  });

  it('that the peer wrote under keys we do not know are no agreement [W-313]', () => {
    const odd = { ...V0, guaranteesOffered: { 10: 3, futureDimension: 3 } } as unknown as HelloFrame;
    expect(negotiate(odd, odd)).toEqual(negotiate(V0, V0));
  });
});

describe('negotiation', () => {
  it('is the same on both sides, and depends on the two HELLOs alone [W-070, W-071]', () => {
    fc.assert(
      fc.property(arbitrarySet, arbitrarySet, (a, b) => {
        const here = negotiate(offering(a), offering(b, anything(b)));
        const there = negotiate(offering(b), offering(a, anything(a)));
        expect(here).toEqual(there);
        expect(negotiate(structuredClone(offering(a)), structuredClone(offering(b, anything(b))))).toEqual(here);
        // What is agreed on is itself a set that may stand, but for the axis of one side.
        if (here.ok) expect(guaranteeIssue(here.guarantees)).toBeUndefined();
      }),
      { numRuns: 2000 },
    );
  });

  it('weakens, and never adds', () => {
    const ladders = ['delivery', 'acknowledgement', 'ordering', 'deduplication', 'controlIsolated'] as const;
    fc.assert(
      fc.property(arbitrarySet, arbitrarySet, (a, b) => {
        const outcome = negotiate(offering(a), offering(b, anything(b)));
        if (!outcome.ok) return;
        for (const name of ladders) expect(outcome.guarantees[name]).toBe(Math.min(a[name] ?? (name === 'acknowledgement' ? 1 : 0), b[name] ?? (name === 'acknowledgement' ? 1 : 0)));
      }),
      { numRuns: 1000 },
    );
  });
});
