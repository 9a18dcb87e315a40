import { parse, TomlError } from 'smol-toml';

import { ConfigError, type ConfigOrigin } from './errors.js';
import { nearest } from './nearest.js';
import type { Setting, Settings, Values } from './setting.js';

/** Where values may come from, strongest first: flags, environment, file, defaults. */
export interface Sources {
  /** Values by key, as a command line parser gives them: texts, or `true` for a bare switch. */
  readonly flags?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The configuration file: its text, and its name for messages. */
  readonly file?: { readonly text: string; readonly name: string };
  /** Prefix of variables that belong to the program: an unknown one is refused. Off when absent. */
  readonly envPrefix?: string;
  /** Variables with the prefix that belong to somebody else. */
  readonly ignoredEnv?: readonly string[];
}

/** Settled values, and where each came from. */
export interface Resolved<T extends Settings> {
  readonly values: Values<T>;
  readonly origins: { readonly [K in keyof T]: ConfigOrigin };
}

/**
 * Settles every setting: flag before environment before file before default.
 *
 * @throws {@link ConfigError} `invalid-file`, `unknown-key`, `invalid-value`.
 */
export function resolveSettings<const T extends Settings>(settings: T, sources: Sources = {}): Resolved<T> {
  const flags = known(settings, new Map(Object.entries(sources.flags ?? {})), 'flag', (key) => `--${key}`);
  const file = known(settings, readFile(sources.file), 'file', (key) => `${key} in ${sources.file?.name ?? 'the file'}`);
  const env = readEnvironment(settings, sources);
  const values: Record<string, unknown> = {};
  const origins: Record<string, ConfigOrigin> = {};
  for (const [key, setting] of Object.entries(settings)) {
    const found = firstOf(key, { flag: flags, environment: env, file });
    origins[key] = found?.origin ?? 'default';
    values[key] = found === undefined ? setting.default : readValue(key, setting, found.value, found.origin);
  }
  return { values: values as Values<T>, origins: origins as Resolved<T>['origins'] };
}

function firstOf(
  key: string,
  layers: Readonly<Record<'flag' | 'environment' | 'file', ReadonlyMap<string, unknown>>>,
): { value: unknown; origin: ConfigOrigin } | undefined {
  for (const origin of ['flag', 'environment', 'file'] as const) {
    const value = layers[origin].get(key);
    if (value !== undefined) return { value, origin };
  }
  return undefined;
}

function known(
  settings: Settings,
  given: ReadonlyMap<string, unknown>,
  origin: ConfigOrigin,
  place: (key: string) => string,
): ReadonlyMap<string, unknown> {
  for (const key of given.keys()) {
    if (!Object.hasOwn(settings, key) || (origin === 'flag' && settings[key]?.flag === false)) {
      throw unknownKey(key, origin, place(key), Object.keys(settings));
    }
  }
  return given;
}

function unknownKey(key: string, origin: ConfigOrigin, place: string, names: readonly string[]): ConfigError {
  const suggestion = nearest(key, names);
  const hint = suggestion === undefined ? '' : `; did you mean ${suggestion}?`;
  return new ConfigError('unknown-key', key, origin, `unknown setting ${place}${hint}`, suggestion);
}

function readFile(file: Sources['file']): ReadonlyMap<string, unknown> {
  if (file === undefined) return new Map();
  try {
    return new Map(Object.entries(parse(file.text)));
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const place = `${file.name}:${error.line}:${error.column}`;
    throw new ConfigError('invalid-file', '', 'file', `${place} is not TOML: ${error.message.split('\n', 1)[0] ?? ''}`);
  }
}

function readEnvironment(settings: Settings, sources: Sources): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>();
  const names = new Map<string, string>();
  for (const [key, setting] of Object.entries(settings)) if (setting.env !== undefined) names.set(setting.env, key);
  for (const [name, text] of Object.entries(sources.env ?? {})) {
    if (text === undefined || text === '') continue;
    const key = names.get(name);
    if (key !== undefined) found.set(key, text);
    else if (sources.envPrefix !== undefined && name.startsWith(sources.envPrefix) && sources.ignoredEnv?.includes(name) !== true) {
      throw unknownKey(name, 'environment', name, [...names.keys()]);
    }
  }
  return found;
}

function readValue(key: string, setting: Setting, value: unknown, origin: ConfigOrigin): unknown {
  // A file has types of its own; texts stand for them only where there are none.
  const textual = origin !== 'file';
  const refuse = (expected: string): ConfigError =>
    new ConfigError('invalid-value', key, origin, `${placeOf(key, setting, origin)} must be ${expected}`);
  switch (setting.type) {
    case 'integer': {
      const { min, max } = setting;
      const off = setting.off === true;
      const expected = `a whole number from ${min} to ${max}${off ? ', or "off"' : ''}`;
      if (off && value === 'off') return Infinity;
      const number = textual && typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
      if (typeof number !== 'number' || !Number.isSafeInteger(number) || number < min || number > max) throw refuse(expected);
      return number;
    }
    case 'boolean': {
      const known = textual ? SWITCHES.get(value) : value;
      if (typeof known !== 'boolean') throw refuse('true or false');
      return known;
    }
    case 'choice':
      if (typeof value !== 'string' || !setting.values.includes(value)) throw refuse(`one of ${setting.values.join(', ')}`);
      return value;
    case 'list': {
      const list: unknown = textual && typeof value === 'string' ? value.split(',').map((item) => item.trim()) : value;
      if (!Array.isArray(list) || list.some((item) => typeof item !== 'string' || item === '')) {
        throw refuse('a list of texts, none of them empty');
      }
      return list;
    }
    case 'string':
      if (typeof value !== 'string' || value === '' || value.includes('\0')) throw refuse('a text that is not empty');
      return value;
  }
}

const SWITCHES: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  [true, true],
  ['true', true],
  ['1', true],
  ['yes', true],
  ['on', true],
  [false, false],
  ['false', false],
  ['0', false],
  ['no', false],
  ['off', false],
]);

function placeOf(key: string, setting: Setting, origin: ConfigOrigin): string {
  if (origin === 'flag') return `--${key}`;
  return origin === 'environment' ? (setting.env ?? key) : key;
}
