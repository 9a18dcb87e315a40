export { collectorApp, DEFAULT_SESSIONS_PAGE, MAX_SESSIONS_PAGE } from './collector-app.js';
export { defaultValues, startCollector } from './collector.js';
export { defaultDataFolder, ownerTokenFile } from './data-folder.js';
export { loadSettings } from './load-settings.js';
export { runCollector } from './run-collector.js';
export { collectorSettings } from './settings.js';

export type { CollectorParts } from './collector-app.js';
export type { Collector } from './collector.js';
export type { Surroundings } from './data-folder.js';
export type { HookIntake } from './hook-intake.js';
export type { CollectorValues } from './settings.js';
