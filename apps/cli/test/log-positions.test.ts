import { readFileSync, writeFileSync } from 'node:fs';

import { tempDir } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { LogPositions } from '../src/log-positions.js';

const place = (offset: number) => ({ file: '1:2', offset, line: 2, check: '00' });

describe('LogPositions', () => {
  it('keeps the place behind what was shown, and not behind what is being shown', async () => {
    await using dir = await tempDir();
    const path = dir.file('state', 'p.json');
    const positions = new LogPositions(path);
    let offset = 1;
    positions.reading('a', () => place(offset));
    positions.shown();
    await positions.save();
    offset = 2;
    positions.showing();
    await positions.save();
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ version: 1, logs: { a: place(1) } });
    positions.shown();
    positions.read();
    positions.reading('__proto__', () => place(9));
    positions.shown();
    await positions.save();
    const next = new LogPositions(path);
    expect([await next.load(), next.get('a'), next.get('__proto__'), next.get('constructor')]).toEqual([2, place(2), place(9), undefined]);
    next.keepOnly(new Set(['a']));
    await next.save();
    expect(await new LogPositions(path).load()).toBe(1);
    expect(await new LogPositions(undefined).load()).toBe(0);
  });

  it('refuses what holds no places', async () => {
    await using dir = await tempDir();
    for (const text of ['', '[]', '{"version":2,"logs":{}}', '{"version":1,"logs":[]}', '{"version":1,"logs":{"a":{}}}', '{"version":1,"positions":[]}']) {
      writeFileSync(dir.file('p'), text);
      await expect(new LogPositions(dir.file('p')).load()).rejects.toMatchObject({ exitCode: 2 });
    }
    const unwritable = new LogPositions(dir.file('p', 'q'));
    unwritable.reading('a', () => place(1));
    unwritable.shown();
    await expect(unwritable.save()).rejects.toMatchObject({ exitCode: 1 });
  });
});
