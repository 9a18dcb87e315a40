import { relaySettings } from '@aepkit/relay/settings';
import type { Command } from 'commander';

import { endpointCommand } from './endpoint-command.js';

/** The `relay` command. */
export function relayCommand(done: (code: number) => void): Command {
  return endpointCommand(
    {
      name: 'relay',
      description: 'Run a relay: passes Events on from memory, those of other endpoints included.',
      example: 'aep relay --port 9000 --upstream http://127.0.0.1:8787',
      settings: relaySettings,
      run: async (sources) => (await import('@aepkit/relay')).runRelay(sources),
    },
    done,
  );
}
