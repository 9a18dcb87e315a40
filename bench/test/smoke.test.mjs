import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, describe, expect, it } from 'vitest';

const RUN = join(import.meta.dirname, '../run.mjs');
const folder = mkdtempSync(join(tmpdir(), 'aepkit-bench-'));
const run = (...args) => promisify(execFile)(process.execPath, [RUN, ...args], { maxBuffer: 16 * 1024 * 1024 });
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('npm run bench', () => {
  it('runs every benchmark with tiny sizes, prints its rows and writes them', async () => {
    const file = join(folder, 'results.json');
    const { stdout } = await run('--smoke', '--json', file);
    const { stdout: listed } = await run('--list', '--smoke');
    const names = listed.trim().split('\n');
    const { rows, failed, smoke } = JSON.parse(readFileSync(file, 'utf8'));
    expect([failed, smoke]).toEqual([[], true]);
    expect(names.length).toBeGreaterThan(10);
    for (const name of names) expect(rows.filter(({ bench }) => bench === name), name).not.toEqual([]);
    for (const { row, value, load } of rows) {
      expect(stdout).toContain(row);
      expect([value, load].every(Number.isFinite), row).toBe(true);
    }
  });

  it('has a row for every number the design asks for', async () => {
    const rows = JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8')).rows.filter(({ met }) => met !== undefined).map(({ row }) => row);
    for (const part of ['relay', 'collector', 'one Event per POST', 'SSE fan-out', 'selective', 'replay of', 'held Event', 'latency', 'aep --version', 'hook shim']) {
      expect(rows.filter((row) => row.includes(part)), part).not.toEqual([]);
    }
  });

  it('names what there is where nothing is named so', async () => {
    await expect(run('nothing-of-this-name')).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('hub/fanout') });
  });
});
