/**
 * What is wrong with a stream as a whole (AEP-0001 §7.4, AEP-0002 §2.5 and §7, AEP-0004 §3).
 *
 * Errors:
 * - `id-collision`: one `(source, id)` on two Events that differ.
 * - `position-taken`: another Event of the session holds this position.
 * - `position-not-increasing`: `seq` is not above an earlier one of its epoch (emission order only).
 * - `epoch-return`: `epoch` is lower than an earlier one of the session (emission order only).
 * - `second-run-terminal`, `second-session-end`, `second-attention-terminal`: a unit ends a second time. The last is a
 *   warning for a resolution that follows a timeout, which a diagram of the specification shows.
 * - `open-attention`: the session ends while a request raised in it has no terminal.
 * - `missing-subject`: an attention Event or an answering command does not say which request it belongs to.
 * - `wrong-subject`: the `subject` of an attention Event is an Event of another type.
 * - `missing-cause`: an ack does not say which command it belongs to.
 * - `wrong-cause`: the `cause` of an ack is no command.
 * - `second-ack`: a command has two different acks.
 * - `not-a-choice`: an answer is none of the choices of its field.
 * - `wrong-answer`: an answer has another type than its field asks for.
 * - `unknown-field`: an answer belongs to no field of the form.
 * - `not-a-form`: there are answers to a request that is no form.
 * - `ungated-answer`: free text in an answer below `redacted`.
 *
 * Warnings:
 * - `missing-run`: a `run.*` Event does not name its run, so nothing can be paired by it.
 * - `second-tool-terminal`: a tool invocation ends a second time.
 * - `unlinked-terminal`: the end of a unit does not name its start in `cause`.
 * - `unlinked-attention`: a later attention Event has no `cause`.
 * - `forgotten`: limits were reached; checks that needed what was forgotten were skipped.
 */
export type StreamIssueCode = (typeof STREAM_ISSUE_CODES)[number];

/** Every {@link StreamIssueCode}. */
export const STREAM_ISSUE_CODES = [
  'id-collision',
  'position-taken',
  'position-not-increasing',
  'epoch-return',
  'second-run-terminal',
  'second-session-end',
  'second-attention-terminal',
  'open-attention',
  'missing-subject',
  'wrong-subject',
  'missing-cause',
  'wrong-cause',
  'second-ack',
  'not-a-choice',
  'wrong-answer',
  'unknown-field',
  'not-a-form',
  'ungated-answer',
  'missing-run',
  'second-tool-terminal',
  'unlinked-terminal',
  'unlinked-attention',
  'forgotten',
] as const;

/** One fault of a stream. */
export interface StreamIssue {
  readonly code: StreamIssueCode;
  /** `error` where the specification requires, `warning` where it recommends or leaves open. */
  readonly severity: 'error' | 'warning';
  /** A sentence for people. Names of the sender in it are quoted and cut. */
  readonly message: string;
  /** `source` of the Event with the fault; empty for a fault of no single Event. */
  readonly source: string;
  /** `id` of the Event with the fault; empty for a fault of no single Event. */
  readonly eventId: string;
  /** Where in that Event: `$.subject`, `$.data.answer.values.f1`. */
  readonly path?: string;
}
