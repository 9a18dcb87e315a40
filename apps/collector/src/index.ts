export { collectorApp, DEFAULT_SESSIONS_PAGE, MAX_SESSIONS_PAGE } from './collector-app.js';
export { defaultValues, startCollector } from './collector.js';
export { defaultDataFolder } from './data-folder.js';
export { CollectorError } from './errors.js';
export { loadSettings } from './load-settings.js';
export { runCollector } from './run-collector.js';
export { collectorSettings } from './settings.js';

export type { CollectorParts } from './collector-app.js';
export type { Collector, CollectorLog } from './collector.js';
export type { Surroundings } from './data-folder.js';
export type { CollectorErrorCode } from './errors.js';
export type { HookIntake } from './hook-intake.js';
export type { SettingSources } from './load-settings.js';
export type { Surface } from './run-collector.js';
export type { CollectorValues } from './settings.js';
