import type { Principal } from '@aepkit/access';
import type { Capture, Position, WireEvent } from '@aepkit/envelope';

/**
 * What an {@link EventLog} did with one Event of a batch.
 *
 * - `admitted`: kept, and served by replays.
 * - `duplicate`: its `(source, id)` is kept already; forwarded live all the same (AEP-0003 §5).
 * - `late`: older than the highest evicted position of its session; forwarded live, not served by replays.
 * - `unbuffered`: has no place in a session history (agent-scoped, or a foreign-emitter Event of a session that holds
 *   nothing); forwarded live.
 */
export type Admission = 'admitted' | 'duplicate' | 'late' | 'unbuffered';

/**
 * A point in the order of an {@link EventLog}. Opaque outside the log that made it, except that marks of one log rise
 * with its commits.
 */
export type LogMark = number;

/** One group of Events that became durable together, in the order of the log. */
export interface CommittedBatch {
  /** Every Event of the group, duplicates and late ones included: live fan-out forwards them as received. */
  readonly events: readonly WireEvent[];
  /** One per Event, same order. */
  readonly admissions: readonly Admission[];
  /** The mark behind this batch: a replay up to it contains the batch. */
  readonly mark: LogMark;
}

/** Where a replay starts: behind named positions, at the start of every held session, or behind an older mark. */
export type ReplayFrom =
  | { readonly type: 'positions'; readonly positions: readonly Position[] }
  | { readonly type: 'all' }
  | { readonly type: 'mark'; readonly mark: LogMark };

/** The earliest position a replay can start from, where the one that was asked for has been evicted (AEP-0003 §5). */
export interface Exhausted {
  readonly session: string;
  readonly epoch: number;
  readonly seq: number;
}

/**
 * One step of a replay. `exhausted` comes ahead of the Events of its session; `session-end` behind the last of them.
 * `owed`: the position that was asked for is older than what was evicted and nothing of the session is held, so that no
 * earliest position exists to name; the hub sends the marker ahead of the session's next Event (AEP-0003 §5). With `behind`, the
 * position that was asked for, the log never heard of the session, as one that began empty: the marker is due unless that Event
 * begins the session, directly succeeds the position, or is not behind it.
 */
export type Replayed =
  | { readonly type: 'event'; readonly event: WireEvent }
  | ({ readonly type: 'exhausted' } & Exhausted)
  | {
      readonly type: 'session-end';
      readonly session: string;
      readonly owed?: true;
      readonly behind?: { readonly epoch: number; readonly seq: number };
    };

/** What a caller knows beforehand of the Events it wants; a log may use it to read less, and may ignore it. */
export interface ReplayHint {
  /** Only Events of these sessions are wanted. */
  readonly sessions?: ReadonlySet<string>;
}

/**
 * The history an endpoint keeps. In memory: `memoryLog`; durable: `@aepkit/history`.
 *
 * Ordering contract: `append` calls are committed in call order. For every group the log calls its commit listeners
 * synchronously, and settles the promises of the group's `append` calls in the same turn of the event loop, behind
 * them. A failed group rejects every `append` in it with no listener called, and takes no other group with it.
 * A batch is never split over two groups. An `append` made by a listener belongs to a later group.
 */
export interface EventLog {
  /** Keeps a batch, or rejects as a whole. One {@link Admission} per Event, same order. */
  append(batch: readonly WireEvent[]): Promise<readonly Admission[]>;
  /** Registers the listener that drives fan-out. Returns a function that removes it. */
  onCommit(listener: (batch: CommittedBatch) => void): () => void;
  /**
   * Reads held Events in chunks: session by session for `positions` and `all`, each session by position; in log order
   * for `mark`. A chunk stays in memory for as long as its consumer takes, so it is bounded in bytes. Gives nothing
   * committed behind `upTo`. Throws an error with code `replay-evicted` when the next Event was evicted meanwhile; never
   * skips one. For `mark` that includes what was evicted before the call: every admitted Event between the two marks is
   * given, or the replay throws.
   */
  replay(from: ReplayFrom, upTo: LogMark, hint?: ReplayHint): AsyncIterable<readonly Replayed[]>;
  /**
   * Counts Events of a session ahead of a position as evicted, held or not. Absent in a log that is filled by emitters alone, and in one
   * that loses nothing.
   */
  missed?(earliest: Exhausted): void;
  /** The mark behind the last committed batch. */
  mark(): LogMark;
  /** Replay depth per session, in Events; what `replay.buffer` advertises. */
  readonly buffer: number;
}

