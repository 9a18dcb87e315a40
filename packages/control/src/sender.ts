import { type AepEvent, type Capture, createId, type JsonObject, type WireEvent } from '@aepkit/envelope';
import type { FieldSpec } from '@aepkit/taxonomy';

import { member } from './accepts.js';
import { BoundedMap } from './bounded-map.js';
import { type CommandRequest, draftCommand } from './command-draft.js';
import { createCorrelation, isAck, type Link } from './correlation.js';
import { ControlError } from './errors.js';
import { boundOf, type ControlTimers, DEFAULT_ACK_WINDOW_MS, DEFAULT_MAX_COMMANDS, delayOf, PLATFORM_TIMERS } from './options.js';
import { type CommandOutcome, REJECT_REASONS, type RejectReason } from './outcome.js';

/** Options of {@link createSender}. */
export interface SenderOptions {
  /** URI of who sends; with the `id` the key that targets dedupe on, so it stays the same over retries (AEP-0004 §2.3). */
  readonly source: string;
  /** Logical name of who sends, such as `telegram-sink`. */
  readonly agent: string;
  /** Milliseconds until silence counts as `timeout`; `Infinity`: never. Default {@link DEFAULT_ACK_WINDOW_MS}. */
  readonly ackWindowMs?: number;
  /** Takes secrets out of text. With it content goes out at `redacted`, without it at `full`. */
  readonly redact?: (text: string) => string;
  /** Told when an answer comes after all to a command that had timed out. Must not throw. */
  readonly onLate?: (command: string, outcome: CommandOutcome) => void;
  /** Commands that are followed; those that have an answer are forgotten, oldest first. Default {@link DEFAULT_MAX_COMMANDS}. */
  readonly maxCommands?: number;
  /** Makes ids; they have to be unique over all senders. Default: ULIDs. */
  readonly createId?: () => string;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
  /** Default: those of the platform. */
  readonly timers?: ControlTimers;
}

/** {@link CommandRequest} and what the sender expects of the answer. */
export interface SendRequest extends CommandRequest {
  /** `source` of the target where it is known: acks of others are misrouted (AEP-0004 §4.5). */
  readonly target?: string;
  /** The window that the target declares, in milliseconds, see `ackWindowOf`. Default: that of the sender. */
  readonly ackWindowMs?: number;
}

/** A command that was made and has to be sent now: its window has begun. */
export interface SentCommand {
  readonly id: string;
  /** Send it on an authenticated WebSocket, and again, unchanged, to retry. Subscribe to acks first. */
  readonly wire: WireEvent;
  /** Never rejects. */
  readonly outcome: Promise<CommandOutcome>;
}

/** What an Event means to a command of this sender. */
export type Observation =
  /** The answer. `late`: it comes behind the timeout or the refusal of an earlier copy and replaces that. */
  | { readonly type: 'ack'; readonly command: string; readonly outcome: CommandOutcome; readonly late: boolean }
  /** The same ack once more. */
  | { readonly type: 'repeated'; readonly command: string }
  /** An ack of somebody who was not asked, or a second one: not an answer (AEP-0004 §4.5). */
  | { readonly type: 'misrouted'; readonly command: string }
  /** A domain Event that tells what came of the command. */
  | { readonly type: 'outcome'; readonly command: string; readonly via: Link['via'] };

/** An `error` frame, as it was received. */
export interface RefusalFrame {
  readonly cause?: unknown;
  readonly code?: unknown;
  readonly detail?: unknown;
}

