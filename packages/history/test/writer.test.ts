import { writeFileSync } from 'node:fs';
import type { WireEvent } from '@aepkit/envelope';
import { tempDir } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';
import { ADMISSIONS, makeGroup } from '../src/group.js';
import { prepareFile } from '../src/prepare-file.js';
import { Writer } from '../src/writer.js';
import { at, command, large } from './support.js';

interface Fixture extends AsyncDisposable {
  readonly writer: Writer;
  commit(...batches: WireEvent[][]): { admissions: string[]; failed: number[] };
}

async function fixture(options: { buffer?: number; maxBytes?: number } = {}): Promise<Fixture> {
  const folder = await tempDir();
  const path = folder.file('history.db');
  writeFileSync(path, '');
  prepareFile(path);
  const writer = new Writer({ path, buffer: 3, synchronous: 'NORMAL', maxBytes: Infinity, ...options });
  return {
    writer,
    commit(...batches) {
      const { admissions, failures } = writer.commit(makeGroup(batches));
      return { admissions: Array.from(admissions, (code) => ADMISSIONS[code] ?? '?'), failed: failures.map(({ batch }) => batch) };
    },
    async [Symbol.asyncDispose]() {
      writer.close();
      await folder.remove();
    },
  };
}

const TOO_LARGE_CHARS = 8 * 1024 ** 2;

describe('a group', () => {
  it('sees its own Events: a repeat inside it is a duplicate, also inside one batch', async () => {
    await using store = await fixture();
    const [a, b] = [at(0), at(1)];
    expect(store.commit([a, a], [b, a])).toEqual({ admissions: ['admitted', 'duplicate', 'admitted', 'duplicate'], failed: [] });
    expect(store.writer.mark).toBe(2);
  });

  it('that fails is tried batch by batch, so that one batch takes no other with it, nor half of itself', async () => {
    await using store = await fixture({ maxBytes: 2 * 1024 ** 2 });
    const [a, b, c] = [at(0), at(1), at(2)];
    expect(store.commit([a], [b, large(9, TOO_LARGE_CHARS)], [c]).failed).toEqual([1]);
    expect(store.writer.mark).toBe(2);
    // Nothing of the failed batch is kept, so its Event is new.
    expect(store.commit([a, b, c])).toEqual({ admissions: ['duplicate', 'admitted', 'duplicate'], failed: [] });
  });

  it('that fails leaves no session, source or position behind in what the writer remembers', async () => {
    await using store = await fixture({ buffer: 2, maxBytes: 2 * 1024 ** 2 });
    const other = { session: 's9', source: 'aep://test/new' };
    expect(store.commit([at(5, other), at(6, other), at(7, other), large(8, TOO_LARGE_CHARS)]).failed).toEqual([0]);
    expect(store.commit([command('s9')]).admissions).toEqual(['unbuffered']);
    // Were 6 and 7 remembered, this would be late.
    expect(store.commit([at(0, other)]).admissions).toEqual(['admitted']);
  });
});

describe('late', () => {
  it('is said of what stands below the depth when it comes, whether or not its betters are indexed yet', async () => {
    await using store = await fixture({ buffer: 3 });
    store.commit([0, 10, 20].map((seq) => at(seq)));
    expect(store.commit([at(5)]).admissions).toEqual(['admitted']);
    store.writer.index();
    expect(store.commit([at(6)], [at(30)], [at(7)], [at(9), at(15), at(12)]).admissions).toEqual([
      'admitted',
      'admitted',
      'late',
      'late',
      'admitted',
      'late',
    ]);
    store.writer.index();
    expect(store.commit([at(14), at(15), at(16)]).admissions).toEqual(['late', 'admitted', 'admitted']);
  });

  it('is not said of a repeat, which stays a duplicate', async () => {
    await using store = await fixture({ buffer: 1 });
    const first = at(0);
    store.commit([first, at(1), at(2)]);
    expect(store.commit([first]).admissions).toEqual(['duplicate']);
  });
});

describe('an id', () => {
  it('belongs to its source: the first Event that bears it wins, and another one opens no session', async () => {
    await using store = await fixture();
    expect(
      store.commit([at(0, { id: 'x' }), at(0, { id: 'x', session: 's2' }), command('s1', { id: 'x' }), at(0, { id: 'x', source: 'aep://test/2', session: 's2' })]),
    ).toEqual({ admissions: ['admitted', 'duplicate', 'admitted', 'admitted'], failed: [] });
    expect(store.commit([command('s2', { id: 'x', source: 'aep://test/2' })]).admissions).toEqual(['duplicate']);
  });
});
