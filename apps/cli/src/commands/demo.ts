import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { endpointOf, fetchJson } from '../endpoint.js';
import { EXIT } from '../exit-code.js';
import { say } from '../stdout.js';

/** Options of `aep demo`. */
export interface DemoOptions {
  readonly url?: string;
  readonly scenario: string;
  readonly pace: number;
}

interface Recorded {
  readonly hook: string;
  readonly payload: Record<string, unknown>;
}

/** The recorded sessions in the order of the recording. */
const SCENARIOS = ['success', 'failure', 'approved', 'denied'];

/** Plays recorded hook calls of Claude Code, each session under a fresh id. */
export async function demo(options: DemoOptions): Promise<number> {
  const endpoint = endpointOf(options.url);
  const recordings = await readRecordings();
  for (const [index, calls] of recordings.entries()) {
    const scenario = SCENARIOS[index] ?? `session ${index + 1}`;
    if (options.scenario !== 'all' && options.scenario !== scenario) continue;
    const session = randomUUID();
    say(`playing ${scenario}: session ${session}`);
    for (const [position, { payload }] of calls.entries()) {
      if (position > 0 && options.pace > 0) await pause(options.pace);
      await fetchJson(endpoint, 'hooks/claude-code', {
        missing: 'takes no hook calls',
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...payload, session_id: session }),
      });
    }
  }
  return EXIT.ok;
}

async function readRecordings(): Promise<readonly (readonly Recorded[])[]> {
  const file = fileURLToPath(import.meta.resolve('@aepkit/adapter-claude-code/recordings/sessions.jsonl'));
  const sessions = new Map<unknown, Recorded[]>();
  for (const line of (await readFile(file, 'utf8')).trim().split('\n')) {
    const call = JSON.parse(line) as Recorded;
    const id = call.payload.session_id;
    const calls = sessions.get(id) ?? [];
    calls.push(call);
    sessions.set(id, calls);
  }
  return [...sessions.values()];
}
