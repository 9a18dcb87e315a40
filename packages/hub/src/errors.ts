import type { Refused } from './contracts.js';

/**
 * Why the hub refused something. A closed set; callers match on it.
 *
 * - `invalid-event`: an entry of a batch is no `WireEvent`. Nothing of the batch was admitted.
 * - `unauthorized`: the principal lacks the scope, or the role of the connection does not allow it (AEP-0003 §8).
 * - `command-refused`: the batch holds a command that this way in does not take, or that found no target
 *   (AEP-0004 §4.1). Nothing of the batch was admitted.
 * - `invalid-filter`: `filter`, `from`, `capture` or `id` of a subscription is malformed (AEP-0003 §6.5). No
 *   subscription was made.
 * - `limit-exceeded`: a limit of the endpoint would be broken; the detail names it (AEP-0003 §6.5).
 * - `unavailable`: the log could not keep the batch. Nothing was fanned out; try again later.
 * - `overloaded`: too many bytes wait for their commit. Nothing was admitted; try again later.
 * - `closing`: the endpoint is shutting down.
 */
export type HubErrorCode =
  | 'invalid-event'
  | 'unauthorized'
  | 'command-refused'
  | 'invalid-filter'
  | 'limit-exceeded'
  | 'unavailable'
  | 'overloaded'
  | 'closing';

/** What a {@link HubError} carries besides its code and detail. */
export interface HubErrorContext {
  /** Zero-based index of the Event in its batch. */
  readonly index?: number;
  /** What `Commands` answered, where a command was refused. */
  readonly refusal?: Refused;
  /** The error underneath. */
  readonly cause?: unknown;
}

/** A refusal of the hub. A binding translates `code` to its wire form in one table. */
export class HubError extends Error {
  override readonly name = 'HubError';
  readonly code: HubErrorCode;
  /** Text for people; names the place, the member or the limit. Holds no content of Events. */
  readonly detail: string;
  /** Zero-based index of the Event in its batch, where one Event is to blame. */
  readonly index: number | undefined;
  /** What `Commands` answered, where a command was refused. */
  readonly refusal: Refused | undefined;

  constructor(code: HubErrorCode, detail: string, context: HubErrorContext = {}) {
    super(`${code}: ${detail}`, context.cause === undefined ? undefined : { cause: context.cause });
    this.code = code;
    this.detail = detail;
    this.index = context.index;
    this.refusal = context.refusal;
  }
}
