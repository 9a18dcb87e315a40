import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import type { AdapterOptions, HookAdapter } from '@aepkit/adapter-kit';
import type { AepEvent, JsonObject } from '@aepkit/envelope';

import { adapter } from '../src/index.js';

export interface Recorded {
  readonly hook: string;
  readonly payload: Record<string, unknown> & { session_id: string };
}

/** Four real sessions: tool success, tool failure, permission approved, permission denied. */
export const recorded: readonly Recorded[] = readFileSync(
  fileURLToPath(new URL('../recordings/sessions.jsonl', import.meta.url)),
  'utf8',
)
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Recorded);

export const recordedSessions: readonly (readonly Recorded[])[] = [...new Set(recorded.map(({ payload }) => payload.session_id))].map((id) =>
  recorded.filter(({ payload }) => payload.session_id === id),
);

/** At `metadata` for every category, unless told otherwise. */
export function testAdapter(options: Partial<AdapterOptions> = {}): HookAdapter {
  let ids = 0;
  return adapter.create({
    host: 'box',
    ceiling: 'metadata',
    now: () => Date.UTC(2026, 0, 1),
    createId: () => `id-${String((ids += 1)).padStart(4, '0')}`,
    ...options,
  });
}

/** Feeds hooks of session `s1` and gives the Events of each. */
export function feeder(adapter: HookAdapter = testAdapter(), session = 's1') {
  return (hook: string, members: Record<string, unknown> = {}): AepEvent[] =>
    adapter.handle({ session_id: session, hook_event_name: hook, ...members }).map(({ event }) => event);
}

export function types(events: readonly AepEvent[]): string[] {
  return events.map(({ type }) => type);
}

export function data(event: AepEvent | undefined): JsonObject {
  return event?.data ?? {};
}

/** Every text of a payload that is content, as opposed to identifiers and structural words. */
export function contentOf(payload: Record<string, unknown>): string[] {
  const structural = new Set(['session_id', 'hook_event_name', 'source', 'model', 'prompt_id', 'tool_name', 'tool_use_id', 'reason', 'notification_type']);
  const found: string[] = [];
  const walk = (value: unknown): void => {
    if (typeof value === 'string') found.push(value);
    else if (typeof value === 'object' && value !== null) for (const [key, item] of Object.entries(value)) if (!structural.has(key)) walk(item);
  };
  walk(payload);
  return found.filter((text) => text.length > 3 && !['default', 'medium', 'session'].includes(text));
}
