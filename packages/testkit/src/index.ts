export { manualClock, turn } from './clock.js';
export { cuttingProxy } from './cutting-proxy.js';
export { buildEvent, buildSession, buildWire } from './events.js';
export { launch, launchNode } from './process.js';
export { rawClient } from './raw-client.js';
export { tempDir } from './temp-dir.js';

export type { ManualClock } from './clock.js';
export type { CuttingProxy } from './cutting-proxy.js';
export type { EventOverrides } from './events.js';
export type { Exit, Launched, LaunchOptions } from './process.js';
export type { RawClient } from './raw-client.js';
export type { TempDir } from './temp-dir.js';
