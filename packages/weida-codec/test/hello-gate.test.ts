import { describe, expect, it } from 'vitest';

import { APPLICATION_CODE, encodeFrame, FRAME_KINDS, FrameReader, hello, HelloGate, WeidaEncodeError } from '../src/index.js';

const OTHERS = FRAME_KINDS.filter((kind) => kind !== 'HELLO');

describe('before the HELLO of the peer', () => {
  it('nothing else is processed, and nothing is refused: it is parked [W-062, W-063, W-065, W-067]', () => {
    const gate = new HelloGate(hello());
    expect(OTHERS.map((kind) => gate.arrival(kind))).toEqual(OTHERS.map(() => 'park'));
    expect(gate.arrival('HELLO')).toBe('process');
    expect(gate.outcome).toBeUndefined();
  });

  it('the time runs, on either side, and its end closes with NEGOTIATION_FAILED [W-068, W-097]', () => {
    const gate = new HelloGate(hello());
    expect(gate.timeout()).toBe(APPLICATION_CODE.negotiationFailed);
    gate.hello(hello());
    expect(gate.timeout()).toBeUndefined();
  });
});

describe('after it', () => {
  it('what was parked is processed as if it came now [W-066]', () => {
    const gate = new HelloGate(hello());
    expect(gate.hello(hello())).toMatchObject({ ok: true, version: 0 });
    expect(OTHERS.map((kind) => gate.arrival(kind))).toEqual(OTHERS.map(() => 'process'));
  });

  it('another one is read, since one that does not decode is a violation as ever, and the first outcome stays (OPEN-12)', () => {
    const gate = new HelloGate(hello());
    const first = gate.hello(hello({ maxHeaderBytes: 100 }));
    expect(gate.arrival('HELLO')).toBe('process');
    expect(gate.hello(hello({ maxHeaderBytes: 200 }))).toBe(first);
    expect(gate.outcome).toMatchObject({ sendMaxHeaderBytes: 100 });
  });

  it('a failure closes with NEGOTIATION_FAILED, and nothing is processed [W-092]', () => {
    const gate = new HelloGate(hello());
    expect(gate.hello({ ...hello(), versions: [1] })).toEqual({ ok: false, reason: 'no-common-version', applicationCode: 4 });
    expect(FRAME_KINDS.map((kind) => gate.arrival(kind))).toEqual(FRAME_KINDS.map(() => 'ignore'));
  });
});

it('each connection has a gate and an outcome of its own [W-099, W-424]', () => {
  const ours = hello();
  const [a, b] = [new HelloGate(ours), new HelloGate(ours)];
  a.hello(hello({ maxHeaderBytes: 100 }));
  expect(b.arrival('DATA')).toBe('park');
  b.hello(hello({ maxHeaderBytes: 200 }));
  expect([a.outcome, b.outcome]).toMatchObject([{ sendMaxHeaderBytes: 100 }, { sendMaxHeaderBytes: 200 }]);
});

it('max_transfers is advice: no number of it fails, and none is agreed on [W-185]', () => {
  for (const maxTransfers of [0, 1, 2n ** 64n - 1n]) {
    const outcome = new HelloGate(hello({ maxTransfers })).hello(hello({ maxTransfers: 0 }));
    expect(outcome).toEqual(new HelloGate(hello()).hello(hello()));
  }
});

it('what this side takes stays bounded by its own limit, whatever the peer advertised [W-091]', () => {
  const outcome = new HelloGate(hello()).hello(hello({ maxHeaderBytes: 10 }));
  expect(outcome).not.toHaveProperty('maxHeaderBytes');
  // The peer takes headers of 10 octets, and may send longer ones.
  expect(new FrameReader().push(encodeFrame({ kind: 'DATA', endpoint: 'a'.repeat(100) }))).toHaveLength(1);
  expect(() => encodeFrame({ kind: 'DATA', endpoint: 'a'.repeat(100) }, { agreed: outcome.ok ? outcome : undefined })).toThrow(WeidaEncodeError);
});
