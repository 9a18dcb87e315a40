import type { Capture, JsonObject, WireEvent } from '@aepkit/envelope';
import { describe, expect, it } from 'vitest';

import { gate, GateError, payloadSchemas } from '../src/index.js';
import { event, wire, wireText } from './events.js';

const LEVELS = ['none', 'metadata', 'redacted', 'full'] as const;
const lower = (type: string, data: JsonObject, ceiling: Capture = 'metadata', capture: Capture = 'full'): unknown => gate(wire(type, { capture, data }), ceiling).event.data;

describe('gate, by level of the Event and ceiling', () => {
  const data = { tool: { name: 'Bash' }, args_digest: 'd', args_redacted: { a: '…' }, args: { a: 'secret' } };
  const metadata = { tool: { name: 'Bash' }, args_digest: 'd' };
  const held = { none: undefined, metadata, redacted: { ...metadata, args_redacted: data.args_redacted }, full: data };

  it.each(LEVELS)('gives back the same object for capture %s at or below the ceiling [E-106, E-105, B-143]', (capture) => {
    for (const ceiling of LEVELS.slice(LEVELS.indexOf(capture))) {
      const original = wire('tool.requested', { capture, data: held[capture] });
      expect(gate(original, ceiling)).toBe(original);
    }
  });

  it('inserts no capture where it is absent and the ceiling is metadata or higher [E-106]', () => {
    for (const ceiling of ['metadata', 'redacted', 'full'] as const) {
      const original = wire('tool.requested', { data: metadata });
      expect(gate(original, ceiling)).toBe(original);
    }
  });

  it('takes an absent capture for metadata, and states none where it lowers to it [E-032, E-107, B-146]', () => {
    expect(gate(wireText('tool.requested', ',"data":{"tool":{"name":"Bash"}}'), 'none').json).toBe(
      '{"aep":"0.1","id":"e","type":"tool.requested","time":"2026-01-02T03:04:05Z","source":"aep://host/agent/a","agent":"a","session":"s1","seq":1,"capture":"none"}',
    );
    expect(gate(wireText('agent.idle', ' '), 'none').json).toMatch(/"agent":"a" ,"capture":"none"\}$/);
  });

  it.each(['metadata', 'redacted', 'full'] as const)('lowers %s to none by removing data [E-107, B-146]', (capture) => {
    const { event: lowered, json } = gate(wire('tool.requested', { capture, data: held[capture] }), 'none');
    expect(lowered).not.toHaveProperty('data');
    expect(lowered.capture).toBe('none');
    expect(JSON.parse(json)).toEqual(lowered);
  });

  it.each(['redacted', 'full'] as const)('lowers %s to metadata by removing what is above, and rewrites capture [T-031, B-145]', (capture) => {
    expect(gate(wire('tool.requested', { capture, data: held[capture] }), 'metadata').event).toMatchObject({ capture: 'metadata', data: metadata });
    expect(lower('tool.requested', held[capture], 'metadata', capture)).toEqual(metadata);
  });

  it('lowers full under redacted to metadata, the redacted twins included [E-103, E-104, B-142]', () => {
    const lowered = gate(wire('tool.requested', { capture: 'full', data }), 'redacted').event;
    expect(lowered).toMatchObject({ capture: 'metadata' });
    expect(lowered.data).toEqual(metadata);
    const asked = { kind: 'input', prompt: 'secret', options: [{ id: 'yes', label: 'secret' }], context: { secret: true } };
    const request = gate(wire('attention.requested', { capture: 'full', data: asked }), 'redacted');
    expect(request.event).toMatchObject({ capture: 'metadata', data: { kind: 'input', options: [{ id: 'yes', label: 'yes' }] } });
    const answered = gate(wire('attention.answered', { capture: 'full', data: { answer: { text: 'secret', values: { a: 'secret', b: 1 } } } }), 'redacted');
    expect(answered.event).toMatchObject({ capture: 'metadata', data: { answer: { values: { b: 1 } } } });
    expect(request.json + answered.json).not.toContain('secret');
  });

  it('refuses a word that is no level, whatever the Event holds', () => {
    const attempt = (): WireEvent => gate(wire('tool.requested', { data: metadata }), 'secret' as Capture);
    expect(attempt).toThrow(GateError);
    expect(attempt).toThrow(expect.objectContaining({ code: 'unknown-level', name: 'GateError' }));
  });
});

