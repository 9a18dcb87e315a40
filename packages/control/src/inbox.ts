import { type AepEvent, type Capture, captureRank, dedupeKey, isCommand, type WireEvent } from '@aepkit/envelope';

import { BoundedMap } from './bounded-map.js';
import { checkCommand } from './check-command.js';
import { isAck } from './correlation.js';
import {
  boundOf,
  type ControlTimers,
  DEFAULT_ACK_WINDOW_MS,
  DEFAULT_MAX_DECISION_LENGTH,
  DEFAULT_MAX_DECISIONS,
  DEFAULT_MAX_PENDING,
  delayOf,
  KEPT_WINDOWS,
  PLATFORM_TIMERS,
} from './options.js';
import type { RejectReason } from './outcome.js';

/** What a target decides about a command (AEP-0004 §3). */
export type Decision =
  /**
   * It is going to try. `execute` runs once, behind the ack; the Events it emits name the command or the ack as their cause.
   *
   * `confirm` is asked in the turn of the ack: what was right when it was decided may not be any more, say because the request was
   * answered by somebody else. A rejection from it takes the place of the decision.
   */
  | { readonly type: 'accepted'; readonly confirm?: () => Rejection | undefined; readonly execute?: (ack: WireEvent) => void | Promise<void> }
  | Rejection;

/** A target will not. `detail` is content: it goes out at `redacted` or above only. */
export interface Rejection {
  readonly type: 'rejected';
  readonly reason: Exclude<RejectReason, 'unsupported'>;
  readonly detail?: string;
}

/** An ack as the inbox wants it; the target adds `id`, `time`, `source`, `agent` and its position. */
export interface AckDraft {
  readonly type: 'control.accepted' | 'control.rejected';
  readonly session: string;
  /** `id` of the command. */
  readonly cause: string;
  /** Absent: `metadata`. */
  readonly capture?: Capture;
  readonly data?: { readonly reason: RejectReason; readonly detail?: string };
}

/** What became of a delivery. */
export type Received =
  /** A decision was made at once; its ack is out. */
  | 'decided'
  /** The decision is due; one ack answers all deliveries. */
  | 'pending'
  /** Known: the recorded ack went out once more. */
  | 'repeated'
  /** The session is not ours: there is no position to ack at (AEP-0004 §3). */
  | 'not-owned'
  /** No command at all. */
  | 'not-a-command'
  /** No decision may be forgotten yet: silence, since to forget one early could execute it twice. */
  | 'overloaded'
  /** The inbox is closed. */
  | 'closed';

/** Something went wrong that nobody waits for. */
export interface InboxIncident {
  readonly type: 'decide-failed' | 'mint-failed' | 'emit-failed' | 'execute-failed';
  /** `id` of the command. */
  readonly command: string;
  readonly error: unknown;
}

/** Options of {@link createInbox}. */
export interface InboxOptions {
  /** Types that are taken, exact; everything else is nacked `unsupported` (AEP-0004 §4.2). */
  readonly accepts: readonly string[];
  /** Milliseconds within which every command is acked. Default {@link DEFAULT_ACK_WINDOW_MS}. */
  readonly ackWindowMs?: number;
  /** Whether a session is this target's own. */
  readonly owns: (session: string) => boolean;
  /** The policy of the target; `false` nacks `unauthorized`. Default: everybody may. */
  readonly authorize?: (command: AepEvent) => boolean;
  /**
   * Decides. What takes longer than four fifths of the window is nacked `busy`, and its decision, when it comes after all,
   * has no effect; so nothing may be executed here.
   */
  readonly decide: (command: AepEvent) => Decision | Promise<Decision>;
  /** Makes the Event of an ack, with the next position of its session. */
  readonly mint: (draft: AckDraft) => WireEvent;
  /** Sends an ack, minted or recorded, as it is. */
  readonly emit: (ack: WireEvent) => void | Promise<void>;
  /** Ceiling of acks. Default `metadata`. */
  readonly capture?: Capture;
  /** Takes secrets out of a `detail`; without it none goes out at `redacted`. */
  readonly redact?: (text: string) => string;
  /** Told of incidents. Must not throw. */
  readonly onIncident?: (incident: InboxIncident) => void;
  /** Decisions that are remembered; older ones go first, none before it has been there for six windows. Default {@link DEFAULT_MAX_DECISIONS}. */
  readonly maxDecisions?: number;
  /** UTF-16 units of what is remembered. Default {@link DEFAULT_MAX_DECISION_LENGTH}. */
  readonly maxDecisionLength?: number;
  /** Decisions that are pending; one more is nacked `busy`. Default {@link DEFAULT_MAX_PENDING}. */
  readonly maxPending?: number;
  /** Milliseconds on any scale that does not run back. Default `performance.now`. */
  readonly now?: () => number;
  /** Default: those of the platform. */
  readonly timers?: ControlTimers;
}

