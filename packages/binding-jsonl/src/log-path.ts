import { join } from 'node:path';

import { encodeName } from './name-encoding.js';

/** Extension of a log that is being written. */
export const LOG_EXTENSION = '.jsonl';

/** File of the Events that belong to an agent and to no session. No id is encoded to this: `%ag` is no escape. */
export const AGENT_LOG_NAME = '%agent.jsonl';

/**
 * Path of the log an Event goes to: `{root}/{agent}/{session}.jsonl`, with both names as {@link encodeName} gives them
 * (AEP-0003 §3.1, §9.6), and `{root}/{agent}/%agent.jsonl` for an Event without a session.
 *
 * Throws {@link JsonlWriteError} `invalid-name`.
 *
 * @example
 * logPath('/var/log/agents', { agent: 'claude', session: '../x' })   // /var/log/agents/claude/%2e.%2fx.jsonl
 */
export function logPath(root: string, event: { readonly agent: string; readonly session?: string | undefined }): string {
  const name = event.session === undefined ? AGENT_LOG_NAME : `${encodeName(event.session)}${LOG_EXTENSION}`;
  return join(root, encodeName(event.agent), name);
}
