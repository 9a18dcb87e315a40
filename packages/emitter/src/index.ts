export { clockEpochs } from './clock-epochs.js';
export { createEmitter } from './emitter.js';
export {
  DEFAULT_BATCH_DELAY_MS,
  DEFAULT_CEILING,
  DEFAULT_FLUSH_TIMEOUT_MS,
  DEFAULT_HOST,
  DEFAULT_MAX_ATTEMPTS,
  DEFAULT_MAX_BATCH_BYTES,
  DEFAULT_MAX_BATCH_EVENTS,
  DEFAULT_MAX_EVENT_BYTES,
  DEFAULT_MAX_PAYLOAD_UNITS,
  DEFAULT_MAX_QUEUED_BYTES,
  DEFAULT_MAX_QUEUED_EVENTS,
  DEFAULT_MAX_REQUEST_UNITS,
  DEFAULT_MAX_REQUESTS,
  DEFAULT_MAX_SESSIONS,
  DEFAULT_MAX_UNITS,
  DEFAULT_RETRY_BASE_MS,
  DEFAULT_RETRY_MAX_MS,
} from './options.js';
export { DROPS_ATTRIBUTE } from './event-maker.js';
export { EMITTER_ERROR_CODES, EmitterError, TransportError } from './errors.js';
export { emitFromModel } from './emit-from-model.js';
export { MAX_IDENTIFIER_LENGTH, MAX_SUBJECT_LENGTH, MAX_SUBJECT_WORDS } from './identifiers.js';
export { MAX_NAMED_LOSSES } from './losses.js';
export { memoryTransport } from './memory-transport.js';
export { UNFINISHED_TYPE } from './session.js';

export type {
  AgentEmissionArguments,
  AgentType,
  Emission,
  EmissionArguments,
  EmissionAttributes,
  EmissionData,
  EmissionNeeds,
  SessionType,
  VendorType,
} from './emission.js';
export type { CheckedAnswer } from './command-fit.js';
export type { CommandDecision, CommandHandler } from './commands.js';
export type { CommandSession } from './command-session.js';
export type { ClockEpochsOptions } from './clock-epochs.js';
export type { Emitter, EmitterStats, SessionOptions } from './emitter.js';
export type { FlushOptions, FlushOutcome } from './flush-outcome.js';
export type { EmitterErrorCode, EmitterErrorFacts, TransportErrorFacts } from './errors.js';
export type { EmitterOptions, Trouble } from './options.js';
export type { EmitterTimers } from './timers.js';
export type { EpochStore, RequestMemory, SessionMemory, SessionNote } from './epoch-store.js';
export type { LostEvent, Loss, LossReason } from './losses.js';
export type { MemoryTransport } from './memory-transport.js';
export type { Redact, Redactor } from './redactor.js';
export type { Session, SessionAttributes, SessionEnd } from './session.js';
export type { Transport, TransportOptions, TransportPeer } from './transport.js';
export type { TransportTrouble } from './transport-trouble.js';
export type { TransportFailure } from './sender.js';
