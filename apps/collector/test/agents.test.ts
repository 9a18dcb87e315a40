import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import type { HookAdapter } from '@aepkit/adapter-kit';
import type { AepEvent } from '@aepkit/envelope';
import { StreamValidator, validatePayload } from '@aepkit/taxonomy';
import { tempDir } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { ADAPTERS, adapterOf } from '../src/adapters.js';
import { startCollector } from '../src/index.js';
import { readReplay } from './support.js';

const AGENTS = Object.keys(ADAPTERS);

/** The recorded calls of an agent; `notify` of Codex, which is no hook, left out. */
function recordedOf(agent: string): object[] {
  const file = fileURLToPath(import.meta.resolve(`@aepkit/adapter-${agent}/recordings/sessions.jsonl`));
  return readFileSync(file, 'utf8').trim().split('\n').map((line) => (JSON.parse(line) as { payload: object }).payload).filter((payload) => 'hook_event_name' in payload);
}

async function adapterFor(agent: string): Promise<HookAdapter> {
  const definition = await adapterOf(agent);
  if (definition === undefined) throw new Error(`no adapter of ${agent}`);
  return definition.create({ host: 'elsewhere' });
}

function checked(events: readonly AepEvent[]): readonly AepEvent[] {
  const validator = new StreamValidator();
  for (const event of events) expect([event.type, validatePayload(event), validator.push(event).filter(({ severity }) => severity === 'error')]).toEqual([event.type, [], []]);
  expect(validator.end().filter(({ severity }) => severity === 'error')).toEqual([]);
  return events;
}

describe('the agents', () => {
  it('are three, each known by its name', async () => {
    expect(AGENTS).toEqual(['claude-code', 'codex', 'gemini-cli']);
    for (const agent of AGENTS) expect((await adapterOf(agent))?.agent).toBe(agent);
    for (const name of ['other', 'constructor', '__proto__']) expect(await adapterOf(name)).toBeUndefined();
  });

  it('have what they did kept as valid sessions, call by call, and records of all of them by any route', async () => {
    await using dir = await tempDir();
    const collector = await startCollector({ port: 0, data: dir.path, spool: 'off' });
    try {
      let keys = 0;
      const mixed: string[] = [];
      for (const agent of AGENTS) {
        const adapter = await adapterFor(agent);
        for (const payload of recordedOf(agent)) {
          const response = await fetch(`${collector.url}/hooks/${agent}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(payload) });
          expect(response.status).toBe(202);
          const session = adapter.sessionOf(payload);
          // The same session again, as a shim would bring it that had to wait.
          const record = adapter.read(payload, { key: `01JAAA0000000${String((keys += 1)).padStart(11, '0')}00` });
          mixed.push(JSON.stringify({ ...record, session: `${session}.late` }));
        }
      }
      const direct = (await readReplay(collector.url)).data.map((text) => JSON.parse(text) as AepEvent);
      const response = await fetch(`${collector.url}/hooks/codex`, { method: 'POST', headers: { 'content-type': 'application/x-ndjson' }, body: `${[...mixed, JSON.stringify({ ...(JSON.parse(mixed[0] ?? '{}') as object), agent: 'other' })].join('\n')}\n` });
      expect(await response.json()).toMatchObject({ known: 0, refused: [{ line: mixed.length + 1, error: 'invalid-record' }] });
      const all = (await readReplay(collector.url)).data.map((text) => JSON.parse(text) as AepEvent);
      const story = (events: readonly AepEvent[], agent: string): string[] => events.filter((event) => event.agent === agent).map(({ type, session, seq }) => `${session} ${seq} ${type}`);
      for (const agent of AGENTS) {
        checked(direct.filter((event) => event.agent === agent));
        const sessions = new Set(direct.filter((event) => event.agent === agent).map(({ session }) => session));
        expect(sessions.size).toBeGreaterThanOrEqual(4);
        const late = story(all, agent).filter((line) => line.includes('.late '));
        expect(late.map((line) => line.replace('.late ', ' ')).sort()).toEqual(story(direct, agent).sort());
      }
    } finally {
      await collector.close();
    }
  });

  it.each([
    [undefined, 'full'],
    ['redacted', 'redacted'],
    ['metadata', 'metadata'],
    ['none', 'none'],
    ['nonsense', 'none'],
  ])('may say that less is kept of a call: %s', async (header, capture) => {
    await using dir = await tempDir();
    const collector = await startCollector({ port: 0, data: dir.path, spool: 'off', capture: 'full' });
    try {
      const body = JSON.stringify({ session_id: 's', hook_event_name: 'UserPromptSubmit', prompt: 'AKIAIOSFODNN7EXAMPLE and words' });
      await fetch(`${collector.url}/hooks/claude-code`, { method: 'POST', headers: { 'content-type': 'application/json', ...(header === undefined ? {} : { 'aep-capture': header }) }, body });
      const [event] = (await readReplay(collector.url)).data.map((text) => JSON.parse(text) as AepEvent);
      expect(event?.capture).toBe(capture);
      expect(JSON.stringify(event).includes('AKIA')).toBe(capture === 'full');
    } finally {
      await collector.close();
    }
  });

  it('are named to one who asks for another', async () => {
    await using dir = await tempDir();
    const collector = await startCollector({ port: 0, data: dir.path, spool: 'off' });
    try {
      const response = await fetch(`${collector.url}/hooks/other`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });
      expect([response.status, await response.json()]).toMatchObject([404, { error: 'unknown-agent', detail: 'there are hooks of claude-code, codex, gemini-cli' }]);
    } finally {
      await collector.close();
    }
  });
});
