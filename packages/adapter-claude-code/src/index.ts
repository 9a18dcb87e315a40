export { ClaudeCodeAdapter } from './adapter.js';
export { AGENT } from './agent.js';
export { AdapterError } from './errors.js';
export { isCallKey } from './call-key.js';
export { MAX_FORM_ITEMS } from './forms.js';
export { MAX_IDENTIFIER_LENGTH, MAX_PAYLOAD_DEPTH } from './hook-payload.js';
export { isExpendable, MAX_BATCH_CALLS, parseRecord, RECORD_VERSION } from './hook-record.js';
export { MAPPED_HOOKS } from './mapping.js';
export { DEFAULT_CEILING, DEFAULT_MAX_SESSIONS } from './options.js';
export { MAX_CLOSED_RUNS, MAX_OPEN, STATE_TYPES } from './session-state.js';

export type { AdapterErrorCode } from './errors.js';
export type { AnswerRecord, FieldRecord, HookRecord, QuestionRecord, RecordCeiling } from './hook-record.js';
export type { ClaudeCodeAdapterOptions } from './options.js';
