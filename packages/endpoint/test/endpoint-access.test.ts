import { chmod, writeFile } from 'node:fs/promises';

import { resolveSettings } from '@aepkit/config';
import { tempDir } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { endpointAccess, loadTokens, readTokenFile } from '../src/index.js';
import { endpointSettings, type EndpointValues } from '../src/settings.js';

const values = (given: Partial<EndpointValues> = {}): EndpointValues => ({ ...resolveSettings(endpointSettings).values, ...given });
const from = (token?: string) => ({
  header: (name: string) => ({ host: 'localhost', authorization: token === undefined ? undefined : `Bearer ${token}` })[name],
  encrypted: false,
});

describe('the access of an endpoint', () => {
  it('gives its owner a token where none is configured, and others what they had', async () => {
    const { access, ownerToken, authenticates } = await endpointAccess({ values: values(), tls: false, owner: true });
    expect(authenticates).toBe(true);
    expect(access.admit(from(ownerToken), 'control')).toMatchObject({ name: 'owner', authenticated: true });
    expect(access.admit(from(), 'emit')).toMatchObject({ name: 'anonymous', authenticated: false });
    expect(() => access.admit(from(), 'control')).toThrow();
    expect(() => access.admit(from('another-token-0123456789'), 'observe')).toThrow(expect.objectContaining({ status: 401 }) as Error);
  });

  it('makes another one each time', async () => {
    const tokens = await Promise.all([1, 2].map(async () => (await endpointAccess({ values: values(), tls: false, owner: true })).ownerToken));
    expect(new Set(tokens).size).toBe(2);
  });

  it('makes none where tokens are configured, or nobody is to have one', async () => {
    const configured = await endpointAccess({ values: values({ token: 'configured-token-0123456789' }), tls: false, owner: true });
    expect([configured.ownerToken, configured.authenticates, configured.access.requiresToken]).toEqual([undefined, true, true]);
    const nobody = await endpointAccess({ values: values(), tls: false, owner: false });
    expect([nobody.ownerToken, nobody.authenticates, nobody.access.requiresToken]).toEqual([undefined, false, false]);
  });

  it('is not reached from elsewhere with a token of the owner alone [B-172]', async () => {
    await expect(endpointAccess({ values: values({ host: '0.0.0.0' }), tls: true, owner: true })).rejects.toMatchObject({ code: 'token-required' });
    await expect(endpointAccess({ values: values({ 'public-url': ['https://aep.example'] }), tls: false, owner: true })).rejects.toMatchObject({ code: 'token-required' });
  });
});

describe('a file of tokens', () => {
  it('is read with the one of the environment', async () => {
    await using dir = await tempDir();
    await writeFile(dir.file('tokens'), 'ci emit ci-token-0123456789abc\n', { mode: 0o600 });
    const entries = await loadTokens({ 'token-file': dir.file('tokens'), token: 'env-token-0123456789' });
    expect(entries.map(({ name, scopes }) => [name, scopes.length])).toEqual([['ci', 1], ['default', 3]]);
  });

  it('is refused where others can read it, it is no file, or not there', async () => {
    await using dir = await tempDir();
    await writeFile(dir.file('tokens'), '');
    await chmod(dir.file('tokens'), 0o640);
    for (const file of [dir.file('tokens'), dir.file('none'), dir.path]) await expect(readTokenFile(file)).rejects.toMatchObject({ code: 'token-file-unusable', message: expect.stringContaining(file) as string });
  });
});
