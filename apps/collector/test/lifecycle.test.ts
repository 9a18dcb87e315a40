import { existsSync } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import { get } from 'node:https';

import { buildSession, rawClient, tempDir } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { defaultDataFolder, loadSettings, startCollector } from '../src/index.js';
import { selfSigned } from './self-signed.js';
import { launchCollector, ndjson, post, readReplay } from './support.js';

const { cert: CERT, key: KEY } = selfSigned();
const { key: OTHER_KEY } = selfSigned();

describe('shutdown', () => {
  it('tells open streams, one that does not read included, keeps what was accepted, and exits with 0', { timeout: 30_000 }, async () => {
    await using dir = await tempDir();
    const collector = await launchCollector({ data: dir.path, 'shutdown-ms': '1000' });
    const get = `GET /stream HTTP/1.1\r\nHost: 127.0.0.1:${collector.port}\r\n\r\n`;
    const reader = await rawClient(collector.port);
    reader.write(get);
    await reader.until(/\r\n\r\n[^]*\n\n/);
    const sleeper = await rawClient(collector.port);
    sleeper.write(get);
    await sleeper.until(/\r\n\r\n[^]*\n\n/);
    sleeper.stall();
    const events = buildSession(400, { session: 's', subject: 'x'.repeat(4000) });
    for (let at = 0; at < events.length; at += 100) expect((await post(collector.url, ndjson(events.slice(at, at + 100)))).status).toBe(202);
    const exit = await collector.process.stop('SIGTERM');
    expect(exit.code).toBe(0);
    expect(await reader.closed()).toMatch(/: shutting-down\n\n/);
    sleeper.destroy();
    const again = await launchCollector({ data: dir.path });
    expect((await readReplay(again.url)).data).toEqual(events.map(({ json }) => json));
    await again.process.stop();
  });

  it('closes twice as once and leaves no timer behind', async () => {
    await using dir = await tempDir();
    const collector = await startCollector({ port: 0, data: dir.path });
    await Promise.all([collector.close(), collector.close()]);
    await expect(fetch(`${collector.url}/healthz`)).rejects.toThrow();
  });
});

describe('start', () => {
  it('makes the data folder for its owner only', async () => {
    await using dir = await tempDir();
    const collector = await startCollector({ port: 0, data: dir.file('deep', 'data') });
    expect((await stat(dir.file('deep', 'data'))).mode & 0o777).toBe(0o700);
    expect((await stat(dir.file('deep', 'data', 'history.sqlite'))).mode & 0o077).toBe(0);
    await collector.close();
  });

  it('says that a port is in use and leaves the data folder free', async () => {
    await using dir = await tempDir();
    await using other = await tempDir();
    const first = await startCollector({ port: 0, data: dir.path });
    await expect(startCollector({ port: first.port, data: other.path })).rejects.toMatchObject({ code: 'address-unusable', message: expect.stringContaining('--port') as string });
    const second = await startCollector({ port: 0, data: other.path });
    await Promise.all([first.close(), second.close()]);
  });

  it('refuses a data folder it cannot use', async () => {
    await using dir = await tempDir();
    await writeFile(dir.file('file'), '');
    await expect(startCollector({ port: 0, data: dir.file('file') })).rejects.toMatchObject({ code: 'data-unusable' });
    await writeFile(dir.file('history.sqlite'), 'something else'.repeat(200));
    await expect(startCollector({ port: 0, data: dir.path })).rejects.toMatchObject({ code: 'data-unusable' });
  });

  it.runIf(process.platform === 'linux')('refuses a data folder that cannot be made, and does not try without end', async () => {
    await expect(startCollector({ port: 0, data: '/proc/aepkit' })).rejects.toMatchObject({ code: 'data-unusable', message: expect.stringContaining('/proc/aepkit') as string });
  });

  it.each([
    ['an empty certificate', '', KEY],
    ['an empty key', CERT, ''],
    ['two empty files', '', ''],
    ['a certificate that is none', 'hello', KEY],
    ['a key that is none', CERT, 'hello'],
    ['a key in the place of the certificate', KEY, KEY],
    ['the key of another certificate', CERT, OTHER_KEY],
    ['a chain that breaks off', `${CERT}-----BEGIN CERTIFICATE-----\nhello\n-----END CERTIFICATE-----\n`, KEY],
  ])('refuses %s before anything is opened', async (_, cert, key) => {
    await using dir = await tempDir();
    await writeFile(dir.file('cert.pem'), cert);
    await writeFile(dir.file('key.pem'), key);
    const files = { 'tls-cert': dir.file('cert.pem'), 'tls-key': dir.file('key.pem') };
    await expect(startCollector({ port: 0, data: dir.file('data'), ...files })).rejects.toMatchObject({ code: 'tls-unusable', message: expect.stringContaining(dir.path) as string });
    expect(existsSync(dir.file('data'))).toBe(false);
  });

  it('serves with a pair', async () => {
    await using dir = await tempDir();
    await writeFile(dir.file('cert.pem'), CERT);
    await writeFile(dir.file('key.pem'), KEY);
    const collector = await startCollector({ port: 0, data: dir.file('data'), 'tls-cert': dir.file('cert.pem'), 'tls-key': dir.file('key.pem') });
    const status = await new Promise((resolve, reject) => {
      get(`${collector.url}/healthz`, { ca: CERT, checkServerIdentity: () => undefined, agent: false }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      }).on('error', reject);
    });
    expect([collector.url, status]).toEqual([expect.stringMatching(/^https:/), 200]);
    await collector.close();
  });

  it('refuses half a TLS configuration', async () => {
    await expect(startCollector({ port: 0, 'tls-cert': '/nowhere' })).rejects.toMatchObject({ code: 'tls-unusable' });
    await expect(startCollector({ port: 0, 'tls-cert': '/nowhere', 'tls-key': '/nowhere' })).rejects.toMatchObject({ code: 'tls-unusable' });
  });
});

describe('settings', () => {
  it('come from flags, environment and file in this order', async () => {
    await using dir = await tempDir();
    await writeFile(dir.file('c.toml'), 'port = 1\nbuffer = 2\nhost = "localhost"\n');
    const env = { AEP_CONFIG: dir.file('c.toml'), AEP_BUFFER: '3', AEP_URL: 'http://elsewhere' };
    const { values } = await loadSettings({ env, flags: { host: '127.0.0.1' } });
    expect([values.port, values.buffer, values.host]).toEqual([1, 3, '127.0.0.1']);
  });

  it.each([
    [{ flags: { bufer: '1' } }, 'buffer'],
    [{ env: { AEP_BUFER: '1' } }, 'AEP_BUFFER'],
  ])('refuse a misspelt name and suggest the right one', async (sources, suggestion) => {
    await expect(loadSettings(sources)).rejects.toMatchObject({ name: 'ConfigError', code: 'unknown-key', suggestion });
  });

  it('refuse a file that is not there', async () => {
    await expect(loadSettings({ config: '/nowhere.toml' })).rejects.toMatchObject({ code: 'config-unreadable' });
  });

  it.each([
    ['linux', { XDG_DATA_HOME: '/data' }, '/data/aepkit'],
    ['linux', { XDG_DATA_HOME: 'relative' }, '/home/u/.local/share/aepkit'],
    ['linux', {}, '/home/u/.local/share/aepkit'],
    ['darwin', {}, '/home/u/Library/Application Support/aepkit'],
  ] as const)('put data where %s keeps them', (platform, env, folder) => {
    expect(defaultDataFolder({ platform, env, home: '/home/u' })).toBe(folder);
  });
});