describe('gate, where the label lies', () => {
  it('takes out a member that its schema gates above the ceiling, and leaves the label', () => {
    const original = wire('tool.requested', { capture: 'metadata', data: { tool: { name: 'Bash' }, args: { a: 1 }, args_redacted: {} } });
    expect(gate(original, 'metadata').event).toMatchObject({ capture: 'metadata' });
    expect(gate(original, 'metadata').event.data).toEqual({ tool: { name: 'Bash' } });
    expect(gate(original, 'redacted').event.data).toEqual({ tool: { name: 'Bash' }, args_redacted: {} });
    expect(gate(original, 'full')).toBe(original);
  });

  it('looks inside objects and elements of arrays', () => {
    expect(lower('tool.failed', { tool: { name: 'B' }, error: { type: 't', message: 'm' } }, 'metadata', 'metadata')).toEqual({ tool: { name: 'B' }, error: { type: 't' } });
    expect(lower('resource.retrieval.returned', { documents: [{ id: 'a' }, { content: 'c' }] }, 'redacted', 'redacted')).toEqual({ documents: [{ id: 'a' }, {}] });
  });

  it('adds no capture where there is none', () => {
    expect(gate(wireText('progress.status', ',"data":{"message":"text"}'), 'metadata').json).toMatch(/"seq":1,"data":\{\}\}$/);
  });

  it('removes data at capture none under a ceiling of none', () => {
    const lowered = gate(wire('x.acme.session.synced', { capture: 'none', data: { a: 1 } }), 'none').event;
    expect(lowered).toMatchObject({ capture: 'none' });
    expect(lowered).not.toHaveProperty('data');
  });

  it('leaves [metadata*] members of an Event at or below the ceiling as they are', () => {
    const original = wire('attention.requested', { capture: 'metadata', data: { kind: 'input', prompt: 'Which?', options: [{ id: 'a', label: 'A' }] } });
    expect(gate(original, 'metadata')).toBe(original);
  });
});

