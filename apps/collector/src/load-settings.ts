import type { Resolved } from '@aepkit/config';
import { loadSettings as load, type SettingSources } from '@aepkit/endpoint';

import { defaultDataFolder } from './data-folder.js';
import { collectorSettings } from './settings.js';
import { defaultSpoolFolder } from './spool-folders.js';

/**
 * Reads the configuration file, if there is one, and settles every setting of a collector.
 *
 * @throws EndpointError `config-unreadable`; ConfigError from `@aepkit/config`.
 */
export async function loadSettings(sources: SettingSources): Promise<Resolved<typeof collectorSettings>> {
  const settled = await load(collectorSettings, sources);
  const { data = defaultDataFolder(), spool = defaultSpoolFolder() } = settled.values;
  // Whoever asks what is in force wants to know the folders.
  return { ...settled, values: { ...settled.values, data, spool } };
}
