import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { buildEvent, type EventOverrides } from '@aepkit/testkit';

/** Names that no file system takes as they are. */
export const NAMES: readonly string[] = [
  '..',
  '.',
  'CON',
  'con.txt',
  'a/b\\c',
  'x'.repeat(300),
  'nul\u0000like',
  '%agent',
  ' lead',
  'trail.',
  'Claude',
  'claude',
  'caf\u00e9',
  'cafe\u0301',
  'a.jsonl',
  'a.jsonl.1',
  'a.jsonl-20260101',
  '__proto__',
  '\u{1f600}',
];

const minute = (n: number): string => new Date(Date.UTC(2026, 0, 1, 0, n)).toISOString();

/** Texts of Events in the order in which a collector gets them: all that may go wrong on the way to a file and back. */
export function mixedCorpus(): string[] {
  let n = 0;
  const text = (overrides: EventOverrides): string => {
    n += 1;
    return JSON.stringify(buildEvent({ id: `c-${String(n)}`, time: minute(n), ...overrides }));
  };
  const placed = (agent: string, session: string, seq: number, more: EventOverrides = {}): string =>
    text({ agent, session, source: `aep://host/agent/${encodeURIComponent(agent)}/session/${encodeURIComponent(session)}`, seq, ...more });
  const command = (session: string, id: string): string => text({ id, type: 'control.cancel', agent: 'operator', source: 'aep://host/operator', session, seq: undefined, data: undefined });
  const heartbeat = (agent: string): string => text({ type: 'agent.heartbeat', agent, source: `aep://host/agent/${encodeURIComponent(agent)}`, session: undefined, seq: undefined, data: undefined });
  const texts = [
    // Digits, escapes and the order of members have to survive.
    placed('a', 's', 1).replace('"data":{', '"big":9007199254740993123,"data":{"n":1.0e+2,"big":123456789012345678901234567890,'),
    `{"data":{"text":"\\u00e9\\u0000\\/ caf\u00e9 \u2028 \u{1f600} \\ud83d\\ude00"},"seq":2,"zed":"z","session":"s","agent":"a","source":"aep://host/agent/a/session/s","time":"${minute(2)}","type":"x.acme.odd.order","id":"odd","aep":"0.1"}`,
    placed('a', 's', 3).replace('{"aep"', '{ \t"aep"'),
    // Nobody has heard of the session yet.
    command('unheard', 'command-early'),
    heartbeat('a'),
    placed('a', 's', 10),
    command('s', 'command-1'),
    // Late backfill, a new epoch, and a position used twice.
    placed('a', 's', 5),
    placed('a', 's', 0, { epoch: 1_700_000_000_000 }),
    placed('a', 's', 10, { data: { twice: true } }),
    // Another source and another agent with the same name of a session.
    placed('a', 's', 4, { source: 'aep://other/agent/a/session/s' }),
    placed('b', 's', 7, { source: 'aep://other/agent/b/session/s' }),
    command('s', 'command-2'),
    placed('b', 's', 8, { source: 'aep://other/agent/b/session/s' }),
    text({ type: 'attention.routed', agent: 'operator', source: 'aep://host/operator', session: 's', seq: undefined, data: undefined }),
    // The same id of two sources, and one Event twice.
    placed('a', 's', 11, { id: 'shared' }),
    placed('b', 's', 9, { id: 'shared', source: 'aep://other/agent/b/session/s' }),
  ];
  texts.push(texts[0] ?? '');
  for (const name of NAMES) texts.push(placed(name, 'named', 1), placed('namer', name, 1), placed(name, name, 1), heartbeat(name), command(name, `command-${String(texts.length)}`));
  return texts;
}

/** Every file below a folder with its bytes, by path. */
export async function treeOf(root: string): Promise<Map<string, string>> {
  const tree = new Map<string, string>();
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) tree.set(join(entry.parentPath, entry.name).slice(root.length + 1), (await readFile(join(entry.parentPath, entry.name))).toString('latin1'));
  }
  return new Map([...tree].sort(([a], [b]) => (a < b ? -1 : 1)));
}