describe('gate, by type', () => {
  const secret = 'SECRET';
  const table: readonly (readonly [title: string, type: string, data: JsonObject, kept: unknown])[] = [
    ['a label and a working directory [T-059]', 'session.started', { label: secret, cwd: secret, client: { name: 'c' } }, { client: { name: 'c' } }],
    ['a prompt [T-062]', 'run.started', { trigger: 'user', prompt: secret }, { trigger: 'user' }],
    ['a summary [T-063]', 'run.finished', { summary: secret, duration_ms: 1, cost: { currency: 'EUR', total: 2 }, 'gen_ai.usage.input_tokens': 3 }, { duration_ms: 1, cost: { currency: 'EUR', total: 2 }, 'gen_ai.usage.input_tokens': 3 }],
    ['the reason of a cancellation, not that of a failure [T-066]', 'run.cancelled', { by: 'user', reason: secret }, { by: 'user' }],
    ['the message of an error, not its type [T-032, T-073]', 'run.failed', { reason: 'error', error: { type: 'E', message: secret } }, { reason: 'error', error: { type: 'E' } }],
    ['the message in tool.failed [T-032, T-073]', 'tool.failed', { tool: { name: 'B' }, error: { message: secret } }, { tool: { name: 'B' }, error: {} }],
    ['the message in error.raised [T-032, T-073]', 'error.raised', { error: { type: 'E', message: secret }, code: 'c', fatal: true }, { error: { type: 'E' }, code: 'c', fatal: true }],
    ['arguments [T-068]', 'tool.requested', { tool: { name: 'B' }, args: { a: secret }, args_redacted: {}, args_digest: 'd' }, { tool: { name: 'B' }, args_digest: 'd' }],
    ['results [T-070]', 'tool.completed', { tool: { name: 'B' }, result: secret, result_redacted: secret, result_digest: 'd' }, { tool: { name: 'B' }, result_digest: 'd' }],
    ['the context of a request [T-079]', 'attention.requested', { kind: 'input', prompt: 'p', context: { a: secret } }, { kind: 'input', prompt: 'a requests input' }],
    ['the text of an answer, not its option [T-089, T-117]', 'attention.answered', { answer: { option: 'deny', text: secret }, via: 'control' }, { answer: { option: 'deny' }, via: 'control' }],
    ['the text of an answering command [T-089, C-050]', 'control.attention.respond', { answer: { option: 'deny', text: secret } }, { answer: { option: 'deny' } }],
    ['the name of a step [T-131]', 'run.step.started', { name: secret, initial_num_steps: 2 }, { initial_num_steps: 2 }],
    ['a message of progress [T-134]', 'progress.status', { message: secret, phase: 'p', percent: 5 }, { phase: 'p', percent: 5 }],
    ['the title of a task [T-137]', 'progress.task.planned', { task: { id: 't', title: secret }, parent: 'p' }, { task: { id: 't' }, parent: 'p' }],
    ['the title of a completed task [T-137]', 'progress.task.completed', { task: { title: secret }, status: 'completed' }, { task: {}, status: 'completed' }],
    ['name and address of an artifact [T-138]', 'progress.artifact.produced', { artifact: { id: 'a', name: secret, uri: secret, mime: 'm', bytes: 1 } }, { artifact: { id: 'a', mime: 'm', bytes: 1 } }],
    ['the detail of a health report [T-143]', 'agent.health', { status: 'ok', detail: secret }, { status: 'ok' }],
    ['state [T-147]', 'state.snapshot', { state: { a: secret }, key: 'k', rev: 1 }, { key: 'k', rev: 1 }],
    ['a change of state [T-147]', 'state.delta', { delta: [{ op: 'add', path: '/a', value: secret }], key: 'k', rev: 2 }, { key: 'k', rev: 2 }],
    ['a query [T-151]', 'resource.retrieval.requested', { query: secret, query_digest: 'd', corpus: 'c', top_k: 1 }, { query_digest: 'd', corpus: 'c', top_k: 1 }],
    ['the text of documents [T-046, T-153]', 'resource.retrieval.returned', { documents: [{ id: 'a', score: 1, content: secret }, { content_redacted: secret, metadata: { rank: 1 } }] }, { documents: [{ id: 'a', score: 1 }, { metadata: { rank: 1 } }] }],
    ['query and documents of a reranking [T-151, T-153]', 'resource.retrieval.reranked', { query: secret, input_documents: [{ content: secret }], output_documents: [{ id: 'o', content_redacted: secret }] }, { input_documents: [{}], output_documents: [{ id: 'o' }] }],
    ['addresses, titles and texts of citations [T-048]', 'resource.citation.recorded', { citations: [{ source: { id: 's', uri: secret, title: secret }, cited_text: secret, cited_text_redacted: secret, offset: { char: { start: 1, end: 2 } }, document_index: 0 }] }, { citations: [{ source: { id: 's' }, offset: { char: { start: 1, end: 2 } }, document_index: 0 }] }],
    ['the explanation of an evaluation [T-035, T-158]', 'assessment.evaluation.recorded', { 'gen_ai.evaluation.name': 'n', 'gen_ai.evaluation.explanation': secret, evaluator: 'e', 'gen_ai.evaluation.score.value': 1 }, { 'gen_ai.evaluation.name': 'n', evaluator: 'e', 'gen_ai.evaluation.score.value': 1 }],
    ['comment and correction of feedback [T-159]', 'assessment.feedback.received', { rating: 1, label: 'l', comment: secret, correction: secret, source: 'human' }, { rating: 1, label: 'l', source: 'human' }],
    ['the explanation of a guardrail [T-052]', 'assessment.guardrail.recorded', { guardrail: { stage: 'input', verdict: 'blocked', categories: [{ name: 'n', score: 1 }], detector: { name: 'd' }, explanation: secret } }, { guardrail: { stage: 'input', verdict: 'blocked', categories: [{ name: 'n', score: 1 }], detector: { name: 'd' } } }],
    ['the reason of a cancel [T-166, C-052]', 'control.cancel', { scope: 'run', reason: secret }, { scope: 'run' }],
    ['the detail of a refusal [T-166, C-015]', 'control.rejected', { reason: 'busy', detail: secret }, { reason: 'busy' }],
  ];

  it.each(table)('takes out %s', (_title, type, data, kept) => {
    for (const capture of ['full', 'redacted'] as const) {
      const gated = gate(wire(type, { capture, data }), 'metadata');
      expect(gated.event.data).toEqual(kept);
      expect(gated.json).not.toContain(secret);
    }
  });

  it('does not take a nested member for a flat gen_ai key, nor the other way round [T-035]', () => {
    const nested = { gen_ai: { evaluation: { explanation: 'a vendor’s own' } } };
    expect(lower('assessment.evaluation.recorded', { ...nested, 'gen_ai.evaluation.explanation': 'x' })).toEqual(nested);
    expect(lower('tool.failed', { tool: { name: 'B' }, error: {}, 'error.message': 'flat' })).toEqual({ tool: { name: 'B' }, error: {}, 'error.message': 'flat' });
  });

  it('keeps members it does not know in a type with annotations, at any depth [T-033, B-147]', () => {
    expect(lower('tool.failed', { tool: { name: 'B', x_a: 1 }, error: { message: 'm', x_b: ['y'] }, x_c: { args: 'kept' } })).toEqual({ tool: { name: 'B', x_a: 1 }, error: { x_b: ['y'] }, x_c: { args: 'kept' } });
  });

  it('leaves what a gate empties: objects, elements, data', () => {
    expect(lower('progress.status', { message: 'm' })).toEqual({});
    expect(lower('resource.citation.recorded', { citations: [{ source: { uri: 'u' } }, { cited_text: 't' }] })).toEqual({ citations: [{ source: {} }, {}] });
  });

  it('removes data from types without annotations: vendor types, unknown and reserved ones, and schemas without members [T-034, T-026]', () => {
    for (const type of ['x.acme.session.synced', 'tool.exploded', 'message.user.submitted', 'control.pause', 'control.resume', 'control.accepted', 'x.acme.control.jump']) {
      for (const capture of ['redacted', 'full'] as const) {
        const gated = gate(wire(type, { capture, data: { text: 'SECRET' } }), 'metadata');
        expect(gated.event).not.toHaveProperty('data');
        expect(gated.event.capture).toBe('metadata');
        expect(gated.json).not.toContain('SECRET');
      }
      const below = wire(type, { capture: 'metadata', data: { text: 'kept' } });
      expect(gate(below, 'metadata')).toBe(below);
    }
  });

  it('needs no data to lower an Event', () => {
    expect(gate(wire('tool.requested', { capture: 'full' }), 'metadata').event).toMatchObject({ capture: 'metadata' });
  });

  it('computes and adds nothing: amounts, scores and verdicts keep their spelling [T-043]', () => {
    const members = ',"capture":"full","data":{"cost":{"currency":"EUR","total":1.50,"prompt":0.1e1},"summary":"s"}';
    expect(gate(wireText('run.finished', members), 'metadata').json).toContain('"data":{"cost":{"currency":"EUR","total":1.50,"prompt":0.1e1}}}');
  });

  it('has a case above for each type with members above metadata', () => {
    const gatedTypes = Object.entries(payloadSchemas)
      .filter(([, schema]) => /"x-aep-capture":"(redacted|full)"/.test(JSON.stringify(schema)))
      .map(([type]) => type);
    expect([...new Set(table.map(([, type]) => type))].sort()).toEqual(gatedTypes.sort());
  });
});

