import { buildEvent, buildWire } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { outgoingLines } from '../src/outgoing.js';

describe('outgoingLines', () => {
  it('takes the text of an Event as it is, or makes it, one line each [B-012]', () => {
    const wire = buildWire({ data: { text: 'ä\u2028' } });
    const event = buildEvent();
    const lines = outgoingLines([wire, event], 1_000);
    expect(lines.map((line) => line.json)).toEqual([wire.json, JSON.stringify(event)]);
    expect(lines.map(({ size }) => size)).toEqual(lines.map((line) => Buffer.byteLength(`${line.json}\n`)));
    expect(outgoingLines(wire, 1_000)).toEqual(lines.slice(0, 1));
    expect(outgoingLines([], 1_000)).toEqual([]);
  });

  it('makes no blank line and no second line [B-012]', () => {
    for (const json of ['', '{\n}', '{}\r', '{}\n']) {
      expect(() => outgoingLines({ ...buildWire(), json }, 1_000)).toThrow(expect.objectContaining({ name: 'JsonlWriteError', code: 'not-one-line', failed: undefined }));
    }
  });

  it('writes no frame of another binding [B-011]', () => {
    expect(() => outgoingLines({ frame: 'hello', versions: ['0.1'] } as never, 1_000)).toThrow(expect.objectContaining({ name: 'EnvelopeError' }));
  });

  it('measures a line in bytes', () => {
    const wire = buildWire({ data: { text: '漢' } });
    const size = Buffer.byteLength(wire.json);
    for (const limit of [size, size + 1, Infinity]) expect(outgoingLines(wire, limit)).toHaveLength(1);
    for (const event of [wire, wire.event]) expect(() => outgoingLines(event, size - 1)).toThrow(expect.objectContaining({ code: 'too-large' }));
    const large = buildEvent({ data: { text: 'x'.repeat(1_100_000) } });
    expect(() => outgoingLines(large, 1_048_576)).toThrow(expect.objectContaining({ name: 'JsonlWriteError', code: 'too-large' }));
    expect(outgoingLines(large, Infinity)).toHaveLength(1);
  });
});
