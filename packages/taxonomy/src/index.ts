export { checkEmission } from './check-emission.js';
export { DEFAULT_MAX_ISSUES } from './issue-list.js';
export { gate } from './gate.js';
export { GATE_ERROR_CODES, GateError } from './errors.js';
export { gateData } from './gate-data.js';
export { hasPayloadSchema, registry, typeEntry } from './registry.js';
export { PAYLOAD_ISSUE_CODES } from './payload-issue.js';
export { payloadSchemas } from './payload-schemas.js';
export { validatePayload } from './validate-payload.js';

export type { CoreType, PayloadOf, Payloads, PayloadType } from './generated/payloads.js';
export type { Answer, Choice, Citation, Cost, ErrorInfo, FieldSpec, Guardrail, SourceDocument, ToolRef } from './generated/payloads.js';
export type { Degraded, GatedLevel, PayloadSchema } from './payload-schema.js';
export type { GateContext } from './gate-data.js';
export type { GateErrorCode } from './errors.js';
export type { IssueOptions } from './issue-list.js';
export type { PayloadIssue, PayloadIssueCode } from './payload-issue.js';
export type { TypeEntry, TypeScope, TypeStatus } from './registry.js';
