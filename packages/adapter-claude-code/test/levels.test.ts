import type { Redactor } from '@aepkit/adapter-kit';
import { type AepEvent, CAPTURES, type JsonValue, parseEvent } from '@aepkit/envelope';
import { createRedactor } from '@aepkit/redaction';
import { checkEmission, validatePayload } from '@aepkit/taxonomy';
import { describe, expect, it } from 'vitest';

import { adapter as definition } from '../src/index.js';
import { unseenHooks } from './every-hook.js';
import { contentOf, recorded, testAdapter } from './support.js';

const payloads: readonly (Record<string, unknown> & { session_id: string })[] = [...recorded.map(({ payload }) => payload), ...(unseenHooks as typeof recorded[number]['payload'][])];

/** A pipeline that lets nothing through, so that what did not pass it shows. */
const SEEN = '[seen]';
const opaque: Redactor = {
  text: () => SEEN,
  value: (value) => mapTexts(value),
};

function mapTexts(value: JsonValue): JsonValue {
  if (typeof value === 'string') return SEEN;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: JsonValue) => mapTexts(item));
  return Object.fromEntries(Object.entries(value as Record<string, JsonValue>).map(([name, item]) => [name, mapTexts(item)]));
}

function play(ceiling: (typeof CAPTURES)[number], redactor: Redactor = opaque): { readonly events: readonly AepEvent[]; readonly text: string; readonly payload: Record<string, unknown> }[] {
  const adapter = testAdapter({ ceiling, redactor });
  return payloads.map((payload) => {
    const record = adapter.read(payload);
    const placed = adapter.place(JSON.parse(JSON.stringify(record)));
    return { payload, events: placed.map(({ json }) => parseEvent(json).event), text: JSON.stringify(record) + placed.map(({ json }) => json).join('') };
  });
}

/** Content as it stands in JSON. */
function texts(payload: Record<string, unknown>): string[] {
  return contentOf(payload).filter((text) => payload.session_id !== 'unseen' || text.includes('CONTENT')).map((text) => JSON.stringify(text).slice(1, -1));
}

describe('every hook, recorded and not', () => {
  it.each(CAPTURES)('gives Events at %s that are valid, and honest about their level [B-185, B-191, T-185]', (ceiling) => {
    for (const { events } of play(ceiling)) {
      for (const event of events) {
        expect([event.type, validatePayload(event), checkEmission(event)]).toEqual([event.type, [], []]);
        expect(CAPTURES.indexOf(event.capture ?? 'metadata')).toBeLessThanOrEqual(CAPTURES.indexOf(ceiling));
        if (event.capture === 'none') expect(event.data).toBeUndefined();
      }
    }
  });

  it.each(['none', 'metadata'] as const)('shows no text of the payload at %s, neither in its record nor in its Events [B-186, B-190, E-095]', (ceiling) => {
    for (const { payload, text } of play(ceiling)) for (const content of texts(payload)) expect(text).not.toContain(content);
  });

  it('shows at redacted no text that the pipeline has not seen [B-193]', () => {
    // Names of members stay (AEP-0003 §9.4), such as the questions that answers are keyed by.
    for (const { payload, events } of play('redacted')) {
      const shown = JSON.stringify(events, (_, value: unknown) => (typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.values(value) : value));
      for (const content of texts(payload)) expect(shown).not.toContain(content);
    }
  });

  it('shows at full what the agent did, word by word', () => {
    const text = play('full').map(({ text: json }) => json).join('');
    for (const content of ['touch greeting.txt', 'Say hello using the shell.', 'Exit code 1\\noops', 'Claude needs your permission', '/home/dev/project', 'CONTENT details', 'CONTENT sql', 'CONTENT rows', 'CONTENT output', 'CONTENT title', 'CONTENT written', 'CONTENT note given']) {
      expect(text).toContain(content);
    }
    // What no registered member takes goes nowhere.
    for (const content of ['.jsonl', 'CONTENT transcript', 'CONTENT reason', 'CONTENT suggestion', 'CONTENT instructions', 'CONTENT any', 'CONTENT type']) expect(text).not.toContain(content);
  });

  it('has the same digests at every level: those of the originals [B-192]', () => {
    const digests = (['metadata', 'redacted', 'full'] as const).map((ceiling) => JSON.stringify(play(ceiling).map(({ events }) => events.map(({ data }) => [data?.args_digest, data?.result_digest]))));
    expect(digests[0]).toContain('"');
    expect(new Set(digests).size).toBe(1);
  });

  it('labels an Event with the level that it needs, not with the ceiling', () => {
    const levels = new Map(play('redacted').flatMap(({ events }) => events.map(({ type, capture }) => [type, capture])));
    expect(levels.get('attention.resolved')).toBe('metadata');
    expect(levels.get('session.ended')).toBe('metadata');
    expect(levels.get('tool.requested')).toBe('redacted');
  });

  it('stays at metadata where the pipeline fails', () => {
    const broken: Redactor = {
      text: () => {
        throw new Error('broken');
      },
      value: () => {
        throw new Error('broken');
      },
    };
    expect(play('redacted', broken).map(({ events }) => events.map(({ type, data, capture }) => [type, data, capture]))).toEqual(play('metadata').map(({ events }) => events.map(({ type, data, capture }) => [type, data, capture])));
  });
});

