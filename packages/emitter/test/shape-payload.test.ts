import { captureOf, digest, type AepEvent, type Capture, type JsonObject } from '@aepkit/envelope';
import { describe, expect, it } from 'vitest';

import type { EmitterOptions, Redact } from '../src/index.js';
import { collect, emitAny } from './support.js';

const mask: Redact = (text) => text.replaceAll('hunter2', '[REDACTED:secret]');
const tool = { name: 'Bash' };

async function emitted(type: string, data: JsonObject, options: Partial<EmitterOptions> = {}, more: object = {}): Promise<AepEvent> {
  const { emitter, events } = collect(options);
  const session = await emitter.session();
  if (type === 'state.delta') session.emit('state.snapshot', { data: { key: 'k', rev: 1 } });
  emitAny(session, type, { run: 'r', step: 's', cause: 'c', ...more, data });
  return (await events()).at(-1)!;
}

/** Types with members that are gated: what stays at metadata, what is added at redacted, what at full only. */
const CASES: readonly (readonly [type: string, metadata: JsonObject, redacted: JsonObject, full: JsonObject])[] = [
  ['session.started', { client: { name: 'c' } }, { label: 'hunter2', cwd: '/home/hunter2' }, {}],
  ['run.started', { trigger: 'user' }, { prompt: 'hunter2' }, {}],
  ['run.finished', { duration_ms: 3, 'gen_ai.usage.input_tokens': 5, cost: { currency: 'EUR', total: 1 } }, { summary: 'hunter2' }, {}],
  ['run.cancelled', { by: 'user' }, { reason: 'hunter2' }, {}],
  ['run.step.started', { initial_num_steps: 2 }, { name: 'hunter2' }, {}],
  ['progress.status', { phase: 'a', percent: 3 }, { message: 'hunter2' }, {}],
  ['agent.health', { status: 'ok' }, { detail: 'hunter2' }, {}],
  ['state.snapshot', { key: 'k', rev: 1 }, { state: { deep: ['hunter2'] } }, {}],
  ['state.delta', { key: 'k', rev: 2 }, { delta: [{ op: 'add', path: '/a', value: 'hunter2' }] }, {}],
  ['resource.retrieval.requested', { corpus: 'c', top_k: 3, query_digest: digest('hunter2') }, { query: 'hunter2' }, {}],
  ['assessment.evaluation.recorded', { 'gen_ai.evaluation.name': 'n', 'gen_ai.evaluation.score.value': 1, evaluator: 'e' }, { 'gen_ai.evaluation.explanation': 'hunter2' }, {}],
  ['assessment.feedback.received', { rating: 1, label: 'l', source: 's' }, { comment: 'hunter2', correction: 'hunter2' }, {}],
  ['control.rejected', { reason: 'busy' }, { detail: 'hunter2' }, {}],
  ['tool.requested', { tool, args_digest: digest({ command: 'hunter2' }) }, { args_redacted: { command: 'hunter2' } }, { args: { command: 'hunter2' } }],
  ['tool.completed', { tool, result_digest: digest('hunter2') }, { result_redacted: 'hunter2' }, { result: 'hunter2' }],
];

