import { digest, type AepEvent, type JsonObject } from '@aepkit/envelope';
import { createRedactor } from '@aepkit/redaction';
import { describe, expect, it } from 'vitest';

import { createEmitter, type EmitterOptions } from '../src/index.js';
import { shapePayload } from '../src/shape-payload.js';
import { collect, emitAny } from './support.js';

const R = '[REDACTED:secret]';
/** Put together here, so that no scanner takes this file for a leak. */
const TOKEN = ['gh', 'p_q7Gw2ZtK9vXb4LmR1sYc8PnH5dJf3AeU6iVo'].join('');

async function emitted(type: string, data: JsonObject, options: Partial<EmitterOptions> = {}): Promise<AepEvent> {
  const { emitter, events } = collect(options);
  const session = await emitter.session();
  emitAny(session, type, { run: 'r', data });
  return (await events()).at(-1)!;
}

describe('the pipeline that is there without being asked for', () => {
  it('runs over every field that redacted adds, and the label says so [B-193, B-204, E-102, T-029]', async () => {
    const args = { command: `curl -H "Authorization: Bearer ${TOKEN}"`, env: { DB_PASSWORD: 'x', PORT: 80 }, cwd: '/home/alice/src', list: ['--token', 'y'] };
    const event = await emitted('tool.requested', { tool: { name: 'Bash' }, args }, { ceiling: 'redacted' });
    expect(event.capture).toBe('redacted');
    expect(event.data).toEqual({
      tool: { name: 'Bash' },
      args_digest: digest(args),
      args_redacted: { command: `curl -H "Authorization: Bearer ${R}"`, env: { DB_PASSWORD: R, PORT: 80 }, cwd: '~/src', list: ['--token', R] },
    });
  });

  it('leaves the digest that of the original, at every ceiling [B-191, B-192]', async () => {
    const args = { password: 'hunter2x', path: '/home/alice' };
    for (const ceiling of ['metadata', 'redacted', 'full'] as const) {
      expect((await emitted('tool.requested', { tool: { name: 'x' }, args }, { ceiling })).data).toMatchObject({ args_digest: digest(args) });
    }
  });

  it('takes configured values, home folders, and leaves addresses when told so [B-199, B-200, B-202]', async () => {
    const prompt = 'ask bob@example.com about blue-horse in /srv/al/x';
    const shown = async (options: Partial<EmitterOptions>): Promise<unknown> => (await emitted('run.started', { prompt }, { ceiling: 'redacted', ...options })).data?.prompt;
    expect(await shown({})).toBe('ask [REDACTED:pii] about blue-horse in /srv/al/x');
    expect(await shown({ names: ['blue-horse'], homes: ['/srv/al'], pii: false })).toBe(`ask bob@example.com about ${R} in ~/x`);
  });

  it('takes what is written into a field that is named for a credential, whatever it looks like [T-230, T-029]', async () => {
    const values = { password: 'hunter two', tokens: ['a b'], color: 'blue', remember: true };
    const { capture, data } = shapePayload('attention.answered', { answer: { values }, via: 'oob' }, 'redacted', { agent: 'a', subject: 'r' }, createRedactor());
    expect(capture).toBe('redacted');
    expect(data).toEqual({ answer: { values: { ...values, password: R } }, via: 'oob' });
  });

  it('changes nothing at metadata and at full', async () => {
    expect((await emitted('run.started', { prompt: 'token=x' })).data).toEqual({});
    expect((await emitted('run.started', { prompt: 'token=x' }, { ceiling: 'full' })).data).toEqual({ prompt: 'token=x' });
  });

  it('lets people read what they are asked once it is configured [B-188]', async () => {
    const data = { kind: 'input', prompt: 'token=x?' };
    expect((await emitted('attention.requested', data, { pii: true })).data).toEqual({ kind: 'input', prompt: `token=${R}?` });
    expect((await emitted('attention.requested', data)).data).toEqual({ kind: 'input', prompt: 'agent requests input' });
  });

  it('is not mixed with one of your own', () => {
    const transport = { send: () => Promise.resolve() };
    for (const options of [{ names: ['abcd'] }, { homes: [] }, { pii: false }]) {
      expect(() => createEmitter({ agent: 'a', transport, redact: (text) => text, ...options })).toThrow(TypeError);
      expect(() => createEmitter({ agent: 'a', transport, redact: false, ...options })).toThrow(TypeError);
    }
  });
});

describe('a call of a tool that has no end', () => {
  const tool = (id: string): JsonObject => ({ tool: { name: 'Bash', call_id: id } });

  it('is marked when its run ends, and claims nothing about how it ended', async () => {
    const { emitter, events } = collect({ ceiling: 'full' });
    const session = await emitter.session();
    const first = emitAny(session, 'tool.requested', { run: 'a', subject: 'Bash', data: tool('1') });
    emitAny(session, 'tool.requested', { run: 'b', data: tool('2') });
    emitAny(session, 'tool.requested', { run: 'a', data: tool('3') });
    emitAny(session, 'tool.completed', { run: 'a', data: tool('3') });
    emitAny(session, 'run.finished', { run: 'a' });
    emitAny(session, 'tool.failed', { run: 'a', data: { ...tool('1'), error: {} } });
    const all = await events();
    expect(all.map(({ type }) => type)).toEqual(['tool.requested', 'tool.requested', 'tool.requested', 'tool.completed', 'x.aepkit.tool.unfinished', 'run.finished', 'tool.failed']);
    expect(all[4]).toMatchObject({ cause: first, run: 'a', subject: 'Bash', data: { ...tool('1'), inferred: true } });
  });

  it('is marked when its session ends, once, and keeps only its place at metadata', async () => {
    const { emitter, events } = collect();
    const session = await emitter.session();
    const id = emitAny(session, 'tool.requested', { data: { tool: { name: 'Read' } } });
    session.end();
    const all = await events();
    expect(all.map(({ type }) => type)).toEqual(['tool.requested', 'x.aepkit.tool.unfinished', 'session.ended']);
    expect(all[1]).toMatchObject({ cause: id });
  });

  it('is marked when more are open than are remembered, the oldest first', async () => {
    const { emitter, events } = collect({ maxUnits: 2 });
    const session = await emitter.session();
    for (const id of ['1', '2', '3', '4']) emitAny(session, 'tool.requested', { data: tool(id) });
    expect((await events()).map(({ type }) => type).filter((type) => type.startsWith('x.'))).toHaveLength(2);
  });

  it('without an id is ended by what names it in its cause', async () => {
    const { emitter, events } = collect();
    const session = await emitter.session();
    const cause = emitAny(session, 'tool.requested', { data: { tool: { name: 'Read' } } });
    emitAny(session, 'tool.completed', { cause, data: { tool: { name: 'Read' } } });
    session.end();
    expect((await events()).map(({ type }) => type)).toEqual(['tool.requested', 'tool.completed', 'session.ended']);
  });
});
