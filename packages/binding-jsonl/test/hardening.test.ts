import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';

import { buildSession, buildWire, tempDir } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { JsonlReader } from '../src/reader.js';
import { decodeName, encodeName, JsonlWriter } from '../src/writer.js';
import { ids, others, probe } from './support.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('a line without end', () => {
  it('costs the limit and no more, is reported once, and the next line is read', () => {
    const reader = new JsonlReader({ maxLineBytes: 1_048_576 });
    const chunk = new Uint8Array(65_536).fill(0x20);
    const before = process.memoryUsage().arrayBuffers;
    let most = 0;
    for (let turn = 0; turn < 1_024; turn += 1) {
      expect(reader.push(chunk)).toEqual([]);
      most = Math.max(most, process.memoryUsage().arrayBuffers - before);
    }
    const size = 1_024 * 65_536;
    expect(most).toBeLessThan(4 * 1_048_576);
    expect(reader.tail()).toEqual({ type: 'tail', line: 1, start: 0, end: size });
    const items = reader.push(bytes(`\n${buildWire().json}\n`));
    expect(items).toMatchObject([{ type: 'bad', code: 'line-too-long', line: 1, start: 0, end: size + 1 }, { type: 'event', line: 2 }]);
  });

  it('in one piece is skipped whole', () => {
    const items = new JsonlReader({ maxLineBytes: 100_000 }).push(Buffer.concat([Buffer.alloc(16 * 1_048_576, 0xff), bytes(`\n${buildWire().json}\n`)]));
    expect(items).toMatchObject([{ code: 'line-too-long' }, { type: 'event' }]);
  });

  it('that comes byte by byte is read in linear time', () => {
    const reader = new JsonlReader({ maxLineBytes: Infinity });
    const { json } = buildWire({ data: { text: 'x'.repeat(1_000_000) } });
    for (const byte of bytes(json)) reader.push(Uint8Array.of(byte));
    expect(ids(reader.push(bytes('\n')))).toHaveLength(1);
  });
});

describe('hostile lines', () => {
  it.each([
    ['depth', '['.repeat(100_000), 'too-deep'],
    ['depth that closes', `${'['.repeat(50_000)}${']'.repeat(50_000)}`, 'too-deep'],
    ['depth in objects', '{"a":'.repeat(100_000), 'too-deep'],
    ['a number of a megabyte', '9'.repeat(1_000_000), 'not-an-object'],
    ['a name twice', '{"aep":"0.1","\\u0061ep":"9.0"}', 'duplicate-member'],
    ['a prototype', '{"__proto__":{"aep":"0.1"},"constructor":1}', 'missing-attribute'],
  ])('of %s are reported and skipped', (_name, line, code) => {
    const items = new JsonlReader().push(bytes(`${line}\n${buildWire().json}\n`));
    expect(items).toMatchObject([{ type: 'bad', code }, { type: 'event' }]);
  });

  it('find nothing in a polluted prototype', () => {
    Object.defineProperty(Object.prototype, 'aep', { value: '9.0', configurable: true });
    try {
      expect(new JsonlReader().push(bytes('{}\n'))).toMatchObject([{ type: 'bad' }]);
    } finally {
      Reflect.deleteProperty(Object.prototype, 'aep');
    }
  });

  it('of many versions, blanks and line ends leave nothing behind but counts', () => {
    const reader = new JsonlReader();
    let reported = 0;
    for (let turn = 0; turn < 2_000; turn += 1) reported += reader.push(bytes(`{"aep":"${String(turn)}.0"}\n`)).length;
    expect([reported, reader.stats().skipped]).toEqual([16, 2_000]);
    expect(reader.push(new Uint8Array(65_536).fill(0x0a))).toHaveLength(65_536);
  });

  it('show no value of the line in a message', () => {
    const items = new JsonlReader().push(bytes('{"aep":"0.1","id":"SECRET","type":"SECRET SECRET"}\nSECRET\n'));
    expect(JSON.stringify(items)).not.toContain('SECRET');
  });
});

describe('an Event that changes under the hand of the writer', () => {
  it('is written as it was given, and no memory of anything else with it', async () => {
    await using dir = await tempDir();
    const wire = { ...buildWire({ data: { text: 'x'.repeat(10_000) } }) };
    const { json } = wire;
    await using writer = new JsonlWriter({ path: dir.file('a') });
    const written = writer.append(wire);
    wire.json = '{}';
    await written;
    expect(readFileSync(dir.file('a'), 'utf8')).toBe(`${json}\n`);
  });
});

describe('hostile names', () => {
  it('of any length cost little', () => {
    expect(encodeName('\u0000'.repeat(1_000_000))).toHaveLength(66);
    expect(decodeName('%00'.repeat(100_000))).toBeUndefined();
    expect(decodeName('%='.repeat(100_000))).toBeUndefined();
  });
});

describe('hostile files', () => {
  it('are followed within the bounds of a reader', async () => {
    await using dir = await tempDir();
    const path = dir.file('a');
    const [event] = buildSession(1);
    writeFileSync(path, `${'x'.repeat(3_000_000)}\n\0\0\n${event!.json}\n${'y'.repeat(500_000)}`);
    await using follower = probe(path, { watch: false, maxLineBytes: 100_000, pollMs: 10 });
    expect(await follower.events(1)).toEqual([event!.event.id]);
    expect(others(follower.items)).toEqual(['opened', 'bad', 'bad']);
    expect(follower.follower.position()).toMatchObject({ line: 4, offset: 3_000_004 + Buffer.byteLength(event!.json) + 1 });
    appendFileSync(path, `\n${event!.json}\n`);
    await follower.events(2);
  });

  it('with a torn tail of megabytes are appended to', async () => {
    await using dir = await tempDir();
    const path = dir.file('a');
    for (const tornTail of ['newline', 'truncate'] as const) {
      writeFileSync(path, `${buildWire().json}\n${'x'.repeat(3_000_000)}`);
      await using writer = new JsonlWriter({ path, tornTail });
      await writer.append(buildWire());
      await writer.close();
    }
    await using follower = probe(path, { watch: false });
    await follower.events(2);
    expect(others(follower.items)).toEqual(['opened']);
  });
});
