import type { JsonValue } from '@aepkit/envelope';

/** What every case has. */
export interface CaseBase {
  /** Unique in the corpus; starts with the area: `envelope/type-upper-case`. */
  readonly id: string;
  /** Clauses of the specification that a wrong answer breaks; empty for a reading of ours that no clause states. */
  readonly clauses: readonly string[];
  /** A sentence with the outcome; ends with the clauses in brackets. */
  readonly title: string;
  /** Why the answer is what it is. */
  readonly reason: string;
}

/** One Event, as a JSON value or, where the spelling matters, as text. */
export type EventInput = { readonly event: JsonValue } | { readonly text: string };

/** Is it an Event? `base64` holds bytes that are no text. */
export type EnvelopeCase = CaseBase &
  (EventInput | { readonly base64: string }) & { readonly verdict: 'accept' | 'reject' };

/** Does `data` follow the schema of its type? */
export type PayloadCase = CaseBase & EventInput & { readonly verdict: 'accept' | 'reject' };

/** May an emitter send this? A recommendation that is not followed is no reason to reject. */
export type EmissionCase = CaseBase & EventInput & { readonly verdict: 'accept' | 'reject' };

/** Does an emitting library take these extension attributes? */
export type ExtensionsCase = CaseBase & { readonly text: string; readonly verdict: 'accept' | 'reject' };

/** Does the filter match the Event? */
export type AttrMatchCase = CaseBase &
  EventInput & { readonly filter: string; readonly verdict: 'match' | 'no-match' | 'reject' };

/** What does a hop that runs no redaction deliver of the Event under the ceiling? */
export type CaptureCase = CaseBase &
  EventInput & {
    readonly ceiling: 'none' | 'metadata' | 'redacted' | 'full';
    /** A JSON text, compared as a JSON value whose numbers keep every digit. */
    readonly expected: string;
    /** Whether the text itself has to be the expected one. */
    readonly verbatim?: true;
  };

/** What a stream validator finds; `STREAM_FINDINGS` says what the words mean. */
export const STREAM_FINDINGS = [
  'id-collision',
  'order',
  'run-terminal',
  'session-end',
  'attention-terminal',
  'attention-open',
  'attention-subject',
  'answer',
  'ack',
] as const;

/** One kind of finding, however often it occurs. */
export type StreamFinding = (typeof STREAM_FINDINGS)[number];

/** Which faults does the stream have, read in the order it was emitted? */
export type StreamCase = CaseBase & {
  readonly events: readonly JsonValue[];
  /** The findings, without repeats. */
  readonly expected: readonly StreamFinding[];
};

/** What is the digest of the JSON value? */
export type DigestCase = CaseBase & { readonly text: string; readonly expected: string };

/** A place in a session. */
export interface Place {
  readonly epoch: number;
  readonly seq: number;
}

/** Which of two places in one session comes first? */
export type OrderCase = CaseBase & { readonly a: Place; readonly b: Place; readonly expected: 'a' | 'b' | 'same' };

/** What stands in the `id:` field of the SSE message? `null`: there is none. */
export type SseIdCase = CaseBase & EventInput & { readonly expected: string | null };

/** Which position does a `Last-Event-ID` name? `null`: none. */
export type LastEventIdCase = CaseBase & {
  readonly text: string;
  readonly expected: (Place & { readonly session: string }) | null;
};

/** The cases of each area. */
export interface Areas {
  readonly envelope: EnvelopeCase;
  readonly payload: PayloadCase;
  readonly emission: EmissionCase;
  readonly extensions: ExtensionsCase;
  readonly 'attr-match': AttrMatchCase;
  readonly capture: CaptureCase;
  readonly stream: StreamCase;
  readonly digest: DigestCase;
  readonly order: OrderCase;
  readonly 'sse-id': SseIdCase;
  readonly 'last-event-id': LastEventIdCase;
}

/** Name of an area, and of its folder. */
export type Area = keyof Areas;

/** Every area. */
export const AREAS: readonly Area[] = [
  'envelope',
  'payload',
  'emission',
  'extensions',
  'attr-match',
  'capture',
  'stream',
  'digest',
  'order',
  'sse-id',
  'last-event-id',
];

/** A case with its area. */
export type CorpusCase = { [A in Area]: { readonly area: A; readonly case: Areas[A] } }[Area];
