import { statSync, symlinkSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { launchNode, tempDir } from '@aepkit/testkit';
import { expect, it } from 'vitest';
import { lockFile } from '../src/file-lock.js';
import { openHistory } from '../src/index.js';
import { testStore } from './support.js';

it('locks a file once, and again when the lock was given back', async () => {
  await using folder = await tempDir();
  const path = folder.file('x.db');
  const unlock = lockFile(path);
  expect(() => lockFile(path)).toThrow(expect.objectContaining({ name: 'HistoryError', code: 'locked' }) as Error);
  unlock();
  lockFile(path)();
  expect(statSync(`${path}.lock`).mode & 0o777).toBe(0o600);
});

it('says where the lock file cannot be made', () => {
  expect(() => lockFile('/nonexistent/x.db')).toThrow(expect.objectContaining({ code: 'unavailable' }) as Error);
});

it('lets one opener in, by whatever name the file goes', async () => {
  await using store = await testStore();
  symlinkSync(store.path, `${store.path}-link`);
  await expect(openHistory({ path: store.path })).rejects.toMatchObject({ code: 'locked', message: expect.stringContaining(store.path) as string });
  await expect(openHistory({ path: `${store.path}-link` })).rejects.toMatchObject({ code: 'locked' });
  await store.reopen();
});

it('keeps other processes out, and lets them in when it is closed', async () => {
  await using store = await testStore();
  const program = fileURLToPath(new URL('./programs/read-everything.mjs', import.meta.url));
  expect(await launchNode(program, { args: [store.path] }).exit).toMatchObject({ code: 0, stdout: 'locked\n' });
  await store.history.close();
  expect(await launchNode(program, { args: [store.path] }).exit).toMatchObject({ code: 0, stdout: 'ok\n' });
});