/** The command side of a target. */
export interface Inbox {
  /** `capabilities.control` for the `hello` of this target. */
  readonly control: { readonly accepts: readonly string[]; readonly ack_window_ms: number };
  /** Takes a command that was handed to this target; not copies that a subscription brings. */
  receive(command: WireEvent): Received;
  /**
   * Forgets a decision whose ack could not be kept, so that nobody has it: the next delivery of the command is a new one. A pending
   * decision stays.
   */
  forget(command: WireEvent): void;
  /** Decisions that are pending. */
  readonly pending: number;
  /** Decisions that are remembered, pending ones included. */
  readonly remembered: number;
  /** Lets pending decisions go without ack or effect, and takes nothing more. */
  close(): void;
}

/** A decision, that of the inbox itself included. */
type Made = Decision | { readonly type: 'rejected'; readonly reason: 'unsupported' };

interface Entry {
  ack: WireEvent | undefined;
  /** When it was decided, in the scale of `now`. */
  at: number;
  timer: unknown;
}

/**
 * Makes the inbox of a control target (AEP-0004 §3): one decision per `(source, id)`, carried by one ack, which every later
 * delivery draws again byte for byte.
 *
 * @throws RangeError for a bound that makes no sense; TypeError for an `accepts` that no `hello` can state.
 *
 * @example
 * const inbox = createInbox({ accepts: ['control.cancel'], owns: (session) => session === mine, mint, emit,
 *   decide: () => ({ type: 'accepted', execute: (ack) => cancel(ack.event.id) }) });
 */
