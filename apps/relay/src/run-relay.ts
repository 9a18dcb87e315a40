import { loadSettings, runEndpoint, type SettingSources, type Surface } from '@aepkit/endpoint';

import { startRelay } from './relay.js';
import { relaySettings } from './settings.js';

/**
 * Runs a relay until a signal ends it; the second signal ends it at once. Settles with the exit code. One line for people goes to
 * standard error when it serves; the log follows as JSON lines.
 *
 * @throws EndpointError, ConfigError, AccessConfigError: nothing was started.
 */
export function runRelay(sources: SettingSources, surface?: Surface): Promise<number> {
  const program = {
    name: 'relay',
    settings: relaySettings,
    load: (given: SettingSources) => loadSettings(relaySettings, given),
    start: async (...given: Parameters<typeof startRelay>) => {
      const relay = await startRelay(...given);
      const upstreams = [...relay.links().keys()];
      return { close: () => relay.close(), ready: `${relay.url}, ${upstreams.length === 0 ? 'without an upstream' : `drawing from ${upstreams.join(', ')}`}` };
    },
  };
  return runEndpoint(program, sources, surface);
}
