import type { Place, StreamFinding } from './case.js';

/** Taken or refused. */
export type Verdict = 'accept' | 'reject';

/**
 * What the corpus is run against: one function per area, each optional; cases of an area without a function are skipped.
 * Events come as JSON text, so that an implementation in any language can be put behind it. May be asynchronous.
 */
export interface Implementation {
  readonly name: string;
  /** Whether these bytes are an Event of AEP 0.1. */
  envelope?(bytes: Uint8Array): Answer<Verdict>;
  /** Whether the payload of a valid Event follows the schema of its type. */
  payload?(event: string): Answer<Verdict>;
  /** Whether an emitter may send this valid Event; recommendations aside. */
  emission?(event: string): Answer<Verdict>;
  /** Whether an emitting library takes these extension attributes, a JSON object. */
  extensions?(attributes: string): Answer<Verdict>;
  /** Whether a filter matches a valid Event; `reject` where the filter is refused. */
  attrMatch?(filter: string, event: string): Answer<'match' | 'no-match' | 'reject'>;
  /** The text that a hop without redaction delivers of a valid Event under a ceiling. */
  capture?(event: string, ceiling: 'none' | 'metadata' | 'redacted' | 'full'): Answer<string>;
  /** The faults of a stream of valid Events, in emission order. */
  stream?(events: readonly string[]): Answer<readonly StreamFinding[]>;
  /** The digest of a JSON value, as in `*_digest` members. */
  digest?(value: string): Answer<string>;
  /** Which of two places in one session comes first. */
  order?(a: Place, b: Place): Answer<'a' | 'b' | 'same'>;
  /** The `id:` field of the SSE message for a valid Event. */
  sseId?(event: string): Answer<string | null>;
  /** The position that a `Last-Event-ID` names. */
  lastEventId?(text: string): Answer<(Place & { readonly session: string }) | null>;
}

/** A value, now or later. */
export type Answer<V> = V | Promise<V>;
