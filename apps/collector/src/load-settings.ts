import { readFile } from 'node:fs/promises';

import { type Resolved, resolveSettings } from '@aepkit/config';

import { defaultDataFolder } from './data-folder.js';
import { CollectorError } from './errors.js';
import { collectorSettings } from './settings.js';
import { defaultSpoolFolder } from './spool-folders.js';

/** Where the settings of a collector come from. */
export interface SettingSources {
  /** Flags by key, `config` aside. */
  readonly flags?: Readonly<Record<string, unknown>>;
  /** Path of the configuration file; before `AEP_CONFIG`. */
  readonly config?: string | undefined;
  /** Default: none. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Variables of the other commands, which share the prefix. */
const VARIABLES_OF_OTHERS = ['AEP_CONFIG', 'AEP_URL', 'AEP_HOOK_DEBUG', 'AEP_HOOK_TIMEOUT_MS', 'AEP_STATE', 'AEP_SPOOL_BYTES'];

/**
 * Reads the configuration file, if there is one, and settles every setting.
 *
 * @throws {@link CollectorError} `config-unreadable`; ConfigError from `@aepkit/config`.
 */
export async function loadSettings({ flags = {}, config, env = {} }: SettingSources): Promise<Resolved<typeof collectorSettings>> {
  const name = config ?? (env.AEP_CONFIG === '' ? undefined : env.AEP_CONFIG);
  const settled = resolveSettings(collectorSettings, {
    flags,
    env,
    envPrefix: 'AEP_',
    ignoredEnv: VARIABLES_OF_OTHERS,
    ...(name === undefined ? {} : { file: { name, text: await readText(name) } }),
  });
  const { data = defaultDataFolder(), spool = defaultSpoolFolder() } = settled.values;
  // Whoever asks what is in force wants to know the folders.
  return { ...settled, values: { ...settled.values, data, spool } };
}

async function readText(name: string): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(name));
  } catch (error) {
    throw new CollectorError('config-unreadable', `cannot read the configuration ${name}: ${reason(error)}`, { cause: error });
  }
}

/** What went wrong with a file, for people. */
export function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
