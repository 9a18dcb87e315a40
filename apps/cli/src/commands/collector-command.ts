import { collectorSettings } from '@aepkit/collector/settings';
import type { Command } from 'commander';

import { endpointCommand } from './endpoint-command.js';

/** The `collector` command. */
export function collectorCommand(done: (code: number) => void): Command {
  return endpointCommand(
    {
      name: 'collector',
      description: 'Run the collector: keeps Events on disk and serves them.',
      example: 'aep collector --port 9000 --data ./history',
      settings: collectorSettings,
      run: async (sources) => (await import('@aepkit/collector')).runCollector(sources),
    },
    done,
  );
}