/** Makes commands and follows them. */
export interface Sender {
  /**
   * Makes a command; send its `wire` at once.
   * @throws ControlError `not-a-command`, `invalid-command`, `content-above-capture`, `too-many-commands`, `closed`.
   */
  command(type: string, request: SendRequest): SentCommand;
  /**
   * Answers an `attention.requested`: `control.attention.respond` with session, `subject`, `cause` and target of the request.
   * @throws ControlError as `command` does.
   */
  respond(request: AepEvent, answer: JsonObject, options?: { readonly capture?: Capture; readonly ackWindowMs?: number }): SentCommand;
  /**
   * The same command again: same `id`, same `source`, same bytes, a new window (AEP-0004 §2.3).
   * @throws ControlError `unknown-command`, `closed`.
   */
  retry(id: string): SentCommand;
  /** Takes an Event of the addressed session, in any order, more than once. */
  observe(event: AepEvent): Observation | undefined;
  /** Takes an `error` frame. Whether it is about a command of this sender: any code settles it (AEP-0004 §4.2). */
  refused(frame: RefusalFrame): boolean;
  /** What became of a command so far; `undefined`: nothing yet, or nothing is known of it. */
  outcome(id: string): CommandOutcome | undefined;
  /** Commands that wait for an answer. */
  readonly pending: number;
  /** Settles what waits as `timeout`, and takes nothing more. */
  close(): void;
}

interface Followed {
  readonly wire: WireEvent;
  readonly target: string | undefined;
  readonly windowMs: number;
  state: CommandOutcome | undefined;
  promise: Promise<CommandOutcome>;
  settle: (outcome: CommandOutcome) => void;
  timer: unknown;
}

/**
 * Makes a sender of commands. Pure: it sends nothing itself. Hand it every Event of the addressed sessions and every `error`
 * frame of the connection.
 *
 * @throws RangeError for a bound that makes no sense.
 *
 * @example
 * const sender = createSender({ source: 'aep://host/agent/desk', agent: 'desk' });
 * const { wire, outcome } = sender.respond(request, { option: 'allow' });
 * socket.send(wire);
 * if ((await outcome).type === 'timeout') socket.send(sender.retry(wire.event.id).wire);
 */
