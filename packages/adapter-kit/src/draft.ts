import type { JsonObject, JsonValue, Severity } from '@aepkit/envelope';

/**
 * What a mapping says of one Event. Identity, position, time and `capture` come from the kit.
 *
 * Levels are explicit (AEP-0002 §5.1): `data` is what `metadata` may show, structural facts only (AEP-0003 §9.2). `text` is merged over it
 * at `redacted`, after the pipeline, and at `full`, verbatim. `full` is merged at `full` alone. Lists are merged element by element.
 */
export interface Draft {
  readonly type: string;
  readonly subject?: string | undefined;
  /** Default `info`. */
  readonly severity?: Severity | undefined;
  readonly data?: JsonObject;
  readonly text?: JsonObject;
  readonly full?: JsonObject;
  /**
   * Content that exists three times, such as `{ args: input }`: `args_digest` over the original at every level (AEP-0003 §9.3),
   * `args_redacted` at `redacted`, `args` at `full`.
   */
  readonly originals?: Readonly<Record<string, JsonValue>>;
}

/** An Event as a record holds it: brought under its ceiling. */
export interface LeveledEvent {
  readonly type: string;
  readonly subject?: string;
  readonly severity?: Severity;
  /** The level that is honoured (AEP-0003 §9.5): the lowest one that shows all that is here. */
  readonly capture: 'none' | 'metadata' | 'redacted' | 'full';
  /** What `metadata` shows; absent at `none`. */
  readonly data?: JsonObject;
  /** What `capture` shows beyond it. */
  readonly content?: JsonObject;
}