describe('a ceiling', () => {
  it.each(CASES)('holds for %s: nothing above it leaves, and all that it allows does [E-094, E-095, E-096, E-097, E-102, T-028, T-029, T-030, T-059, T-062, T-063, T-066, T-068, T-070, T-131, T-134, T-143, T-147, T-151, T-158, T-159, T-166, B-148, B-149]', async (type, metadata, redacted, full) => {
    const given = { ...metadata, ...redacted, ...full };
    const masked = JSON.parse(JSON.stringify({ ...metadata, ...redacted }).replaceAll('hunter2', '[REDACTED:secret]')) as JsonObject;
    const at = async (ceiling: Capture, redact?: Redact | false): Promise<[Capture, JsonObject | undefined]> => {
      const options = { ceiling, ...(redact === undefined ? {} : { redact }) };
      if (!type.startsWith('agent.')) return shown(await emitted(type, given, options));
      const { emitter, events } = collect(options);
      emitter.emitAgent('agent.health', { data: given as { status: 'ok' } });
      return shown((await events())[0]!);
    };
    expect(await at('none')).toEqual(['none', undefined]);
    expect(await at('metadata')).toEqual(['metadata', metadata]);
    expect(await at('full')).toEqual(['full', given]);
    expect(await at('redacted', mask)).toEqual(['redacted', masked]);
    // Without a pipeline nothing is certified as redacted.
    expect(await at('redacted', false)).toEqual(['metadata', metadata]);
  });

  it('is metadata unless somebody asks for content [E-101, B-151]', async () => {
    expect(shown(await emitted('run.started', { prompt: 'x' }))).toEqual(['metadata', {}]);
    expect(shown(await emitted('attention.requested', { kind: 'input', prompt: 'x' }))).toEqual(['metadata', { kind: 'input', prompt: 'agent requests input' }]);
    expect(shown(await emitted('run.started', { prompt: 'x' }, { redact: mask }))).toEqual(['metadata', {}]);
  });

  it('with a pipeline lets people read what they are asked, unless somebody set a ceiling [B-188, E-101]', async () => {
    const data = { kind: 'input', prompt: 'hunter2?' };
    expect(shown(await emitted('attention.requested', data, { redact: mask }))).toEqual(['redacted', { kind: 'input', prompt: '[REDACTED:secret]?' }]);
    for (const options of [{ ceiling: 'metadata' }, { ceilings: { attention: 'metadata' } }] as const) {
      expect(captureOf(await emitted('attention.requested', data, { redact: mask, ...options }))).toBe('metadata');
    }
    expect(captureOf(await emitted('attention.requested', data, { redact: mask, ceiling: 'none' }))).toBe('none');
  });

  it('can be any level, for all or for a category [E-126]', async () => {
    for (const [ceiling, ceilings, expected] of [
      ['none', { attention: 'full' }, 'none'],
      ['full', { run: 'none' }, 'none'],
      ['metadata', { run: 'full' }, 'full'],
      ['full', { run: 'redacted' }, 'redacted'],
      ['full', {}, 'full'],
    ] as const) {
      expect(captureOf(await emitted('run.started', { prompt: 'x' }, { ceiling, ceilings, redact: mask }))).toBe(expected);
    }
    expect(captureOf(await emitted('x.acme.run.foo', { a: 1 }, { ceilings: { run: 'none' } }))).toBe('none');
  });

  it('is not raised by the one who emits', async () => {
    expect(captureOf(await emitted('run.started', { prompt: 'x' }, {}, { capture: 'full' }))).toBe('metadata');
  });

  it('leaves nothing that stands at none, whatever is given [E-094]', async () => {
    const event = await emitted('tool.requested', { tool, args: { a: 1 } }, { ceiling: 'none' }, { members: { x: 1 } });
    expect(Object.hasOwn(event, 'data')).toBe(false);
    expect(event.capture).toBe('none');
  });
});

describe('synthesis', () => {
  it('writes prompts and labels from structure at metadata [T-081, T-083, T-093]', async () => {
    const event = await emitted('attention.requested', { kind: 'permission', prompt: 'rm -rf?', options: [{ id: 'allow', label: 'Do it' }, { id: 'deny', label: 'Never' }], context: { a: 'b' } }, {}, { subject: 'Bash' });
    expect(event.data).toEqual({ kind: 'permission', prompt: 'agent requests permission: Bash', options: [{ id: 'allow', label: 'allow' }, { id: 'deny', label: 'deny' }] });
  });

  it('runs prompts and labels through the pipeline at redacted, and keeps what is structure [T-082, T-084, T-079]', async () => {
    const event = await emitted(
      'attention.requested',
      { kind: 'form', prompt: 'hunter2?', fields: [{ id: 'hunter2', type: 'select', label: 'hunter2!', choices: [{ id: 'a', label: 'hunter2 a' }] }], context: { a: 'hunter2' } },
      { ceilings: { attention: 'redacted' }, redact: mask },
    );
    expect(event.capture).toBe('redacted');
    expect(event.data).toEqual({
      kind: 'form',
      prompt: '[REDACTED:secret]?',
      fields: [{ id: 'hunter2', type: 'select', label: '[REDACTED:secret]!', choices: [{ id: 'a', label: '[REDACTED:secret] a' }] }],
    });
  });

  it('digests the original, before anything is taken out of it [T-189, B-191]', async () => {
    const args = { b: 'hunter2', a: 'é' };
    for (const options of [{}, { ceiling: 'redacted', redact: mask }, { ceiling: 'full' }] as const) {
      const event = await emitted('tool.requested', { tool, args, args_digest: 'made up' }, options);
      expect(event.data!.args_digest).toBe(digest({ a: 'é', b: 'hunter2' }));
    }
    expect((await emitted('tool.requested', { tool, args_digest: 'kept' })).data!.args_digest).toBe('kept');
    expect((await emitted('tool.completed', { tool, result: 'text' })).data!.result_digest).toBe(digest('text'));
    expect((await emitted('resource.retrieval.reranked', { query: 'q' })).data).toEqual({ query_digest: digest('q') });
  });

  it('makes the redacted twin of documents and citations, and drops the original [T-046, T-048]', async () => {
    const documents = [{ id: 'd', score: 1, metadata: { rank: 1 }, content: 'hunter2' }];
    expect((await emitted('resource.retrieval.returned', { documents })).data).toEqual({ documents: [{ id: 'd', score: 1, metadata: { rank: 1 } }] });
    expect((await emitted('resource.retrieval.returned', { documents }, { ceiling: 'redacted', redact: mask })).data).toEqual({
      documents: [{ id: 'd', score: 1, metadata: { rank: 1 }, content_redacted: '[REDACTED:secret]' }],
    });
    const citations = [{ source: { id: 's', uri: 'u hunter2' }, cited_text: 'hunter2' }];
    expect((await emitted('resource.citation.recorded', { citations }, { ceiling: 'redacted', redact: mask })).data).toEqual({
      citations: [{ source: { id: 's', uri: 'u [REDACTED:secret]' }, cited_text_redacted: '[REDACTED:secret]' }],
    });
  });
});

