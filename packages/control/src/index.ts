export { acceptsOf, ackWindowOf } from './accepts.js';
export { checkAnswer } from './check-answer.js';
export { CONTROL_ERROR_CODES, ControlError } from './errors.js';
export { createCorrelation } from './correlation.js';
export { createInbox } from './inbox.js';
export { createRouter } from './router.js';
export { createSender } from './sender.js';
export {
  DEFAULT_ACK_WINDOW_MS,
  DEFAULT_MAX_CLAIMS,
  DEFAULT_MAX_COMMANDS,
  DEFAULT_MAX_CONNECTION_LENGTH,
  DEFAULT_MAX_DECISION_LENGTH,
  DEFAULT_MAX_DECISIONS,
  DEFAULT_MAX_HANDED,
  DEFAULT_MAX_PENDING,
} from './options.js';
export { REJECT_REASONS } from './outcome.js';

export type { AckDraft, Decision, Inbox, InboxIncident, InboxOptions, Received, Rejection } from './inbox.js';
export type { AnswerVerdict, CheckAnswerOptions, EffectiveAnswer } from './check-answer.js';
export type { CommandOutcome, RejectReason } from './outcome.js';
export type { CommandRequest } from './command-draft.js';
export type { ControlErrorCode } from './errors.js';
export type { ControlTimers } from './options.js';
export type { Correlation, CorrelationOptions, Link } from './correlation.js';
export type { Observation, RefusalFrame, Sender, SenderOptions, SendRequest, SentCommand } from './sender.js';
export type { PolicyRequest, Refusal, Router, RouterOptions, RouterStats } from './router.js';
