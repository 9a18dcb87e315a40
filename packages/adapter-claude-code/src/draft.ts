import type { JsonObject, Severity } from '@aepkit/envelope';

/** What a mapping says of an Event; the adapter adds identity, position, time and capture. */
export interface Draft {
  readonly type: string;
  readonly subject?: string | undefined;
  readonly run?: string | undefined;
  readonly cause?: string | undefined;
  readonly severity?: Severity;
  /** Metadata only. */
  readonly data: JsonObject;
}

/** Emits one Event of the hook that is being mapped and gives its id. */
export type Emit = (draft: Draft) => string;
