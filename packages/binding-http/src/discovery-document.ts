import type { EndpointFacts } from '@aepkit/hub';

import type { HttpEndpoints } from './options.js';

/** The discovery document (AEP-0003 §3.4): the facts of the endpoint as they are now, the ones its `hello` states. */
export function discoveryDocument(facts: EndpointFacts, endpoints: HttpEndpoints): Record<string, unknown> {
  return { aep: facts.versions, role: facts.role, endpoints, capabilities: facts.capabilities };
}
