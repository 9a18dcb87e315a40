import type { WireEvent } from '@aepkit/envelope';

import type { HeldAnswer } from './hold-proof.js';

/** A call of a hook that asks something: as it came, or read already by its shim. */
export type HoldableCall = CallFacts & ({ readonly payload: unknown } | { readonly read: true });

/** What is known of a call that may be held. */
export interface CallFacts {
  readonly agent: string;
  /** Key of the call. Without one nothing could be proven to its shim. */
  readonly key: string | undefined;
  /** For how long the shim waits, in milliseconds. */
  readonly waitMs: number;
}

/** A call that may be held. */
export interface HeldCall {
  /** Options for `HookIntake.take`. */
  readonly read: { readonly held: true; readonly expiresAt: number; readonly placed: (events: readonly WireEvent[]) => void };
  /** Whether its request is there, so that `answer` is worth waiting for. */
  readonly waits: boolean;
  /** Never rejects. */
  readonly answer: Promise<HeldAnswer>;
  /** The call was not taken. */
  cancel(): void;
  /** Its shim has gone: nobody can be answered any more. The request stays open until the agent says more, or its time is over. */
  abandon(): void;
}
