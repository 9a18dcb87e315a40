import { describe, expect, it } from 'vitest';

import { describeSettings, referencePage, resolveSettings, type Settings } from '../src/index.js';

const settings = {
  port: { type: 'integer', env: 'APP_PORT', default: 8787, min: 0, max: 65_535, help: 'Port to listen on.' },
  body: { type: 'integer', default: 100, min: 1, max: 1000, unit: 'bytes', off: true, help: 'Largest body.' },
  data: { type: 'string', default: undefined, defaultText: 'a folder per user', help: 'Data folder.' },
  token: { type: 'string', env: 'APP_TOKEN', default: undefined, secret: true, flag: false, help: 'Token.' },
  query: { type: 'boolean', default: true, help: 'Query tokens.' },
  level: { type: 'choice', default: 'info', values: ['debug', 'info'], help: 'Level.' },
} as const satisfies Settings;

describe('referencePage', () => {
  it('has a row for every setting with its three spellings, default and bounds', () => {
    expect(referencePage(settings).split('\n')).toEqual([
      '| File | Flag | Environment | Default | Meaning |',
      '|---|---|---|---|---|',
      '| `port` | `--port <n>` | `APP_PORT` | `8787` | Port to listen on. 0 to 65535. |',
      '| `body` | `--body <n>` |  | `100` | Largest body. 1 to 1000 bytes, or `off`. |',
      '| `data` | `--data <text>` |  | a folder per user | Data folder. |',
      '| `token` |  | `APP_TOKEN` |  | Token. |',
      '| `query` | `--query <true\\|false>` |  | `true` | Query tokens. |',
      '| `level` | `--level <debug\\|info>` |  | `"info"` | Level. |',
    ]);
  });
});

describe('describeSettings', () => {
  it('shows what is in force and its origin, and never a secret', () => {
    const resolved = resolveSettings(settings, { env: { APP_TOKEN: 'hunter2hunter2' }, flags: { body: 'off' } });
    const text = describeSettings(settings, resolved);
    expect(text).toContain('token = (set) (environment)');
    expect(text).toContain('body = off (flag)');
    expect(text).toContain('data = (none) (default)');
    expect(text).not.toContain('hunter2');
  });
});
