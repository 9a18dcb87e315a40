import { describe, expect, it } from 'vitest';

import { encodeFrame, FRAME_KINDS, FrameReader, StreamGuard, type FrameKind, type StreamRole } from '../src/index.js';
import { errorOf, header, hex, readPieces, VECTORS } from './support.js';

const opens = (role: StreamRole): FrameKind[] =>
  FRAME_KINDS.filter((kind) => {
    try {
      new StreamGuard(role).open(kind);
      return true;
    } catch {
      return false;
    }
  });

describe('what opens a stream', () => {
  it('of one way: every kind but ERROR [W-142, W-143]', () => {
    expect(opens('uni')).toEqual(['HELLO', 'DATA', 'SUBSCRIBE', 'UNSUBSCRIBE', 'CREDIT', 'CURSOR']);
    expect(errorOf(() => new StreamGuard('uni').open('ERROR'))).toMatchObject({ code: 'frame-not-allowed', offset: 1, clause: 'W-143', scope: 'connection' });
  });

  it('on the initiating half: DATA and nothing else [W-144]', () => {
    expect(opens('initiating')).toEqual(['DATA']);
  });

  it('on the reply half: DATA or ERROR, and no more than one [W-145, W-253, W-356]', () => {
    expect(opens('reply')).toEqual(['DATA', 'ERROR']);
    const guard = new StreamGuard('reply');
    guard.open('DATA');
    expect(errorOf(() => guard.open('DATA')).code).toBe('frame-not-allowed');
    expect(errorOf(() => guard.open('ERROR')).code).toBe('frame-not-allowed');
  });

  it('of two ways is never HELLO, SUBSCRIBE, UNSUBSCRIBE, CREDIT or CURSOR [W-146]', () => {
    for (const role of ['initiating', 'reply'] as const) {
      for (const kind of ['HELLO', 'SUBSCRIBE', 'UNSUBSCRIBE', 'CREDIT', 'CURSOR'] as const) expect(errorOf(() => new StreamGuard(role).open(kind)).code).toBe('frame-not-allowed');
    }
  });

  it('is judged by the kind octet, before the header is here [W-127]', () => {
    for (const [role, kind] of [['uni', 2], ['initiating', 0], ['initiating', 2], ['reply', 3], ['reply', 6]] as const) {
      expect(errorOf(() => new FrameReader({ stream: role }).push(Uint8Array.of(0x57, kind)))).toMatchObject({ code: 'frame-not-allowed', offset: 1 });
    }
  });

  it('over a local transport: HELLO on control, DATA on reverse, all of the rest on transfer [W-014, W-030, W-044]', () => {
    expect(opens('control')).toEqual(['HELLO']);
    expect(opens('transfer')).toEqual(['DATA', 'SUBSCRIBE', 'UNSUBSCRIBE', 'CREDIT', 'CURSOR']);
    expect(opens('reverse')).toEqual(['DATA']);
    for (const role of ['control', 'transfer', 'reverse'] as const) expect(readPieces([hex('58')], { stream: role }).error).toBe('bad-magic 0 W-119');
  });

  it('each half by its own preamble [W-114]', () => {
    for (const role of ['initiating', 'reply'] as const) expect(readPieces([hex('a100622f74')], { stream: role }).error).toBe('bad-magic 0 W-119');
  });
});

describe('endpoint', () => {
  it('is required where DATA starts a transfer [W-128, W-207, W-208]', () => {
    for (const role of ['uni', 'initiating', 'transfer', 'reverse'] as const) {
      expect(readPieces([hex('570101a0')], { stream: role }).error).toBe(`missing-endpoint 3 ${role === 'initiating' ? 'W-208' : 'W-207'}`);
      expect(readPieces([hex('570104a1056161')], { stream: role }).error).toMatch(/^missing-endpoint/);
      expect(readPieces([hex('570103a10060')], { stream: role }).error).toBeUndefined();
    }
  });

  it('says nothing on a reply half [W-209]', () => {
    expect(readPieces([hex('570101a0')], { stream: 'reply' }).error).toBeUndefined();
    expect(readPieces([hex('570105a100622f78')], { stream: 'reply' }).error).toBeUndefined();
  });

  it('is asked of DATA alone', () => {
    for (const { hex: octets, frame } of VECTORS.vectors) {
      if (frame === 'RECORD' || frame === '-' || frame === 'DATA' || frame === 'ERROR') continue;
      expect(readPieces([hex(octets)], { stream: 'uni' }).error).toBeUndefined();
    }
    expect(() => new StreamGuard('uni').header(header('CURSOR', 'a10001'))).not.toThrow();
  });
});

it('a reply may order a report of its own, and the report adds no frame to it [W-147, W-243]', () => {
  const reply = encodeFrame({ kind: 'DATA', reportId: 1, report: [2, 5] });
  expect(readPieces([reply], { stream: 'reply' }).frame).toEqual({ kind: 'DATA', reportId: 1, report: [2, 5] });
  expect(readPieces([hex('570603a10001')], { stream: 'reply' }).error).toBe('frame-not-allowed 1 W-145');
  // What follows is payload, and no frame is looked for in it.
  expect(readPieces([reply, hex('570603a10001')], { stream: 'reply' }).payload).toBe('570603a10001');
});

it('has no stream of datagrams [W-428]', () => {
  for (const role of ['datagram', 'datagrams', '__proto__', 'constructor']) expect(() => new StreamGuard(role as StreamRole)).toThrow(TypeError);
});
