import { runEndpoint, type SettingSources, type Surface } from '@aepkit/endpoint';

import { startCollector } from './collector.js';
import { loadSettings } from './load-settings.js';
import { collectorSettings } from './settings.js';

/**
 * Runs a collector until a signal ends it; the second signal ends it at once. Settles with the exit code. One line for people
 * goes to standard error when it serves; the log follows as JSON lines.
 *
 * @throws EndpointError, ConfigError, AccessConfigError: nothing was started.
 */
export function runCollector(sources: SettingSources, surface?: Surface): Promise<number> {
  const program = {
    name: 'collector',
    settings: collectorSettings,
    load: loadSettings,
    start: async (...given: Parameters<typeof startCollector>) => {
      const collector = await startCollector(...given);
      return { close: () => collector.close(), ready: `${collector.url}, history in ${collector.data}` };
    },
  };
  return runEndpoint(program, sources, surface);
}
