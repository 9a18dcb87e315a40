import type { Choice, FieldSpec } from '@aepkit/taxonomy';

/**
 * A request for attention that has no terminal: what an answer is held against. A store is given structure, no content. In the process labels
 * are those that consumers see, since an answer may name one; after a restart they are the ids.
 */
export interface RequestMemory {
  readonly id: string;
  readonly kind: string;
  /** What is asked about, usually a tool. */
  readonly subject?: string;
  readonly run?: string;
  /** The choices that are offered. */
  readonly options?: readonly Choice[];
  /** The fields of a form, as they are at `metadata`. */
  readonly fields?: readonly FieldSpec[];
}

/** What has to outlive the process that emits a session (AEP-0001 §7.2, AEP-0002 §2.5 and §7.2). */
export interface SessionMemory {
  /** Higher than every epoch this session had before. */
  readonly epoch: number;
  /** The source its Events had so far. Absent: the one given to `open`. */
  readonly source?: string;
  readonly ended?: boolean;
  readonly closedRuns?: readonly string[];
  readonly requests?: readonly RequestMemory[];
}

/** Something that the memory of a session has to hold from now on. */
export type SessionNote =
  | { readonly type: 'ended' }
  | { readonly type: 'run-closed'; readonly run: string }
  | { readonly type: 'requested'; readonly request: RequestMemory }
  | { readonly type: 'settled'; readonly id: string };

/** Where epochs come from, and what is remembered of sessions across restarts. */
export interface EpochStore {
  /**
   * Takes an epoch for a session. Resolves when no one, in no process, at no time, can get it again for this session.
   * `source` is what its Events are going to bear when the store remembers no other. The epoch is higher than `above`, which is known
   * to be used.
   */
  open(session: string, source: string, above?: number): Promise<SessionMemory>;
  /**
   * Called in the turn in which an Event is made, before it leaves, so that an end is never emitted twice after a crash.
   * What it throws goes to `onError`.
   */
  note?(session: string, note: SessionNote): void;
  close?(): Promise<void>;
}