describe('the pipeline', () => {
  it('reaches strings at any depth, and takes what a credential-named member holds', async () => {
    const args = { list: [{ note: 'hunter2' }], password: 12345, 'API-Key': ['x'], token: null, tokens: 'fine', count: 3 };
    const event = await emitted('tool.requested', { tool, args }, { ceiling: 'redacted', redact: mask });
    expect(event.data!.args_redacted).toEqual({ list: [{ note: '[REDACTED:secret]' }], password: '[REDACTED:secret]', 'API-Key': '[REDACTED:secret]', token: null, tokens: 'fine', count: 3 });
  });

  it('may bring its own way with structured values', async () => {
    const event = await emitted('tool.requested', { tool, args: { a: 'b' } }, { ceiling: 'redacted', redact: { text: () => 'T', value: () => ({ all: 'gone' }) } });
    expect(event.data!.args_redacted).toEqual({ all: 'gone' });
  });

  it('goes over answers to a form, free text only', async () => {
    const { emitter, events } = collect({ ceiling: 'redacted', redact: mask });
    const session = await emitter.session();
    const fields = [{ id: 'a', type: 'string', label: 'A' }, { id: 'b', type: 'select', label: 'B', choices: [{ id: 'hunter2', label: 'x' }] }] as const;
    const subject = session.emit('attention.requested', { data: { kind: 'form', prompt: 'p', fields } });
    session.emit('attention.answered', { subject, data: { answer: { values: { a: 'hunter2', b: 'hunter2' } } } });
    expect((await events())[1]!.data).toEqual({ answer: { values: { a: '[REDACTED:secret]', b: 'hunter2' } } });
  });

  it.each([() => { throw new Error('no'); }, () => 5 as never, () => undefined as never])('that fails costs the text, not the Event, and is told', async (redact) => {
    const troubles: unknown[] = [];
    const event = await emitted('run.started', { trigger: 'user', prompt: 'x' }, { ceiling: 'redacted', redact, onTrouble: (trouble) => troubles.push(trouble) });
    expect(shown(event)).toEqual(['metadata', { trigger: 'user' }]);
    expect(troubles).toMatchObject([{ type: 'redaction' }]);
  });

  it('that is missing is no trouble, the ceiling lands on metadata [E-102]', async () => {
    const troubles: unknown[] = [];
    const event = await emitted('run.started', { prompt: 'x' }, { ceiling: 'redacted', redact: false, onTrouble: (trouble) => troubles.push(trouble) });
    expect([shown(event), troubles]).toEqual([['metadata', {}], []]);
  });

  it('is not needed where there is no content: the label says so', async () => {
    expect(shown(await emitted('run.started', { trigger: 'user' }, { ceiling: 'redacted', redact: mask }))).toEqual(['metadata', { trigger: 'user' }]);
  });
});

function shown(event: AepEvent): [Capture, JsonObject | undefined] {
  return [captureOf(event), event.data];
}
