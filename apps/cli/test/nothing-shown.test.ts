import { writeFileSync } from 'node:fs';

import { buildWire, tempDir } from '@aepkit/testkit';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { tail, type TailOptions } from '../src/commands/tail.js';
import { aepIn, startCollector } from './support.js';

/** What a person at a terminal is told. */
async function told(path: string, options: TailOptions, isTTY = true): Promise<string> {
  let text = '';
  const before = Object.getOwnPropertyDescriptor(process.stderr, 'isTTY');
  Object.defineProperty(process.stderr, 'isTTY', { value: isTTY, configurable: true });
  vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => {
    text += String(chunk);
    return true;
  });
  vi.spyOn(process.stdout, 'write').mockImplementation(() => true);
  try {
    expect(await tail(path, { follow: false, ...options })).toBe(0);
    return text;
  } finally {
    vi.restoreAllMocks();
    if (before === undefined) Reflect.deleteProperty(process.stderr, 'isTTY');
    else Object.defineProperty(process.stderr, 'isTTY', before);
  }
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('tail --no-follow that shows nothing', () => {
  it('says so of a collector, to people only', async () => {
    await using home = await tempDir();
    const aep = aepIn(home.path);
    const { url, process: collector } = await startCollector(aep, ['--data', home.file('data')]);
    const state = home.file('state.json');
    expect(await told(url, { resume: false })).toBe('there are no Events\n');
    expect(await told(url, { resume: false, session: ['nosuch'] })).toBe('no Event matches\n');
    expect(await told(url, { resume: false, session: ['nosuch'] }, false)).toBe('');
    await aep.run(['emit', '--url', url, '--type', 'progress.status', '--session', 's']);
    expect(await told(url, { state })).toBe('');
    expect(await told(url, { state })).toMatch(/^going on .*\nno new Events\n$/);
    await collector.stop('SIGINT');
  });

  it('says so of a log', async () => {
    await using home = await tempDir();
    const log = home.file('s.jsonl');
    const state = home.file('state.json');
    writeFileSync(log, `${buildWire({ seq: 1 }).json}\n`);
    const resume = false;
    expect(await told(log, { resume })).toBe('');
    expect(await told(log, { resume, session: ['nosuch'] })).toBe('no Event matches\n');
    expect(await told(log, { resume, session: ['nosuch'] }, false)).toBe('');
    expect(await told(log, { resume, lines: 0 })).toBe('');
    expect(await told(log, { state })).toBe('');
    expect(await told(log, { state })).toMatch(/^going on .*\nno new Events\n$/);
  });
});
