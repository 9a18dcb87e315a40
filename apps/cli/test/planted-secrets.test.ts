import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { type Launched, tempDir } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { MEMBER_SECRET, NAMED, PLANTED, SECRET_VARIABLE } from './planted-secrets.js';
import { aepIn, freePort, lines } from './support.js';

/** Each stands in one kind of content, so that what is told of it shows. */
const WORDS = { prompt: 'zebrafish', input: 'heliotrope', output: 'quicksilver', failure: 'marzipan', message: 'periwinkle' };
const spread = (word: string): string => PLANTED.map(({ text }) => `${word} ${text} ${word}`).join('\n');

const call = (hook_event_name: string, members: object): string => JSON.stringify({ session_id: 'run', cwd: '/home/someone/shop', prompt_id: 'p1', hook_event_name, ...members });
const tool = { tool_name: 'Bash', tool_use_id: 'c1', tool_input: { command: spread(WORDS.input), env: { password: MEMBER_SECRET, nested: [{ api_key: MEMBER_SECRET }] } } };
const CALLS: readonly string[] = [
  call('SessionStart', { source: 'startup' }),
  call('UserPromptSubmit', { prompt: spread(WORDS.prompt) }),
  call('PreToolUse', tool),
  call('PermissionRequest', { ...tool, tool_use_id: undefined }),
  call('PostToolUse', { ...tool, tool_response: { stdout: spread(WORDS.output), token: MEMBER_SECRET } }),
  call('PreToolUse', { ...tool, tool_use_id: 'c2' }),
  call('PostToolUseFailure', { ...tool, tool_use_id: 'c2', error: spread(WORDS.failure) }),
  call('Notification', { notification_type: 'idle_prompt', message: spread(WORDS.message) }),
  call('Stop', { last_assistant_message: spread(WORDS.message) }),
  call('SessionEnd', { reason: 'other' }),
];
/** So many find no collector. */
const EARLY = 5;
const TYPES = [
  'session.started', 'run.started', 'tool.requested', 'attention.requested', 'attention.answered', 'attention.resolved', 'tool.completed', 'tool.requested', 'tool.failed',
  'attention.requested', 'run.finished', 'attention.resolved', 'session.ended',
];

async function* filesBelow(folder: string): AsyncGenerator<string> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else if (entry.isFile()) yield path;
  }
}

/** Everything that lies in a folder, files of a database and its journal among it, byte by byte. */
async function allOf(folder: string): Promise<string> {
  const texts: string[] = [];
  for await (const path of filesBelow(folder)) texts.push((await readFile(path)).toString('latin1'));
  return texts.join('\n');
}

/** Both spellings a text can have in JSON. */
function isIn(heap: string, needle: string): boolean {
  return heap.includes(needle) || heap.includes(JSON.stringify(needle).slice(1, -1));
}

async function play(capture: string): Promise<Record<'spool' | 'live' | 'database' | 'stream' | 'exported' | 'log' | 'closed', string> & { types: string[] }> {
  await using home = await tempDir();
  const aep = aepIn(home.path);
  const env = { AEP_CAPTURE: capture, AEP_REDACT_ENV: SECRET_VARIABLE, [SECRET_VARIABLE]: NAMED, AEP_SPOOL: home.file('spool') };
  const port = await freePort();
  const hookEnv = { ...env, AEP_URL: `http://127.0.0.1:${port}` };
  for (const input of CALLS.slice(0, EARLY)) await aep.run(['hook', 'claude-code'], { input, env: hookEnv });
  const spool = await allOf(home.file('spool'));

  const data = home.file('data');
  const collector: Launched = aep.start(['collector', '--port', String(port), '--data', data, '--log-level', 'debug'], env);
  await collector.output(/ready at/);
  const tail = aep.start(['tail', '--json', '--url', hookEnv.AEP_URL], env);
  await tail.output(/tool\.completed/);
  // One comes through the shim, which reads it; the others as an agent without settings would send them.
  await aep.run(['hook', 'claude-code'], { input: CALLS[EARLY] ?? '', env: hookEnv });
  for (const body of CALLS.slice(EARLY + 1)) {
    const response = await fetch(`${hookEnv.AEP_URL}/hooks/claude-code`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    expect(response.status).toBe(202);
    await response.body?.cancel();
  }
  await tail.output(/session\.ended/);
  await tail.stop();
  const database = await allOf(data);
  const stream = await (await fetch(`${hookEnv.AEP_URL}/stream?from=all&live=0`)).text();
  const { code } = await aep.run(['export', home.file('archive'), '--url', hookEnv.AEP_URL], { env });
  expect(code).toBe(0);
  const { stdout, stderr } = await collector.stop();
  const types = lines(stream).filter((line) => line.startsWith('data: ')).map((line) => (JSON.parse(line.slice(6)) as { type: string }).type);
  const shown = await tail.exit;
  return { spool, live: shown.stdout + shown.stderr, database, stream, exported: await allOf(home.file('archive')), log: stdout + stderr, closed: await allOf(data), types };
}

describe('a run with secrets in its prompt, its input and its output', () => {
  it('plants more than twenty, of different kinds, in all three', () => {
    expect(new Set(PLANTED.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(20);
    for (const { secret } of PLANTED) for (const index of [1, 2, 4]) expect(isIn(CALLS[index] ?? '', secret)).toBe(true);
  });

  it('leaves no content anywhere at metadata [B-186, B-190]', { timeout: 120_000 }, async () => {
    const { types, ...places } = await play('metadata');
    expect(types).toEqual(TYPES);
    for (const [place, text] of Object.entries(places)) {
      for (const word of [...Object.values(WORDS), MEMBER_SECRET, '/home/someone', 'shop']) expect([place, word, isIn(text, word)]).toEqual([place, word, false]);
      for (const { kind, secret } of PLANTED) expect([place, kind, isIn(text, secret)]).toEqual([place, kind, false]);
    }
  });

  it('leaves the content at redacted, and no secret anywhere [B-193, B-194, B-195, B-196, B-197, B-198, B-199, B-200, T-230]', { timeout: 120_000 }, async () => {
    const { types, ...places } = await play('redacted');
    expect(types).toEqual(TYPES);
    for (const [place, text] of Object.entries(places)) {
      for (const { kind, secret } of PLANTED) expect([place, kind, isIn(text, secret)]).toEqual([place, kind, false]);
      expect([place, isIn(text, MEMBER_SECRET), isIn(text, '/home/someone')]).toEqual([place, false, false]);
    }
    for (const word of Object.values(WORDS)) for (const place of ['live', 'stream', 'exported', 'database'] as const) expect([place, word, isIn(places[place], word)]).toEqual([place, word, true]);
    for (const word of [WORDS.prompt, WORDS.input, WORDS.output]) expect(isIn(places.spool, word)).toBe(true);
    expect(places.log).not.toContain(WORDS.prompt);
  });
});