describe('gate, [metadata*] members below redacted', () => {
  const form: JsonObject = {
    kind: 'form',
    prompt: 'SECRET',
    options: [{ id: 'yes', label: 'SECRET' }],
    fields: [
      { id: 'f1', type: 'select', label: 'SECRET', required: true, multi: true, other: false, choices: [{ id: 'c1', label: 'SECRET' }, { label: 'SECRET', id: 'c2', x: 1 }] },
      { label: 'SECRET', type: 'number', min: 1, max: 5, id: 'f2' },
    ],
    expires_at: '2026-01-01T00:00:00Z',
    respond_via: ['control'],
  };

  it('make the prompt from agent, kind and subject, without the colon where there is no subject [T-085]', () => {
    const prompt = (attributes: object, data: JsonObject): unknown => (gate(wire('attention.requested', { capture: 'redacted', ...attributes, data }), 'metadata').event.data!).prompt;
    expect(prompt({ agent: 'claude-code', subject: 'Bash' }, { kind: 'permission', prompt: 'Run rm?' })).toBe('claude-code requests permission: Bash');
    expect(prompt({ agent: 'claude-code' }, { kind: 'permission', prompt: 'Run rm?' })).toBe('claude-code requests permission');
    expect(prompt({ agent: 'q"\\', subject: 'a\nb\u2028' }, { prompt: 'x' })).toBe('q"\\ requests attention: a\nb\u2028');
    expect(prompt({}, { kind: ['SECRET'], prompt: { text: 'SECRET' } })).toBe('a requests attention');
  });

  it('make every label the id next to it, and leave the rest [T-086, T-087]', () => {
    const gated = gate(wire('attention.requested', { capture: 'full', data: form }), 'metadata');
    expect(gated.json).not.toContain('SECRET');
    expect(gated.event.data).toEqual({
      ...form,
      prompt: 'a requests form',
      options: [{ id: 'yes', label: 'yes' }],
      fields: [
        { id: 'f1', type: 'select', label: 'f1', required: true, multi: true, other: false, choices: [{ id: 'c1', label: 'c1' }, { label: 'c2', id: 'c2', x: 1 }] },
        { label: 'f2', type: 'number', min: 1, max: 5, id: 'f2' },
      ],
    });
  });

  it('number a label that has no id next to it', () => {
    expect(lower('attention.requested', { prompt: 'p', options: [{ label: 'A' }, { label: { x: 1 } }, { id: ['x'], label: 'C' }, { id: 7, label: 'D' }, {}] })).toMatchObject({
      options: [{ label: '1' }, { label: '2' }, { id: ['x'], label: '3' }, { id: 7, label: '7' }, {}],
    });
  });

  it.each(['attention.answered', 'control.attention.respond'])('keep only numbers and booleans of the answers in %s [T-105, T-087, C-050]', (type) => {
    const values = { n: 1, m: -2.5e3, b: true, f: false, s: 'SECRET', c: ['choice'], z: null, o: { a: 1 } };
    expect(lower(type, { answer: { option: 'o', values }, via: 'oob' })).toEqual({ answer: { option: 'o', values: { n: 1, m: -2500, b: true, f: false } }, via: 'oob' });
    expect(lower(type, { answer: { values: { s: 'x' } } })).toEqual({ answer: { values: {} } });
  });

  it('leave a text answer a text answer, which the target alone may take for an option [T-121]', () => {
    const respond = wire('control.attention.respond', { subject: 'q', capture: 'redacted', data: { answer: { text: 'allow' } } });
    expect(gate(respond, 'redacted')).toBe(respond);
    expect(gate(respond, 'metadata').event.data).toEqual({ answer: {} });
  });

  it('stay as they are at redacted and above [E-105]', () => {
    const original = wire('attention.requested', { capture: 'redacted', data: form });
    expect(gate(original, 'redacted')).toBe(original);
    expect(gate(original, 'full')).toBe(original);
  });
});

