import { describe, expect, it } from 'vitest';

import { belongsToGroup, decodeFrame, encodeLocalPreamble, encodePipeChunk, FrameReader, GROUP_TOKEN_BYTES, LocalPreambleReader, PipeReader, type LocalGroup, type PipeEvent } from '../src/index.js';
import { errorOf, feedings, hex, toHex } from './support.js';

const TOKEN = hex('000102030405060708090a0b0c0d0e0f');

describe('a local preamble', () => {
  it('is one octet for control, and one and the token for transfer and reverse [W-028, W-030, W-032, W-033]', () => {
    expect(GROUP_TOKEN_BYTES).toBe(16);
    expect(toHex(encodeLocalPreamble({ role: 'control' }))).toBe('01');
    expect(toHex(encodeLocalPreamble({ role: 'transfer', token: TOKEN }))).toBe(`02${toHex(TOKEN)}`);
    expect(toHex(encodeLocalPreamble({ role: 'reverse', token: TOKEN }))).toBe(`03${toHex(TOKEN)}`);
    for (const length of [0, 15, 17]) expect(() => encodeLocalPreamble({ role: 'transfer', token: new Uint8Array(length) })).toThrow(RangeError);
  });

  it('comes first: what follows it is handed on untouched', () => {
    for (const preamble of [{ role: 'control' }, { role: 'transfer', token: TOKEN }, { role: 'reverse', token: TOKEN }] as const) {
      for (const pieces of feedings(Uint8Array.of(...encodeLocalPreamble(preamble), 0x57, 0x01))) {
        const reader = new LocalPreambleReader();
        let found: unknown;
        let rest = '';
        for (const piece of pieces) {
          if (found !== undefined) rest += toHex(piece);
          else {
            const result = reader.push(piece);
            if (result === undefined) continue;
            found = result.preamble;
            rest += toHex(result.rest);
          }
        }
        expect([found, rest]).toEqual([preamble, '5701']);
        expect(() => reader.push(hex('00'))).toThrow(TypeError);
      }
    }
  });

  it('of any other octet is refused [W-028]', () => {
    for (const octet of [0, 4, 0x57, 255]) expect(errorOf(() => new LocalPreambleReader().push(Uint8Array.of(octet)))).toMatchObject({ code: 'local-preamble', offset: 0 });
  });

  it('is nothing that a stream of QUIC begins with [W-029]', () => {
    for (const preamble of ['01', `02${toHex(TOKEN)}`, `03${toHex(TOKEN)}`]) expect(errorOf(() => new FrameReader({ stream: 'uni' }).push(hex(preamble))).code).toBe('bad-magic');
  });
});

describe('a local group', () => {
  const group: LocalGroup = { token: TOKEN, credentials: { user: 1000, pid: 7 }, live: true };
  const other = TOKEN.map((octet, i) => (i === 15 ? octet ^ 1 : octet));

  it('takes a connection in that has its token and its credentials, transfer or reverse alike [W-034, W-035, W-036, W-040]', () => {
    expect(belongsToGroup(TOKEN, { user: 1000, pid: 7 }, group)).toBe(true);
    expect(belongsToGroup(other, { user: 1000, pid: 7 }, group)).toBe(false);
    expect(belongsToGroup(TOKEN.subarray(0, 15), { user: 1000, pid: 7 }, group)).toBe(false);
    expect(belongsToGroup(TOKEN, { user: 1001, pid: 7 }, group)).toBe(false);
    expect(belongsToGroup(TOKEN, { user: '1000', pid: 7 }, group)).toBe(false);
    expect(belongsToGroup(TOKEN, { user: 1000, pid: 8 }, group)).toBe(false);
    expect(belongsToGroup(TOKEN, { user: 1000 }, group)).toBe(false);
    expect(belongsToGroup(TOKEN, { user: 'S-1' }, { ...group, credentials: { user: 'S-1' } })).toBe(true);
  });

  it('is void once its control connection has closed, and nothing is bound without one [W-037, W-038]', () => {
    expect(belongsToGroup(TOKEN, group.credentials, { ...group, live: false })).toBe(false);
    expect(belongsToGroup(TOKEN, group.credentials, undefined)).toBe(false);
  });

  it('is never known by its pid alone [W-025]', () => {
    expect(belongsToGroup(other, { user: 1001, pid: 7 }, group)).toBe(false);
    expect(belongsToGroup(TOKEN, { user: 1001, pid: 7 }, group)).toBe(false);
  });
});