export function createSender(options: SenderOptions): Sender {
  const { source, agent, redact } = options;
  const windowMs = delayOf('ackWindowMs', options.ackWindowMs, DEFAULT_ACK_WINDOW_MS);
  const maxEntries = boundOf('maxCommands', options.maxCommands, DEFAULT_MAX_COMMANDS);
  const timers = options.timers ?? PLATFORM_TIMERS;
  const now = options.now ?? Date.now;
  const makeId = options.createId ?? (() => createId());
  const followed = new BoundedMap<Followed>({ maxEntries, maxLength: Infinity }, { mayForget: ({ state }) => state !== undefined });
  const correlation = createCorrelation({ maxCommands: maxEntries });
  let closed = false;
  let pending = 0;

  const open = (): void => {
    if (closed) throw new ControlError('closed', 'the sender is closed');
  };

  /** Begins a window: with a new promise where the one before is settled. */
  const begin = (command: Followed): SentCommand => {
    timers.clearTimeout(command.timer);
    if (command.state !== undefined) {
      ({ promise: command.promise, resolve: command.settle } = Promise.withResolvers<CommandOutcome>());
      command.state = undefined;
      pending++;
    }
    if (command.windowMs !== Infinity) {
      command.timer = timers.setTimeout(() => {
        settle(command, { type: 'timeout' });
      }, command.windowMs);
    }
    return { id: command.wire.event.id, wire: command.wire, outcome: command.promise };
  };

  const settle = (command: Followed, outcome: CommandOutcome): void => {
    timers.clearTimeout(command.timer);
    const before = command.state;
    command.state = outcome;
    if (before === undefined) {
      pending--;
      command.settle(outcome);
    } else if (outcome.type !== 'timeout') {
      command.promise = Promise.resolve(outcome);
      options.onLate?.(command.wire.event.id, outcome);
    }
  };

  const observeAck = (command: Followed, ack: AepEvent): Observation => {
    const { id, session } = command.wire.event;
    const known = ackOf(command.state);
    if (ack.session !== session || (command.target !== undefined && ack.source !== command.target)) return { type: 'misrouted', command: id };
    if (known !== undefined) return { type: known.source === ack.source && known.id === ack.id ? 'repeated' : 'misrouted', command: id };
    const outcome = outcomeOf(ack);
    const late = command.state !== undefined;
    settle(command, outcome);
    return { type: 'ack', command: id, outcome, late };
  };

  const sender: Sender = {
    command(type, request) {
      open();
      const wire = draftCommand(type, request, { source, agent, redact, id: makeId(), time: new Date(now()).toISOString() });
      const { promise, resolve } = Promise.withResolvers<CommandOutcome>();
      const command: Followed = {
        wire,
        target: request.target,
        windowMs: request.ackWindowMs === undefined ? windowMs : delayOf('ackWindowMs', request.ackWindowMs, windowMs),
        state: undefined,
        promise,
        settle: resolve,
        timer: undefined,
      };
      if (!followed.set(wire.event.id, command)) throw new ControlError('too-many-commands', `${String(maxEntries)} commands wait for their answer`);
      pending++;
      correlation.push(wire.event);
      return begin(command);
    },

    respond(request, answer, { capture, ackWindowMs } = {}) {
      const { type, session, id } = request;
      if (type !== 'attention.requested' || session === undefined) throw new ControlError('invalid-command', 'request: expected an attention.requested');
      const fields = member(request.data, 'fields');
      return sender.command('control.attention.respond', {
        session,
        subject: id,
        cause: id,
        target: request.source,
        data: { answer },
        ...(Array.isArray(fields) ? { fields: fields as readonly FieldSpec[] } : {}),
        ...(capture === undefined ? {} : { capture }),
        ...(ackWindowMs === undefined ? {} : { ackWindowMs }),
      });
    },

    retry(id) {
      open();
      const command = followed.get(id);
      if (command === undefined) throw new ControlError('unknown-command', 'no command of this id is followed');
      // An answered command stays answered; its copy only draws the recorded ack.
      if (ackOf(command.state) !== undefined) return { id, wire: command.wire, outcome: command.promise };
      return begin(command);
    },

    observe(event) {
      if (isAck(event.type)) {
        const command = event.cause === undefined ? undefined : followed.get(event.cause);
        if (command === undefined) return undefined;
        const observation = observeAck(command, event);
        // An ack that is none of ours leads to no outcome either.
        if (observation.type === 'ack') correlation.push(event);
        return observation;
      }
      const link = correlation.push(event);
      return link?.role === 'outcome' && followed.has(link.command) ? { type: 'outcome', command: link.command, via: link.via } : undefined;
    },

    refused({ cause, code, detail }) {
      const command = typeof cause === 'string' ? followed.get(cause) : undefined;
      if (command === undefined) return false;
      // What the target itself has said stands, whatever became of a retry.
      if (ackOf(command.state) !== undefined || command.state?.type === 'refused') return true;
      settle(command, {
        type: 'refused',
        code: typeof code === 'string' ? code : 'unknown',
        ...(typeof detail === 'string' ? { detail } : {}),
      });
      return true;
    },

    outcome: (id) => followed.get(id)?.state,

    get pending() {
      return pending;
    },

    close() {
      closed = true;
      for (const command of followed.values()) if (command.state === undefined) settle(command, { type: 'timeout' });
    },
  };
  return sender;
}

function ackOf(state: CommandOutcome | undefined): AepEvent | undefined {
  return state?.type === 'accepted' || state?.type === 'rejected' ? state.ack : undefined;
}

function outcomeOf(ack: AepEvent): CommandOutcome {
  if (ack.type === 'control.accepted') return { type: 'accepted', ack };
  const reason = member(ack.data, 'reason');
  const detail = member(ack.data, 'detail');
  return {
    type: 'rejected',
    reason: REJECT_REASONS.includes(reason as RejectReason) ? (reason as RejectReason) : undefined,
    ...(typeof detail === 'string' ? { detail } : {}),
    ack,
  };
}
