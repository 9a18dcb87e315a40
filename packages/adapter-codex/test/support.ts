import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import type { AdapterOptions, HookAdapter, Redactor } from '@aepkit/adapter-kit';
import { type AepEvent, type JsonObject, type JsonValue, parseEvent } from '@aepkit/envelope';
import { checkEmission, StreamValidator, validatePayload } from '@aepkit/taxonomy';
import { expect } from 'vitest';

import { adapter } from '../src/index.js';

export interface Recorded {
  readonly hook: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/**
 * What six real sessions called: a tool that succeeded, one that failed, a permission that was granted and one that was refused in the
 * agent's own prompt, and one that a hook granted and one that a hook refused. Calls of `notify` are among them.
 */
export const recorded: readonly Recorded[] = readFileSync(fileURLToPath(new URL('../recordings/sessions.jsonl', import.meta.url)), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Recorded);

/** The hook calls of one recorded session after the other; `notify` is no hook. */
export const sessions: readonly (readonly Recorded[])[] = [...Map.groupBy(recorded.filter(({ hook }) => hook !== 'notify'), ({ payload }) => payload.session_id).values()];

export const LEVELS = ['none', 'metadata', 'redacted', 'full'] as const;

/** A pipeline that can be seen at work and does next to nothing. */
const homeRedactor: Redactor = {
  text: (text) => text.replaceAll('/home/dev', '~'),
  value: (value) => JSON.parse(JSON.stringify(value).replaceAll('/home/dev', '~')) as JsonValue,
};

export function testAdapter(options: Partial<AdapterOptions> = {}): HookAdapter {
  let ids = 0;
  return adapter.create({
    host: 'box',
    now: () => Date.UTC(2026, 0, 1),
    createId: () => `id-${String((ids += 1)).padStart(4, '0')}`,
    redactor: homeRedactor,
    ...options,
  });
}

/** Feeds hooks of session `s1` and gives the Events of each. */
export function feeder(tested: HookAdapter = testAdapter(), session = 's1') {
  return (hook: string, members: Record<string, unknown> = {}): AepEvent[] =>
    tested.handle({ session_id: session, hook_event_name: hook, ...members }).map(({ event }) => event);
}

export function types(events: readonly AepEvent[]): string[] {
  return events.map(({ type }) => type);
}

export function data(event: AepEvent | undefined): JsonObject {
  return event?.data ?? {};
}

/** Everything there is to check about the Events of a whole stream; gives the codes of the warnings. */
export function expectValid(events: readonly AepEvent[]): string[] {
  const validator = new StreamValidator();
  const warnings: string[] = [];
  for (const event of events) {
    expect(parseEvent(JSON.stringify(event)).event).toEqual(event);
    expect(validatePayload(event)).toEqual([]);
    for (const { code, severity, message } of [...checkEmission(event), ...validator.push(event)]) {
      if (severity === 'error') expect.fail(`${event.type}: ${code}: ${message}`);
      warnings.push(code);
    }
  }
  for (const { code, severity } of validator.end()) if (severity === 'error') expect.fail(code);
  return warnings;
}
