import { writeFile } from 'node:fs/promises';

import { tempDir } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { loadSettings } from '../src/index.js';
import { endpointSettings } from '../src/settings.js';

describe('the settings of an endpoint', () => {
  it('come from flags, environment and file in this order', async () => {
    await using dir = await tempDir();
    await writeFile(dir.file('c.toml'), 'port = 1\nhost = "localhost"\nshutdown-ms = 7\n');
    const { values } = await loadSettings(endpointSettings, { env: { AEP_CONFIG: dir.file('c.toml'), AEP_HOST: '127.0.0.2' }, flags: { port: '3' } });
    expect([values.port, values.host, values['shutdown-ms']]).toEqual([3, '127.0.0.2', 7]);
  });

  it('share an environment with the other programs, and refuse a name that none of them has', async () => {
    const others = { AEP_DATA: '/data', AEP_UPSTREAM: 'http://x', AEP_URL: 'http://y', AEP_HOLD: '5' };
    await expect(loadSettings(endpointSettings, { env: others })).resolves.toBeDefined();
    await expect(loadSettings(endpointSettings, { env: { AEP_PROT: '1' } })).rejects.toMatchObject({ code: 'unknown-key', suggestion: 'AEP_PORT' });
  });

  it('refuse a file that cannot be read', async () => {
    await expect(loadSettings(endpointSettings, { config: '/nowhere.toml' })).rejects.toMatchObject({ name: 'EndpointError', code: 'config-unreadable' });
  });
});