describe('gate, what cannot be classified', () => {
  it('takes out text and structure that stand where gated members are expected', () => {
    expect(lower('tool.failed', { tool: { name: 'B' }, error: 'SECRET' })).toEqual({ tool: { name: 'B' } });
    expect(lower('tool.failed', { tool: { name: 'B' }, error: [{ message: 'SECRET' }] })).toEqual({ tool: { name: 'B' } });
    expect(lower('resource.retrieval.returned', { documents: { content: 'SECRET' } })).toEqual({});
    expect(lower('resource.retrieval.returned', { documents: ['SECRET', { id: 'a' }, [{ content: 'SECRET' }], null, 5] })).toEqual({ documents: [{ id: 'a' }, null, 5] });
    expect(lower('attention.answered', { answer: { values: 'SECRET' } })).toEqual({ answer: {} });
    expect(lower('attention.answered', { answer: { values: ['SECRET'] } })).toEqual({ answer: {} });
    expect(lower('attention.answered', { answer: 'SECRET' })).toEqual({});
  });

  it('leaves numbers, booleans and null there', () => {
    expect(lower('tool.failed', { error: null })).toEqual({ error: null });
    expect(lower('attention.answered', { answer: { values: 5 } })).toEqual({ answer: { values: 5 } });
    expect(lower('resource.retrieval.returned', { documents: true })).toEqual({ documents: true });
  });
});

