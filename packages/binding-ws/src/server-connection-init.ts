import type { Principal } from '@aepkit/access';

import type { ResolvedBindingOptions } from './binding-options.js';
import type { Wire } from './wire.js';

/** What a connection of the endpoint is made of. */
export interface ServerConnectionInit {
  /** Unique among the connections of the hub. */
  readonly id: string;
  readonly principal: Principal;
  readonly wire: Wire;
  readonly options: ResolvedBindingOptions;
  /** The peer has said `hello`, or is about to go. Once. */
  readonly opened: () => void;
  /** The connection is over. Once. */
  readonly gone: () => void;
}