describe('without a setting', () => {
  it('is at metadata, and requests are redacted so that they can be read [B-185, B-187, T-190]', () => {
    const adapter = definition.create({ host: 'box', redactor: createRedactor() });
    const events = recorded.flatMap(({ payload }) => adapter.handle(payload)).map(({ event }) => event);
    for (const { type, capture } of events) expect([type, capture]).toEqual([type, type === 'attention.requested' ? 'redacted' : 'metadata']);
    expect(events.find(({ type }) => type === 'attention.requested')?.data).toEqual({
      kind: 'permission',
      prompt: 'Permission requested: Bash — touch greeting.txt (Create a greeting file)',
      options: [
        { id: 'allow', label: 'Allow' },
        { id: 'deny', label: 'Deny' },
      ],
      respond_via: ['oob'],
    });
  });

  it('obeys a ceiling that is given for requests too', () => {
    const adapter = definition.create({ host: 'box', ceiling: 'metadata' });
    const events = recorded.flatMap(({ payload }) => adapter.handle(payload)).map(({ event }) => event);
    expect(new Set(events.map(({ capture }) => capture))).toEqual(new Set(['metadata']));
  });
});

describe('at redacted', () => {
  const hook = (hook_event_name: string, members: Record<string, unknown>): AepEvent[] =>
    testAdapter({ ceiling: 'redacted', redactor: createRedactor({ homes: ['/home/dev'] }) })
      .handle({ session_id: 's', hook_event_name, ...members })
      .map(({ event }) => event);
  const SECRET = 'AKIAIOSFODNN7EXAMPLE';

  it.each<[string, Record<string, unknown>, string]>([
    ['UserPromptSubmit', { prompt: `use ${SECRET} in /home/dev/x` }, 'prompt'],
    ['PreToolUse', { tool_name: 'Bash', tool_input: { command: `export KEY=${SECRET}; cd /home/dev/x`, password: 'hunter2' } }, 'args_redacted'],
    ['PostToolUse', { tool_name: 'Bash', tool_response: { stdout: `${SECRET} /home/dev/x`, password: 'hunter2' } }, 'result_redacted'],
    ['PostToolUse', { tool_name: 'Bash', tool_response: [`${SECRET} /home/dev/x`, { password: 'hunter2' }] }, 'result_redacted'],
    ['PostToolUseFailure', { tool_name: 'Bash', error: `${SECRET} /home/dev/x` }, 'error'],
    ['PermissionRequest', { tool_name: 'Bash', tool_input: { command: `curl ${SECRET} /home/dev/x` } }, 'prompt'],
    ['Notification', { notification_type: 'idle_prompt', message: `${SECRET} /home/dev/x` }, 'prompt'],
    ['Stop', { prompt_id: 'p', last_assistant_message: `${SECRET} /home/dev/x` }, 'summary'],
  ])('%s passes the pipeline: %j [B-193, B-195, B-200]', (name, members, member) => {
    const [event] = hook(name, members);
    const text = JSON.stringify(event);
    expect(event?.capture).toBe('redacted');
    expect(JSON.stringify(event?.data?.[member])).toContain('[REDACTED:secret]');
    expect(text).toContain('~/x');
    expect(text).not.toContain(SECRET);
    expect(text).not.toContain('hunter2');
  });

  it('shows the words of a form', () => {
    const [event] = hook('PermissionRequest', {
      tool_name: 'AskUserQuestion',
      tool_input: { questions: [{ header: 'DB', question: 'Which one?', options: [{ label: 'Postgres', description: 'x' }, { label: 'SQLite' }] }] },
    });
    expect(event?.data).toMatchObject({
      prompt: 'claude-code asks 1 question',
      fields: [{ id: '1', label: 'DB: Which one?', choices: [{ id: '1', label: 'Postgres' }, { id: '2', label: 'SQLite' }] }],
    });
  });

  it('takes what is written into a field that is named for a credential, whatever it looks like [T-230]', () => {
    const hook = (name: string, members: Record<string, unknown>): AepEvent[] =>
      adapter.handle({ session_id: 's1', hook_event_name: name, elicitation_id: 'e1', ...members }).map(({ event }) => event);
    const adapter = testAdapter({ ceiling: 'redacted', redactor: createRedactor() });
    hook('Elicitation', { requested_schema: { type: 'object', properties: { password: { type: 'string' }, city: { type: 'string' } } } });
    const [answered] = hook('ElicitationResult', { action: 'accept', content: { password: 'two words', city: 'Oslo, said bob@example.com' } });
    expect(answered?.data).toEqual({ answer: { values: { password: '[REDACTED:secret]', city: 'Oslo, said [REDACTED:pii]' } }, via: 'oob' });
  });

  it('cuts what is too long, behind the pipeline and never through a character', () => {
    const long = `${'x'.repeat(65_535)}😀${'y'.repeat(300_000)} ${SECRET}`;
    const [event] = hook('UserPromptSubmit', { prompt: long });
    const prompt = event?.data?.prompt as string;
    expect(prompt.endsWith('x…')).toBe(true);
    expect(prompt.length).toBe(65_536);
  });
});
