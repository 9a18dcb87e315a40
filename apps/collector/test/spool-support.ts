import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { adapter as claudeCode } from '@aepkit/adapter-claude-code';
import type { HookRecord } from '@aepkit/adapter-kit';
import type { AepEvent } from '@aepkit/envelope';
import { openSpool, type Spool } from '@aepkit/spool';

import { readReplay } from './support.js';

interface Recorded {
  readonly payload: Readonly<Record<string, unknown>> & { readonly session_id: string };
}

/** The hook calls of four real sessions, in order. */
export const recorded: readonly Recorded[] = readFileSync(fileURLToPath(import.meta.resolve('@aepkit/adapter-claude-code/recordings/sessions.jsonl')), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Recorded);

/** Records of the recorded calls, in `copies` sets of sessions of their own, each with a key. */
export function recordsOf(copies = 1): HookRecord[] {
  const adapter = claudeCode.create({ host: 'shim' });
  let n = 0;
  return Array.from({ length: copies }, (_, copy) => recorded.map(({ payload }) => adapter.read({ ...payload, session_id: `${payload.session_id}.${copy}` }, { key: `01JAAA0000000${String((n += 1)).padStart(11, '0')}00` }))).flat();
}

/** What a collector makes of records that it gets once and in order: types by session. */
export function storyOf(records: readonly HookRecord[]): Map<string, string[]> {
  const adapter = claudeCode.create({ host: 'elsewhere' });
  return storiesIn(records.flatMap((record) => adapter.place(record).map(({ event }) => event)));
}

export function storiesIn(events: readonly AepEvent[]): Map<string, string[]> {
  const stories = new Map<string, string[]>();
  for (const { session = '', type, seq } of events) stories.set(session, [...(stories.get(session) ?? []), `${String(seq)} ${type}`]);
  return stories;
}

/** All that a collector keeps. */
export async function keptBy(url: string): Promise<AepEvent[]> {
  return (await readReplay(url)).data.map((text) => JSON.parse(text) as AepEvent);
}

/** The spool of hooks for a port of this machine. */
export function hookSpool(root: string, port: number): Promise<Spool> {
  return openSpool({ path: `${root}/hooks/local-${port}` });
}

export function linesOf(records: readonly HookRecord[]): { text: string }[] {
  return records.map((record) => ({ text: JSON.stringify(record) }));
}
