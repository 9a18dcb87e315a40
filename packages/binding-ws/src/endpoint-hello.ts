import type { ExactJsonObject, JsonObject } from '@aepkit/envelope';

import type { ResolvedBindingOptions } from './binding-options.js';
import type { HelloFrame } from './frame.js';

/** Our `hello` with the one version that was chosen (AEP-0003 §4): the facts of the hub, as in discovery. */
export function endpointHello(version: string, options: Pick<ResolvedBindingOptions, 'hub' | 'access' | 'identity' | 'capabilities'>): HelloFrame {
  const { id, capabilities } = options.hub.facts();
  // Without authentication no command is ever routed, so nothing is advertised.
  const control: JsonObject = capabilities.roster !== undefined && options.access.requiresToken ? { control: { accepts: [] } } : {};
  return {
    type: 'hello',
    versions: [version],
    role: 'both',
    identity: options.identity ?? { agent: 'aepkit', instance: id },
    capabilities: { ...(capabilities as unknown as ExactJsonObject), ...control, ...options.capabilities },
  };
}
