import type { ExactJsonObject } from '@aepkit/envelope';

import type { ResolvedBindingOptions } from './binding-options.js';
import type { HelloFrame } from './frame.js';

/** Our `hello` with the one version that was chosen (AEP-0003 §4). It states the facts of the hub, as discovery does. */
export function endpointHello(version: string, { hub, identity }: Pick<ResolvedBindingOptions, 'hub' | 'identity'>): HelloFrame {
  const { id, capabilities } = hub.facts();
  return {
    type: 'hello',
    versions: [version],
    role: 'both',
    identity: identity ?? { agent: 'aepkit', instance: id },
    capabilities: capabilities as unknown as ExactJsonObject,
  };
}
