import { readFile } from 'node:fs/promises';

import { type Resolved, resolveSettings, type Settings } from '@aepkit/config';

import { EndpointError } from './errors.js';
import { reason } from './reason.js';

/** Where the settings of an endpoint come from. */
export interface SettingSources {
  /** Flags by key, `config` aside. */
  readonly flags?: Readonly<Record<string, unknown>>;
  /** Path of the configuration file; before `AEP_CONFIG`. */
  readonly config?: string | undefined;
  /** Default: none. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/**
 * Every variable of the commands of aepkit, which share the prefix and often an environment: one that is not in this list and no
 * setting of the program at hand is a typing error.
 */
const VARIABLES: readonly string[] = [
  'AEP_BUFFER_BYTES',
  'AEP_CAPTURE',
  'AEP_CONFIG',
  'AEP_DATA',
  'AEP_HOLD',
  'AEP_HOOK_DEBUG',
  'AEP_HOOK_TIMEOUT_MS',
  'AEP_OWNER_TOKEN_FILE',
  'AEP_SESSIONS',
  'AEP_SPOOL',
  'AEP_SPOOL_BYTES',
  'AEP_STATE',
  'AEP_SYNCHRONOUS',
  'AEP_UPSTREAM',
  'AEP_UPSTREAM_TOKEN',
  'AEP_UPSTREAM_TOKEN_FILE',
  'AEP_URL',
];

/**
 * Reads the configuration file, if there is one, and settles every setting of a program.
 *
 * @throws EndpointError `config-unreadable`; ConfigError from `@aepkit/config`.
 */
export async function loadSettings<const T extends Settings>(settings: T, { flags = {}, config, env = {} }: SettingSources): Promise<Resolved<T>> {
  const name = config ?? (env.AEP_CONFIG === '' ? undefined : env.AEP_CONFIG);
  return resolveSettings(settings, {
    flags,
    env,
    envPrefix: 'AEP_',
    ignoredEnv: VARIABLES,
    ...(name === undefined ? {} : { file: { name, text: await readText(name) } }),
  });
}

async function readText(name: string): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(name));
  } catch (error) {
    throw new EndpointError('config-unreadable', `cannot read the configuration ${name}: ${reason(error)}`, { cause: error });
  }
}
