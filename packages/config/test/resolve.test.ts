import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { ConfigError, resolveSettings, type Settings } from '../src/index.js';

const settings = {
  port: { type: 'integer', env: 'APP_PORT', default: 8787, min: 0, max: 65_535, help: 'Port.' },
  queue: { type: 'integer', default: 10, min: 1, max: 100, off: true, help: 'Queue.' },
  host: { type: 'string', env: 'APP_HOST', default: '127.0.0.1', help: 'Host.' },
  token: { type: 'string', env: 'APP_TOKEN', default: undefined, secret: true, flag: false, help: 'Token.' },
  proxy: { type: 'boolean', env: 'APP_PROXY', default: false, help: 'Proxy.' },
  level: { type: 'choice', env: 'APP_LEVEL', default: 'info', values: ['debug', 'info'], help: 'Level.' },
  urls: { type: 'list', env: 'APP_URLS', default: [], help: 'URLs.' },
} as const satisfies Settings;

function refusal(sources: Parameters<typeof resolveSettings>[1]): ConfigError {
  try {
    resolveSettings(settings, sources);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return error as ConfigError;
  }
  throw new Error('not refused');
}

describe('resolveSettings', () => {
  it('gives the defaults, typed, when nothing is said', () => {
    const { values, origins } = resolveSettings(settings);
    const port: number = values.port;
    const token: string | undefined = values.token;
    const level: 'debug' | 'info' = values.level;
    expect([port, token, level, values.urls, values.proxy]).toEqual([8787, undefined, 'info', [], false]);
    expect(Object.values(origins)).toEqual(Array(7).fill('default'));
  });

  it('prefers a flag to the environment, the environment to the file and the file to the default', () => {
    const file = { name: 'app.toml', text: 'port = 1\nhost = "file"\nlevel = "debug"\n' };
    const { values, origins } = resolveSettings(settings, { file, env: { APP_PORT: '2', APP_HOST: 'env' }, flags: { port: '3' } });
    expect([values.port, values.host, values.level]).toEqual([3, 'env', 'debug']);
    expect([origins.port, origins.host, origins.level, origins.proxy]).toEqual(['flag', 'environment', 'file', 'default']);
  });

  it('reads an empty variable as absent', () => {
    expect(resolveSettings(settings, { env: { APP_PORT: '' } }).values.port).toBe(8787);
  });

  it('reads every type from a text and from the file', () => {
    const env = { APP_PROXY: 'yes', APP_URLS: 'https://a, https://b', APP_LEVEL: 'debug' };
    const text = 'proxy = true\nurls = ["https://a", "https://b"]\nlevel = "debug"\nqueue = "off"';
    for (const sources of [{ env, flags: { queue: 'off' } }, { file: { name: 'f', text } }]) {
      const { values } = resolveSettings(settings, sources);
      expect(values).toMatchObject({ proxy: true, urls: ['https://a', 'https://b'], level: 'debug', queue: Infinity });
    }
  });

  it.each([
    ['a flag', { flags: { prot: '1' } }, 'prot', 'flag', 'port'],
    ['a key of the file', { file: { name: 'app.toml', text: 'hots = "x"' } }, 'hots', 'file', 'host'],
    ['a variable of the program', { env: { APP_PROT: '1' }, envPrefix: 'APP_' }, 'APP_PROT', 'environment', 'APP_PORT'],
  ] as const)('refuses %s that no setting has, and suggests the nearest', (_, sources, key, origin, suggestion) => {
    const error = refusal(sources);
    expect([error.code, error.key, error.origin, error.suggestion]).toEqual(['unknown-key', key, origin, suggestion]);
    expect(error.message).toContain(suggestion);
  });

  it('suggests nothing for a name that is near none', () => {
    expect(refusal({ flags: { zzzzzzzzzz: 1 } }).suggestion).toBeUndefined();
  });

  it('leaves variables of others alone', () => {
    const env = { OTHER: '1', APP_SHELL: 'x' };
    expect(resolveSettings(settings, { env, envPrefix: 'APP_', ignoredEnv: ['APP_SHELL'] }).values.port).toBe(8787);
  });

  it.each(['__proto__', 'constructor', 'toString'])('refuses the key %s', (key) => {
    expect(refusal({ file: { name: 'f', text: `"${key}" = 1` } }).code).toBe('unknown-key');
  });

  it('refuses a secret on the command line', () => {
    expect(refusal({ flags: { token: 'abc' } }).code).toBe('unknown-key');
  });

  it.each([
    ['port', '65536'],
    ['port', '-1'],
    ['port', '1.5'],
    ['port', '0x10'],
    ['port', ' 1'],
    ['port', '1e3'],
    ['port', true],
    ['port', 'off'],
    ['queue', '0'],
    ['proxy', 'maybe'],
    ['level', 'INFO'],
    ['host', ''],
    ['host', true],
    ['host', 'a\0b'],
    ['urls', 'a,,b'],
  ])('refuses --%s with %j and says what is allowed', (key, value) => {
    const error = refusal({ flags: { [key]: value } });
    expect([error.code, error.key, error.origin]).toEqual(['invalid-value', key, 'flag']);
    expect(error.message).toMatch(new RegExp(`^--${key} must be .`));
  });

  it.each(['port = "1"', 'port = 1.5', 'proxy = "true"', 'urls = "a"', 'urls = [1]', 'host = 1'])(
    'takes no text for another type in the file: %s',
    (text) => {
      expect(refusal({ file: { name: 'f', text } }).code).toBe('invalid-value');
    },
  );

  it('names file, line and column of what is not TOML', () => {
    const error = refusal({ file: { name: 'app.toml', text: 'port = 1\nhost = = 2' } });
    expect([error.code, error.message]).toEqual(['invalid-file', expect.stringMatching(/^app\.toml:2:\d+ /)]);
  });

  it('accepts each bound and refuses what lies next to it', () => {
    fc.assert(
      fc.property(fc.integer({ min: -5, max: 105 }), (queue) => {
        const read = (): number => resolveSettings(settings, { flags: { queue: String(queue) } }).values.queue;
        if (queue >= 1 && queue <= 100) expect(read()).toBe(queue);
        else expect(read).toThrow(ConfigError);
      }),
    );
  });
});
