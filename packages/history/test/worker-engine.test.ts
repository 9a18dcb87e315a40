import { Worker } from 'node:worker_threads';
import { writeFile } from 'node:fs/promises';
import { tempDir } from '@aepkit/testkit';
import { expect, it } from 'vitest';
import type { WriterOptions } from '../src/connection.js';
import type { HistoryError } from '../src/errors.js';
import { makeGroup, type Outcome } from '../src/group.js';
import { prepareFile } from '../src/prepare-file.js';
import { workerEngine } from '../src/worker-engine.js';
import { at } from './support.js';

const THREAD = new URL('../dist/writer-thread.js', import.meta.url);

async function options(path: string): Promise<WriterOptions> {
  await writeFile(path, '');
  prepareFile(path);
  return { path, buffer: 10, synchronous: 'NORMAL', maxBytes: Infinity };
}

it('answers with unavailable when its thread dies, and goes on with another one', async () => {
  await using folder = await tempDir();
  const threads: Worker[] = [];
  const engine = await workerEngine(await options(folder.file('h.db')), (workerData) => {
    const thread = new Worker(THREAD, { workerData });
    threads.push(thread);
    return thread;
  });
  const commit = (seq: number): Promise<Outcome | HistoryError> =>
    new Promise((resolve) => {
      engine.commit(makeGroup([[at(seq)]]), resolve);
    });
  expect(await commit(0)).toMatchObject({ mark: 1, failures: [] });
  const dying = threads[0]?.terminate();
  expect(await commit(1)).toMatchObject({ name: 'HistoryError', code: 'unavailable' });
  await dying;
  expect(await commit(2)).toMatchObject({ failures: [] });
  expect(threads).toHaveLength(2);
  expect(await engine.index()).toBeGreaterThan(0);
  await engine.close();
});

it('rejects with what kept its thread from opening the file', async () => {
  await using folder = await tempDir();
  const path = folder.file('h.db');
  await writeFile(path, 'not a database, and long enough to be looked at as one by anybody who tries to open it'.repeat(20));
  await expect(workerEngine({ path, buffer: 1, synchronous: 'NORMAL', maxBytes: Infinity })).rejects.toMatchObject({ code: 'corrupt' });
});
