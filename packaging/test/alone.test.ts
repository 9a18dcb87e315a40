import { existsSync, readFileSync } from 'node:fs';

import { describe, expect, inject, it } from 'vitest';

import { NODES } from '../src/nodes.js';
import { pinsFile, pinsOf } from '../src/pins.js';
import { tryOn, type Tried } from '../src/try.js';
import { specifier } from '../src/workspace.js';

const lab = inject('lab');
const packages = inject('packages');
const first = new Map<string, Promise<Tried>>();

describe.each(NODES)('on Node $major', ({ major, path }) => {
  if (path === undefined) {
    it.skip(`Node ${major} is not to be had for ${process.platform}-${process.arch}`);
    return;
  }
  it.each(packages)('$name works alone', async (each) => {
    const run = tryOn(path, lab, each);
    const tried = await run;
    expect(Object.keys(tried.entries)).toEqual(each.entries.map((entry) => specifier(each.name, entry)));
    for (const names of Object.values(tried.entries)) expect(Object.keys(names).length).toBeGreaterThan(0);
    if (tried.expected !== undefined) expect(tried.result).toEqual(tried.expected);
    // What callers hold on to, where the package pins it.
    if (major === 24 && existsSync(pinsFile(each))) expect(await pinsOf(lab, each, tried)).toEqual(JSON.parse(readFileSync(pinsFile(each), 'utf8')));
    // The same on each Node.
    const before = await (first.get(each.name) ?? run);
    first.set(each.name, Promise.resolve(before));
    expect(tried.entries).toEqual(before.entries);
    expect(tried.result).toEqual(before.result);
  });
});
