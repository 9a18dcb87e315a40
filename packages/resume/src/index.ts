export { eventItem } from './event-item.js';
export { exhaustedItems } from './exhausted-items.js';
export { DEFAULT_MAX_SEEN, DEFAULT_MAX_SESSIONS, Memory } from './memory.js';
export { positionSaver } from './position-saver.js';
export { ProcessedPositions } from './processed-positions.js';
export { resumePlan } from './resume-plan.js';
export { sessionFilter } from './session-filter.js';

export type { MemoryOptions, Missing, Verdict } from './memory.js';
export type { PositionSaver } from './position-saver.js';
export type { PositionStore, SavedPosition } from './position-store.js';
export type { EventItem, ExhaustedItem, GapItem, GapReason, ResumeItem, ResumeMode } from './resume-item.js';
export type { ResumeFacts, ResumeRequest } from './resume-plan.js';
export type { SessionFilter } from './session-filter.js';