describe('the chunks of a pipe', () => {
  const read = (octets: string): readonly PipeEvent[] => new PipeReader().push(hex(octets));
  const joined = (pieces: Iterable<Uint8Array>): string => {
    const reader = new PipeReader();
    return [...pieces].flatMap((piece) => reader.push(piece)).map((event) => (event.type === 'payload' ? toHex(event.bytes) : event.type === 'fin' ? ' FIN' : ` RESET ${event.code}`)).join('');
  };

  it('are a payload with a length of four octets, low first [W-049]', () => {
    expect(toHex(encodePipeChunk({ type: 'payload', bytes: hex('6869') }))).toBe('00020000006869');
    expect(toHex(encodePipeChunk({ type: 'payload', bytes: new Uint8Array(258) }).subarray(0, 5))).toBe('0002010000');
    expect(read('00020000006869')).toEqual([{ type: 'payload', bytes: hex('6869') }]);
  });

  it('are a FIN of one octet, the end of the stream [W-050, W-052]', () => {
    expect(toHex(encodePipeChunk({ type: 'fin' }))).toBe('01');
    const reader = new PipeReader();
    expect(reader.ended).toBeUndefined();
    expect(reader.push(hex('01'))).toEqual([{ type: 'fin' }]);
    expect(reader.ended).toBe('fin');
    expect(reader.push(hex('0001000000ff'))).toEqual([]);
    expect(reader.push(new Uint8Array(30))).toEqual([]);
    expect(new PipeReader().push(hex(`01${'00'.repeat(30)}`))).toEqual([{ type: 'fin' }]);
    expect(new PipeReader().push(hex(`020300000000000000${'02'.repeat(30)}`))).toEqual([{ type: 'reset', code: 3 }]);
  });

  it('are a RESET with a code of eight octets, low first, which is told to the caller [W-051, W-053]', () => {
    expect(toHex(encodePipeChunk({ type: 'reset', code: 3 }))).toBe('020300000000000000');
    expect(toHex(encodePipeChunk({ type: 'reset', code: 2n ** 63n + 258n }))).toBe('020201000000000080');
    for (const code of [3, 7, 0xffff_ffff, 2 ** 40 + 5, 2n ** 63n + 258n, 2n ** 64n - 1n]) {
      for (const pieces of feedings(encodePipeChunk({ type: 'reset', code }))) expect(joined(pieces)).toBe(` RESET ${code}`);
    }
    const reader = new PipeReader();
    reader.push(hex('020300000000000000'));
    expect(reader.ended).toBe('reset');
    for (const code of [-1, 2n ** 64n]) expect(() => encodePipeChunk({ type: 'reset', code })).toThrow(RangeError);
  });

  it('are of no other kind [W-054]', () => {
    for (let kind = 3; kind < 256; kind++) expect(errorOf(() => read(`0001000000aa${kind.toString(16).padStart(2, '0')}`))).toMatchObject({ code: 'pipe-chunk', offset: 6, clause: 'W-054' });
  });

  it('hide no marker, and what looks like one inside a payload is payload [W-055, W-056]', () => {
    for (const bytes of ['01', '02', '0102', '020300000000000000', '00']) {
      const whole = encodePipeChunk({ type: 'payload', bytes: hex(bytes) });
      for (const pieces of feedings(Uint8Array.of(...whole, 1))) expect(joined(pieces)).toBe(`${bytes} FIN`);
    }
  });

  it('may cut a frame anywhere [W-057]', () => {
    const frame = hex('570105a100622f74abcd');
    for (let cut = 0; cut <= frame.length; cut++) {
      const octets = Uint8Array.of(...encodePipeChunk({ type: 'payload', bytes: frame.subarray(0, cut) }), ...encodePipeChunk({ type: 'payload', bytes: frame.subarray(cut) }), 1);
      for (const pieces of [[octets], Array.from(octets, (octet) => Uint8Array.of(octet))]) {
        const stream = joined(pieces).replace(' FIN', '');
        expect(decodeFrame(hex(stream))).toMatchObject({ frame: { endpoint: '/t' }, payload: hex('abcd') });
      }
    }
  });

  it('may be empty, and reserve nothing for a length (OPEN-21)', () => {
    expect(read('000000000001')).toEqual([{ type: 'fin' }]);
    const reader = new PipeReader();
    expect(reader.push(hex('00ffffffff'))).toEqual([]);
    expect(reader.push(hex('aa'))).toEqual([{ type: 'payload', bytes: hex('aa') }]);
    expect(reader.ended).toBeUndefined();
  });

  it('begin behind the preamble; the group token goes bare ahead of them [W-031, W-048]', () => {
    const opened = new LocalPreambleReader().push(Uint8Array.of(...encodeLocalPreamble({ role: 'transfer', token: TOKEN }), ...encodePipeChunk({ type: 'fin' })));
    expect(new PipeReader().push(opened!.rest)).toEqual([{ type: 'fin' }]);
  });
});
