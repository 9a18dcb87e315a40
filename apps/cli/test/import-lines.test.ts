import { writeFileSync } from 'node:fs';

import { buildWire, tempDir } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { readLogs } from '../src/import-lines.js';

const at = (id: string, second: string, more: Readonly<Record<string, unknown>> = {}): string => `${buildWire({ id, time: `2026-01-01T00:00:${second}Z`, ...more }).json}\n`;
const foreign = { type: 'control.cancel', seq: undefined, data: undefined };

const NEVER = new AbortController().signal;

describe('readLogs', () => {
  it('lets the time decide between logs, never within one, and a position at one time', async () => {
    await using dir = await tempDir();
    const [agent, operator] = [dir.file('a.jsonl'), dir.file('o.jsonl')];
    writeFileSync(agent, at('a1', '01') + at('a3', '03') + at('a2', '02') + at('a4', '60'));
    writeFileSync(operator, `${at('o1', '01', foreign)}x\n${at('o2', '03.5', foreign)}${at('o3', '59', foreign).trimEnd()}`);
    const found = await Array.fromAsync(readLogs([[operator], [agent]], 1e6, NEVER), (line) => (line.type === 'event' ? line.event.event.id : `${line.type} ${String(line.line)}`));
    // A leap second counts as the one before it.
    expect(found).toEqual(['a1', 'o1', 'bad 2', 'a3', 'a2', 'o2', 'a4', 'o3']);
  });

  it('reads files of one log one behind the other, counts versions it does not read, and tells what is torn', async () => {
    await using dir = await tempDir();
    const files = [dir.file('s.jsonl.1'), dir.file('s.jsonl')];
    writeFileSync(files[0] ?? '', `${at('one', '01')}{"aep":"2.0"}\n{"aep":"2.0"}\n{"aep":"2.0"}\n\n{"aep":"3.0"}\n${at('two', '02').slice(0, 40)}`);
    writeFileSync(files[1] ?? '', `\uFEFF${at('three', '03')}`);
    const found = await Array.fromAsync(readLogs([files], 1e6, NEVER), (line) => [line.type, line.line, line.type === 'skipped' ? line.count : line.type === 'event' ? line.event.event.id : '']);
    expect(found).toEqual([['event', 1, 'one'], ['bad', 2, ''], ['bad', 6, ''], ['bad', 7, ''], ['skipped', 8, 2], ['event', 1, 'three']]);
    await expect(Array.fromAsync(readLogs([[dir.path]], 1e6, NEVER))).rejects.toMatchObject({ exitCode: 2 });
  });
});

it('ends when it is interrupted, in a line without end and where nothing comes', async () => {
  const stop = new AbortController();
  const reading = Array.fromAsync(readLogs([['/dev/zero']], 1e6, stop.signal));
  setImmediate(() => {
    stop.abort();
  });
  expect(await reading).toEqual([]);
  expect(await Array.fromAsync(readLogs([['/dev/zero'], ['/dev/zero']], 1e6, stop.signal))).toEqual([]);
});