describe('gate, on the text', () => {
  it('keeps digits, escapes, blanks and order of what stays [B-210, B-005]', () => {
    const { json, event: lowered } = gate(
      wireText(
        'tool.completed',
        ' , "xbig" : 2512292042121000001 ,"capture" :"full", "data" :{ "result":{"a":[1,{"b":"}"}]} , "tool":{"name":"B\\u0061sh","id":12345678901234567890123456789}, "x":1.50e+2,"result_redacted":"\\"}" },"xz":"\\/"',
      ),
      'metadata',
    );
    expect(json).toBe(
      '{"aep":"0.1","id":"e","type":"tool.completed","time":"2026-01-02T03:04:05Z","source":"aep://host/agent/a","agent":"a","session":"s1","seq":1 , "xbig" : 2512292042121000001 ,"capture" :"metadata", "data" :{ "tool":{"name":"B\\u0061sh","id":12345678901234567890123456789}, "x":1.50e+2},"xz":"\\/"}',
    );
    expect(lowered.xbig).toBe(2512292042121000001n);
  });

  it('knows members by their name, however it is spelled', () => {
    const { json } = gate(wireText('run.started', ',"\\u0063apture":"f\\u0075ll","d\\u0061ta":{"\\u0070rompt":"SECRET","trigger":"user","gen_ai.u\\u0073age.input_tokens":1}'), 'metadata');
    expect(json).toMatch(/"seq":1,"\\u0063apture":"metadata","d\\u0061ta":\{"trigger":"user","gen_ai.u\\u0073age.input_tokens":1\}\}$/);
    expect(gate(wireText('run.started', ',"d\\u0061ta":{"trigger":"user"}'), 'none').json).toMatch(/"seq":1,"capture":"none"\}$/);
  });

  it('does not take capture and data inside data for those of the envelope', () => {
    const { event: lowered, json } = gate(wireText('run.started', ',"data":{"capture":"full","data":{"prompt":"kept"},"prompt":"gone"},"capture":"redacted"'), 'metadata');
    expect(lowered).toMatchObject({ capture: 'metadata', data: { capture: 'full', data: { prompt: 'kept' } } });
    expect(json).not.toContain('gone');
  });

  it.each([
    ['first', '{"prompt":1,"a":2,"b":3}', '{"a":2,"b":3}'],
    ['last', '{"a":2,"b":3,"prompt":1}', '{"a":2,"b":3}'],
    ['in the middle', '{ "a":2 , "prompt":1 , "b":3 }', '{ "a":2 , "b":3 }'],
    ['alone', '{ "prompt" : 1 }', '{}'],
    ['first, with blanks', '{ "prompt" : 1 , "a":2 }', '{ "a":2 }'],
    ['last, with blanks', '{ "a":2 , "prompt" : 1 }', '{ "a":2 }'],
  ])('takes a comma along with a member that stands %s', (_where, data, kept) => {
    const original = wireText('run.started', `,"capture":"full","data":${data.replace('1', '"S"')}`);
    expect(gate(original, 'metadata').json).toContain(`"data":${kept}}`);
  });

  it('takes out data that stands first, last, and between', () => {
    const rest = '"id":"e","type":"x.a.b.c","time":"2026-01-02T03:04:05Z","source":"a:b","agent":"a","session":"s","seq":1';
    for (const json of [`{"data":{"a":1},"aep":"0.1",${rest},"capture":"full"}`, `{"aep":"0.1","capture":"full","data":{"a":1},${rest}}`, `{"aep":"0.1",${rest},"capture":"full","data":{"a":1}}`]) {
      const original: WireEvent = { event: JSON.parse(json) as WireEvent['event'], json };
      expect(gate(original, 'metadata').json).toBe(json.replace('"data":{"a":1},', '').replace(',"data":{"a":1}', '').replace('full', 'metadata'));
    }
  });

  it('leaves behind the text in which a command was received', () => {
    const { event: made, json } = wire('control.cancel', { capture: 'redacted', data: { scope: 'run', reason: 'SECRET' } });
    const gated = gate({ event: made, json, received: `${json}\n` }, 'metadata');
    expect(Object.keys(gated).sort()).toEqual(['event', 'json']);
    expect(JSON.stringify(gated)).not.toContain('SECRET');
  });

  it.each(['', '[]', '{', '{"a"', '{"a":', '{"a":1', '{"a":1,', '{"a":"x', '{"a":[1', '{"capture":"full","data":"text"}', '{"a":1;"b":2}', '{"data":{"tool":1', '{a:1}', '{"a":}'])(
    'throws rather than guess where the text is not that of the Event: %s',
    (json) => {
      const attempt = (): unknown => gate({ event: event('tool.requested', { capture: 'full', data: {} }), json }, 'metadata');
      expect(attempt).toThrow(expect.objectContaining({ name: 'GateError', code: 'text-mismatch' }));
    },
  );
});
