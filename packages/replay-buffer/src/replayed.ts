import type { Position, WireEvent } from '@aepkit/envelope';

/**
 * What {@link ReplayBuffer.admit} did with an Event. Whatever it says, live fan-out forwards the Event (AEP-0003 §5).
 *
 * - `admitted`: kept, and served by replays. It has the order number that `order` now gives.
 * - `duplicate`: its `(source, id)` is held already.
 * - `late`: at or below the highest evicted position of its session, or evicted by its own admission.
 * - `unbuffered`: has no place in a session's history: agent-scoped, or a foreign-emitter Event of a session that holds
 *   nothing, or larger than the buffer.
 */
export type Admission = 'admitted' | 'duplicate' | 'late' | 'unbuffered';

/**
 * Where a replay starts: at the lowest position of every held session; behind named positions; or behind an order number,
 * and then in order of admission across all sessions.
 */
export type ReplayFrom = 'all' | { readonly positions: readonly Position[] } | { readonly after: number };

/** What the caller knows beforehand of the Events it wants. */
export interface ReplayHint {
  /** Only Events of these sessions are wanted. */
  readonly sessions?: ReadonlySet<string>;
}

/**
 * One step of a replay.
 *
 * - `exhausted`: Events behind the position that was asked for are missing; `epoch` and `seq` are of the first Event that
 *   follows. Ahead of the Events of its session.
 * - `session-end`: behind the last Event of a session, also where there was none. `owed`: Events are missing here too, and
 *   no Event follows that a marker could name: send it ahead of the session's next live Event, with that Event's position.
 *   With `behind`, the position that was asked for, nothing was ever held of the session here: Events are missing unless the
 *   next one begins the session, directly succeeds that position, or is not behind it.
 */
export type Replayed =
  | { readonly type: 'event'; readonly event: WireEvent }
  | { readonly type: 'exhausted'; readonly session: string; readonly epoch: number; readonly seq: number }
  | {
      readonly type: 'session-end';
      readonly session: string;
      readonly owed?: true;
      readonly behind?: { readonly epoch: number; readonly seq: number };
    };
