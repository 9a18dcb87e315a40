export { adapter } from './adapter.js';
export { AGENT } from './agent.js';