export function createInbox(options: InboxOptions): Inbox {
  const windowMs = delayOf('ackWindowMs', options.ackWindowMs, DEFAULT_ACK_WINDOW_MS);
  if (windowMs === Infinity) throw new RangeError('ackWindowMs: a target has to answer within a bounded time');
  const limits = {
    maxEntries: boundOf('maxDecisions', options.maxDecisions, DEFAULT_MAX_DECISIONS),
    maxLength: boundOf('maxDecisionLength', options.maxDecisionLength, DEFAULT_MAX_DECISION_LENGTH),
  };
  const maxPending = boundOf('maxPending', options.maxPending, DEFAULT_MAX_PENDING);
  const { owns, mint, redact } = options;
  const capture = options.capture ?? 'metadata';
  const now = options.now ?? (() => performance.now());
  const timers = options.timers ?? PLATFORM_TIMERS;
  if (!options.accepts.every((type) => isCommand(type))) throw new TypeError('accepts: lists command types only');
  const accepts = new Set(options.accepts);
  const keptMs = KEPT_WINDOWS * windowMs;
  const entries = new BoundedMap<Entry>(limits, { mayForget: ({ ack, at }) => ack !== undefined && now() - at >= keptMs });
  let pending = 0;
  let closed = false;

  const incident = (type: InboxIncident['type'], { id }: AepEvent, error: unknown): void => options.onIncident?.({ type, command: id, error });

  const emit = (command: AepEvent, ack: WireEvent): void => {
    watch(() => options.emit(ack), (error) => {
      incident('emit-failed', command, error);
    });
  };

  const failed = (command: AepEvent, error: unknown): Rejection => {
    incident('decide-failed', command, error);
    return { type: 'rejected', reason: 'busy' };
  };

  const confirmed = (command: AepEvent, made: Made): Made => {
    try {
      return made.type === 'accepted' ? (made.confirm?.() ?? made) : made;
    } catch (error) {
      return failed(command, error);
    }
  };

  /** Ends an entry with its one ack. */
  const settle = (key: string, entry: Entry, command: AepEvent, made: Made): void => {
    const decision = confirmed(command, made);
    let ack: WireEvent;
    try {
      ack = mint(draftOf(command, decision));
    } catch (error) {
      // Without an ack there is no decision: the next delivery gets one, and nothing is executed for this.
      entries.delete(key);
      incident('mint-failed', command, error);
      return;
    }
    // Recorded ahead of everything else: what comes of it may bring the command again.
    entry.ack = ack;
    entry.at = now();
    entries.set(key, entry, ack.json.length);
    emit(command, ack);
    if (decision.type !== 'accepted' || decision.execute === undefined) return;
    const { execute } = decision;
    watch(() => execute(ack), (error) => {
      incident('execute-failed', command, error);
    });
  };

  const draftOf = (command: AepEvent, decision: { readonly type: 'accepted' | 'rejected'; readonly reason?: RejectReason; readonly detail?: string }): AckDraft => {
    const draft = { session: command.session ?? '', cause: command.id };
    const none = capture === 'none' ? { capture } : {};
    if (decision.type === 'accepted') return { type: 'control.accepted', ...draft, ...none };
    const { reason = 'refused' } = decision;
    if (capture === 'none') return { type: 'control.rejected', ...draft, capture };
    const text = captureRank(capture) < captureRank('redacted') ? undefined : decision.detail;
    const detail = text === undefined ? undefined : capture === 'full' ? text : redact?.(text);
    if (detail === undefined) return { type: 'control.rejected', ...draft, data: { reason } };
    return { type: 'control.rejected', ...draft, capture, data: { reason, detail } };
  };

  /** The decision, where no asking is needed. */
  const atOnce = (command: AepEvent): Made | undefined => {
    if (!accepts.has(command.type)) return { type: 'rejected', reason: 'unsupported' };
    try {
      if (options.authorize !== undefined && !options.authorize(command)) return { type: 'rejected', reason: 'unauthorized' };
    } catch (error) {
      incident('decide-failed', command, error);
      return { type: 'rejected', reason: 'unauthorized' };
    }
    const fault = checkCommand(command);
    if (fault !== undefined) return { type: 'rejected', reason: 'invalid', detail: fault };
    return pending >= maxPending ? { type: 'rejected', reason: 'busy' } : undefined;
  };

  const decide = (key: string, entry: Entry, command: AepEvent): Received => {
    let decision: Decision | Promise<Decision>;
    try {
      decision = options.decide(command);
    } catch (error) {
      decision = failed(command, error);
    }
    if (!(decision instanceof Promise)) {
      settle(key, entry, command, decision);
      return 'decided';
    }
    pending++;
    let open = true;
    const finish = (found: Decision): void => {
      if (!open) return;
      open = false;
      pending--;
      timers.clearTimeout(entry.timer);
      if (!closed) settle(key, entry, command, found);
    };
    entry.timer = timers.setTimeout(
      () => {
        finish({ type: 'rejected', reason: 'busy' });
      },
      Math.floor(windowMs * 0.8),
    );
    decision.catch((error: unknown) => failed(command, error)).then(finish, () => undefined);
    return 'pending';
  };

  return {
    control: { accepts: [...accepts], ack_window_ms: windowMs },

    receive(wire) {
      const { event } = wire;
      const { session, type } = event;
      if (closed) return 'closed';
      if (session === undefined || !isControl(type)) return 'not-a-command';
      const key = dedupeKey(event);
      const known = entries.get(key);
      // Known ones first: a retry may come after the session has ended.
      if (known !== undefined) {
        if (known.ack === undefined) return 'pending';
        emit(event, known.ack);
        return 'repeated';
      }
      if (!owns(session)) return 'not-owned';
      const entry: Entry = { ack: undefined, at: 0, timer: undefined };
      if (!entries.set(key, entry)) return 'overloaded';
      const decision = atOnce(event);
      if (decision === undefined) return decide(key, entry, event);
      settle(key, entry, event, decision);
      return 'decided';
    },

    forget({ event }) {
      const key = dedupeKey(event);
      if (entries.get(key)?.ack !== undefined) entries.delete(key);
    },

    get pending() {
      return pending;
    },

    get remembered() {
      return entries.size;
    },

    close() {
      closed = true;
      for (const { timer } of entries.values()) timers.clearTimeout(timer);
    },
  };
}

/** What can be handed to a target as a command: verbs that 0.1 does not define as well, which it nacks (AEP-0004 §7). */
function isControl(type: string): boolean {
  return isCommand(type) || (type.startsWith('control.') && !isAck(type));
}

function watch(act: () => void | Promise<void>, failed: (error: unknown) => void): void {
  try {
    act()?.catch(failed);
  } catch (error) {
    failed(error);
  }
}