/** Makes the bytes of one Event for one binding, framing included. Compared by identity: keep one per binding. */
export interface Encoder {
  (event: WireEvent): Uint8Array;
  /**
   * The same as text, where a frame is the UTF-8 form of one: frames that nobody else gets, those of a replay, are then encoded together,
   * which costs half.
   */
  readonly text?: (event: WireEvent) => string;
}

/** One Event on its way out, lowered to one ceiling. Shared by all consumers that get the same text. */
export interface Delivery {
  readonly event: WireEvent;
}

/**
 * What one write hands to a sink. Consumers that get the same Events get the same object, so that framing and joining
 * happen once per binding and not once per consumer.
 */
export interface DeliveryBatch {
  readonly deliveries: readonly Delivery[];
  /** The joined frames of all deliveries; made on the first call per encoder, then shared. Do not change the bytes. */
  encoded(encoder: Encoder): Uint8Array;
}

/** Why an endpoint closes a consumer. */
export type CloseReason = 'shutdown' | 'slow-consumer' | 'replay-stalled' | 'replay-evicted' | 'unavailable' | 'replay-done' | 'internal-error';

/** The last position written for one session of one subscription (AEP-0003 §3.5). */
export interface DeliveredPosition extends Position {
  readonly sub: string;
}

/** One consumer connection or stream, as the hub sees it. A binding implements it. */
export interface Sink {
  /** Takes the batch. `false`: taken, but full from here on; the hub then waits for {@link Sink.drained}. */
  write(batch: DeliveryBatch): boolean;
  /** Settles when a full sink can take more, or when it is closed. */
  drained(): Promise<void>;
  /** Tells that a position named by a subscription is older than the buffer; ahead of the session's replayed Events. */
  exhausted(marker: Exhausted, subscription: string): void;
  /** The hub is done with this consumer. `delivered` holds the last positions written, latest session first. */
  close(reason: CloseReason, delivered: readonly DeliveredPosition[]): void;
}

/** Who hands Events in. */
export interface Ingress {
  readonly principal: Principal;
  /** `post`: no connection, so no claim and no command (AEP-0004 §4.1). `link`: drawn from another endpoint. */
  readonly via: 'post' | 'connection' | 'link' | 'adapter';
  /** Set where `via` is `connection`. */
  readonly connection?: PeerConnection;
}

/** A duplex peer, as `Commands` sees it. */
export interface PeerConnection {
  readonly id: string;
  readonly principal: Principal;
  readonly role: 'emitter' | 'consumer' | 'both';
  readonly agent?: string;
  readonly instance?: string;
  /** `capabilities` of its `hello`, verbatim. */
  readonly capabilities?: unknown;
  /**
   * Hands a command to the peer, exactly as received (AEP-0004 §4.4). `false`: nothing was written, and the sender is told that there
   * is no route. The command is appended to the log when this returns, so a peer in this process answers later, not within the call.
   */
  send(command: WireEvent): boolean;
}

/** A command found its target. */
export interface Handed {
  readonly type: 'handed';
  readonly connection: string;
}

/** A command that reached nobody; it is in no history. */
export interface Refused {
  readonly type: 'refused';
  readonly code: 'unauthorized' | 'unsupported' | 'ambiguous' | 'no-route';
  readonly detail: string;
}

/** One live claim (AEP-0003 §4.1). */
export interface RosterEntry {
  readonly session: string;
  readonly agent?: string;
  readonly instance?: string;
  readonly control?: unknown;
  readonly emits?: unknown;
}

/** The command side of an endpoint. Without it every command is refused. */
export interface Commands {
  hello(connection: PeerConnection): void;
  /** The first sequenced Event of a session on a connection claims the session. */
  seen(connection: PeerConnection, event: WireEvent): void;
  closed(connection: PeerConnection): void;
  route(command: WireEvent, from: PeerConnection): Handed | Refused;
  roster(): readonly RosterEntry[];
}

/** A ceiling: the highest capture level a subscription gets. `undefined`: Events go out as stored. */
export type Ceiling = Capture | undefined;
