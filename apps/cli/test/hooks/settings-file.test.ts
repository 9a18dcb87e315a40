import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, stat, symlink, truncate, writeFile } from 'node:fs/promises';

import { tempDir } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { decodeSettings, readSettings, replaceSettings } from '../../src/hooks/settings-file.js';
import { MAX_BACKUPS, settingsBackup } from '../../src/hooks/settings-backup.js';

const next = Buffer.from('next');

describe('replaceSettings', () => {
  it('writes nothing over what somebody else wrote meanwhile, and leaves no draft', async () => {
    await using home = await tempDir();
    await writeFile(home.file('s'), 'a');
    const read = await readSettings(home.file('s'));
    await writeFile(home.file('s'), 'b');
    await expect(replaceSettings(read, next, 0o600)).rejects.toMatchObject({ code: 'changed', exitCode: 1 });
    await expect(replaceSettings(read, undefined, 0o600)).rejects.toMatchObject({ code: 'changed' });
    const absent = await readSettings(home.file('t'));
    await writeFile(home.file('t'), '');
    await expect(replaceSettings(absent, next, 0o600)).rejects.toMatchObject({ code: 'changed' });
    expect([await readFile(home.file('s'), 'utf8'), await readFile(home.file('t'), 'utf8'), (await readdir(home.path)).sort()]).toEqual(['b', '', ['s', 't']]);
  });

  it('replaces the file as a whole, with the permissions it had', async () => {
    await using home = await tempDir();
    await writeFile(home.file('s'), 'a');
    await chmod(home.file('s'), 0o604);
    const { ino } = await stat(home.file('s'));
    expect(await replaceSettings(await readSettings(home.file('s')), next, 0o600)).toEqual([]);
    const after = await stat(home.file('s'));
    expect([after.mode & 0o777, after.ino === ino, await readFile(home.file('s'), 'utf8')]).toEqual([0o604, false, 'next']);
  });

  it('makes the folders that are missing, and tells which', async () => {
    await using home = await tempDir();
    expect(await replaceSettings(await readSettings(home.file('x/y/s')), next, 0o600)).toEqual([home.file('x'), home.file('x/y')]);
    await replaceSettings(await readSettings(home.file('x/y/s')), undefined, 0o600);
    expect(await readdir(home.file('x/y'))).toEqual([]);
  });

  it('says what is in the way of a folder', async () => {
    await using home = await tempDir();
    await writeFile(home.file('x'), '');
    await expect(readSettings(home.file('x/s')).then((file) => replaceSettings(file, next, 0o600))).rejects.toMatchObject({ name: 'SettingsError' });
  });
});

describe('readSettings', () => {
  it('refuses what is no file of a bearable size, without waiting', async () => {
    await using home = await tempDir();
    execFileSync('mkfifo', [home.file('pipe')]);
    await symlink('loop', home.file('loop'));
    await mkdir(home.file('folder'));
    await writeFile(home.file('large'), '');
    await truncate(home.file('large'), 5_000_000);
    for (const name of ['pipe', 'loop', 'folder', 'large']) await expect(readSettings(home.file(name))).rejects.toMatchObject({ code: 'unreadable', exitCode: 2 });
  });

  it('keeps a byte order mark apart, and takes no bytes that are no text', () => {
    const file = (bytes: Buffer): Parameters<typeof decodeSettings>[0] => ({ path: '', bytes });
    expect(decodeSettings(file(Buffer.from('\ufeff{}')))).toEqual({ mark: '\ufeff', text: '{}' });
    expect(decodeSettings({ path: '', bytes: undefined })).toEqual({ mark: '', text: '' });
    expect(() => decodeSettings(file(Buffer.from([0xff])))).toThrow('is no UTF-8 text');
  });
});

describe('settingsBackup', () => {
  it('keeps the last copies of a file, for its user alone, and what it is told to remember', async () => {
    await using home = await tempDir();
    const backup = settingsBackup(home.path, 'codex', '/x/hooks.json');
    for (let at = 0; at < MAX_BACKUPS + 3; at += 1) await backup.keep(Buffer.from(String(at)), new Date(at * 1000));
    const names = (await readdir(backup.folder)).sort();
    expect([names.length, names[0], await readFile(`${backup.folder}/${names.at(-1) ?? ''}`, 'utf8')]).toEqual([MAX_BACKUPS, '1970-01-01T00-00-03.000Z-hooks.json', '12']);
    expect([(await stat(backup.folder)).mode & 0o777, (await stat(`${backup.folder}/${names[0] ?? ''}`)).mode & 0o777]).toEqual([0o700, 0o600]);
    const record = { version: 1 as const, path: '/x/hooks.json', existed: true, folders: [], written: 'w', commands: ['c'] };
    await backup.remember(record, Buffer.from('before'));
    expect([await backup.record(), (await backup.original())?.toString()]).toEqual([record, 'before']);
    expect(await settingsBackup(home.path, 'codex', '/y/hooks.json').record()).toBeUndefined();
    await backup.forget();
    expect([await backup.record(), await backup.original()]).toEqual([undefined, undefined]);
  });

  it.each(['', '{', '[]', '{"version":2}', '{"version":1,"path":"/other","existed":true,"folders":[],"written":"","commands":[]}', '{"version":1,"path":"/x","existed":true,"folders":[1],"written":"","commands":[]}'])('takes %j for no record', async (text) => {
    await using home = await tempDir();
    const backup = settingsBackup(home.path, 'codex', '/x');
    await backup.keep(Buffer.from(''), new Date(0));
    await writeFile(`${backup.folder}/record.json`, text);
    expect(await backup.record()).toBeUndefined();
  });
});
