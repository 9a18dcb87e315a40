import type { JsonObject } from '@aepkit/envelope';
import { isRfc3339 } from '@aepkit/envelope';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';

import { payloadSchemas, validatePayload } from '../src/index.js';
import { event, TYPES } from './events.js';
import { followsSchema, likeSchema } from './like-schema.js';

const tool = { name: 'Bash' };
const issues = (type: string, data: unknown): string[] =>
  validatePayload(event(type, { data: data as JsonObject })).map((issue) => `${issue.code} ${issue.path}`);

type Case = readonly [type: string, data: unknown, ...issues: string[]];

const cases: Record<string, readonly Case[]> = {
  'runs only where there is data [T-036, T-006]': TYPES.map((type) => [type, undefined] as const),
  'tolerates types it does not know [T-004, T-026]': [
    ['x.acme.session.synced', { tool: 1 }],
    ['tool.exploded', { tool: 1 }],
    ['message.user.submitted', { anything: [1] }],
    ['message.agent.replied', { anything: [1] }],
  ],
  'tolerates unknown members in every registered type [T-126, T-127, T-044]': [
    ['tool.denied', { tool: { ...tool, x_a: 1 }, by: 'policy', x_b: {} }],
    ['run.finished', { cost: { currency: 'EUR', x_tier: 2 }, usage: { x: 1 } }],
    ['resource.retrieval.returned', { documents: [{ x_rank: 1 }] }],
    ['resource.citation.recorded', { citations: [{ x_mark: 1 }] }],
    ['assessment.guardrail.recorded', { guardrail: { x_model: 'm' } }],
  ],
  'keeps gen_ai keys flat [T-035, T-038, E-033]': [
    ['run.finished', { 'gen_ai.usage.input_tokens': 3, 'gen_ai.usage.output_tokens': 0 }],
    ['run.finished', { 'gen_ai.usage.input_tokens': -1 }, 'out-of-range $.data["gen_ai.usage.input_tokens"]'],
    ['run.started', { 'gen_ai.usage.output_tokens': 1.5 }, 'wrong-type $.data["gen_ai.usage.output_tokens"]'],
    ['run.finished', { gen_ai: { usage: { input_tokens: -1 } } }],
    ['session.started', { 'gen_ai.request.model': 4 }, 'wrong-type $.data["gen_ai.request.model"]'],
  ],
  'asks a tool for its name [T-037, T-067]': [
    ['tool.requested', { tool: { name: 'Bash', call_id: 'c' } }],
    ['tool.requested', {}, 'missing-member $.data.tool'],
    ['tool.completed', { tool: {} }, 'missing-member $.data.tool.name'],
    ['tool.failed', { tool: { name: 5 }, error: {} }, 'wrong-type $.data.tool.name'],
    ['tool.denied', { tool: 'Bash', by: 'policy' }, 'wrong-type $.data.tool'],
    ['tool.denied', { tool: { name: 'Bash', call_id: 7 }, by: 'policy' }, 'wrong-type $.data.tool.call_id'],
  ],
  'asks a cost for its currency, and amounts to be numbers of 0 or more that need not add up [T-039, T-041, T-042]': [
    ['run.finished', { cost: { currency: 'USD', total: 1, prompt: 5, completion: 0 } }],
    ['run.finished', { cost: { total: 1 } }, 'missing-member $.data.cost.currency'],
    ['run.started', { cost: { currency: 'USD', total: '1' } }, 'wrong-type $.data.cost.total'],
    ['tool.completed', { tool, cost: { currency: 'USD', cache: -0.1 } }, 'out-of-range $.data.cost.cache'],
  ],
  'takes any number as a score [T-045, T-051, T-156, T-162]': [
    ['resource.retrieval.returned', { documents: [{ score: -12.5 }, { score: Infinity }] }],
    ['assessment.guardrail.recorded', { guardrail: { categories: [{ name: 'anything at all', score: -3 }] } }],
    ['assessment.feedback.received', { rating: -1000, label: 'l', comment: 'c', correction: 'x', source: 'human' }],
    ['assessment.evaluation.recorded', { 'gen_ai.evaluation.score.value': 4711 }],
    ['assessment.feedback.received', { rating: '5', comment: 1 }, 'wrong-type $.data.rating', 'wrong-type $.data.comment'],
  ],
  'knows the stages and verdicts of guardrails [T-050]': [
    ...['input', 'output'].map((stage) => ['assessment.guardrail.recorded', { guardrail: { stage } }] as const),
    ...['allowed', 'flagged', 'blocked', 'modified'].map((verdict) => ['assessment.guardrail.recorded', { guardrail: { verdict } }] as const),
    ['assessment.guardrail.recorded', { guardrail: { stage: 'both', verdict: 'denied' } }, 'unknown-value $.data.guardrail.stage', 'unknown-value $.data.guardrail.verdict'],
  ],
  'asks a form field for id, label and type, and a select for choices [T-053, T-054, T-055]': [
    ['attention.requested', { kind: 'form', prompt: 'p', fields: [{ id: 'a', type: 'select', label: 'A', choices: [] }] }],
    ['attention.requested', { kind: 'form', prompt: 'p', fields: [{ id: 'a', type: 'string', label: 'A' }] }],
    ['attention.requested', { kind: 'form', prompt: 'p', fields: [{ id: 'a', type: 'select', label: 'A' }] }, 'missing-member $.data.fields[0].choices'],
    [
      'attention.requested',
      { kind: 'form', prompt: 'p', fields: [{}, { id: 'b', type: 'date', label: 'B' }] },
      'missing-member $.data.fields[0].id',
      'missing-member $.data.fields[0].type',
      'missing-member $.data.fields[0].label',
      'unknown-value $.data.fields[1].type',
    ],
    [
      'attention.requested',
      { kind: 'form', prompt: 'p', fields: [{ id: 'a', type: 'select', label: 'A', choices: [{ id: 'x' }, { label: 5, id: 'y' }] }] },
      'missing-member $.data.fields[0].choices[0].label',
      'wrong-type $.data.fields[0].choices[1].label',
    ],
  ],
  'checks session.started [T-058]': [
    ['session.started', {}],
    ['session.started', { parent: { session: 's' }, client: { name: 'c' } }],
    ['session.started', { parent: {}, client: { version: '1' } }, 'missing-member $.data.parent.session', 'missing-member $.data.client.name'],
    ['session.started', { parent: { session: 1 } }, 'wrong-type $.data.parent.session'],
  ],
  'checks session.ended [T-060]': [
    ...['normal', 'error', 'timeout', 'killed', 'compaction'].map((reason) => ['session.ended', { reason, duration_ms: 0, runs: 2 }] as const),
    ['session.ended', { reason: 'exit', runs: 1.5 }, 'unknown-value $.data.reason', 'wrong-type $.data.runs'],
  ],
  'checks run.started [T-061]': [
    ...['user', 'schedule', 'agent', 'control', 'resume'].map((trigger) => ['run.started', { trigger }] as const),
    ['run.started', { trigger: 'cron' }, 'unknown-value $.data.trigger'],
  ],
  'checks run.failed [T-064]': [
    ['run.failed', { reason: 'rejected' }],
    ['run.failed', {}, 'missing-member $.data.reason'],
    ['run.failed', { reason: 1 }, 'wrong-type $.data.reason'],
  ],
  'checks run.cancelled [T-065]': [
    ...['user', 'control', 'policy', 'shutdown'].map((by) => ['run.cancelled', { by }] as const),
    ['run.cancelled', { by: 'runtime' }, 'unknown-value $.data.by'],
  ],
  'takes an object or a string as a result [T-069]': [
    ['tool.completed', { tool, result: {}, result_redacted: 'text' }],
    ['tool.completed', { tool, result: [1] }, 'wrong-type $.data.result'],
    ['tool.completed', { tool, result: 5, result_redacted: null }, 'wrong-type $.data.result_redacted', 'wrong-type $.data.result'],
  ],
  'checks the rest of the tool Events [T-068, T-072, T-074]': [
    ['tool.requested', { tool, args: [1] }, 'wrong-type $.data.args'],
    ['tool.failed', { tool, error: {} }],
    ['tool.failed', { tool }, 'missing-member $.data.error'],
    ...['policy', 'user_setting', 'runtime'].map((by) => ['tool.denied', { tool, by }] as const),
    ['tool.denied', { tool }, 'missing-member $.data.by'],
    ['tool.denied', { tool, by: 'user' }, 'unknown-value $.data.by'],
  ],
  'checks attention.requested, forms included [T-075, T-076, T-077, T-093]': [
    ...['permission', 'input', 'auth', 'review', 'form', 'other'].map((kind) => ['attention.requested', { kind, prompt: 'p' }] as const),
    ['attention.requested', { kind: 'form' }, 'missing-member $.data.prompt'],
    ['attention.requested', { kind: 'approval', prompt: 1 }, 'unknown-value $.data.kind', 'wrong-type $.data.prompt'],
    ['attention.requested', { kind: 'input', prompt: 'p', options: [{ id: 'a' }, { label: 'b' }] }, 'missing-member $.data.options[0].label', 'missing-member $.data.options[1].id'],
    ['attention.requested', { kind: 'input', prompt: 'p', respond_via: ['control', 'oob'] }],
    ['attention.requested', { kind: 'input', prompt: 'p', respond_via: ['slack'] }, 'unknown-value $.data.respond_via[0]'],
    ['attention.requested', { kind: 'input', prompt: 'p', respond_via: 'control' }, 'wrong-type $.data.respond_via'],
  ],
  'asserts that expires_at is RFC 3339 [T-078]': [
    ['attention.requested', { kind: 'input', prompt: 'p', expires_at: '2016-12-31T23:59:60.5+01:00' }],
    ...['2026-02-30T00:00:00Z', '2026-01-01T00:00:00', '2026-01-01 00:00:00Z', 'soon', ''].map(
      (expires_at) => ['attention.requested', { kind: 'input', prompt: 'p', expires_at }, 'invalid-format $.data.expires_at'] as const,
    ),
    ['attention.requested', { kind: 'input', prompt: 'p', expires_at: 5 }, 'wrong-type $.data.expires_at'],
  ],
  'checks the other attention Events [T-088, T-090, T-091, T-140]': [
    ['attention.answered', { answer: {} }],
    ['attention.answered', { answer: { option: 'a', text: 't', values: {} }, by: 'anybody', via: 'oob' }],
    ['attention.answered', {}, 'missing-member $.data.answer'],
    ['attention.answered', { answer: 'yes', by: 1, via: 'slack' }, 'wrong-type $.data.answer', 'wrong-type $.data.by', 'unknown-value $.data.via'],
    ...['answered', 'auto', 'dismissed'].map((resolution) => ['attention.resolved', { resolution }] as const),
    ['attention.resolved', { latency_ms: -1 }, 'missing-member $.data.resolution', 'out-of-range $.data.latency_ms'],
    ['attention.timeout', { after_ms: 0.5 }, 'wrong-type $.data.after_ms'],
    ['attention.routed', { to: 'slack', via: 'a router of mine' }],
    ['attention.routed', { to: 1 }, 'wrong-type $.data.to'],
  ],
  'takes integers of 0 or more as durations, 7.0 included [T-092, T-139, T-144, T-145, T-130]': [
    ...['run.finished', 'run.cancelled', 'delegation.subagent.stopped', 'session.ended'].flatMap(
      (type) =>
        [
          [type, { duration_ms: 7.0 }],
          [type, { duration_ms: -1 }, 'out-of-range $.data.duration_ms'],
          [type, { duration_ms: '7' }, 'wrong-type $.data.duration_ms'],
        ] as const,
    ),
    ['run.failed', { reason: 'r', duration_ms: 0.1 }, 'wrong-type $.data.duration_ms'],
    ['tool.completed', { tool, duration_ms: null }, 'wrong-type $.data.duration_ms'],
    ['tool.failed', { tool, error: {}, duration_ms: -1 }, 'out-of-range $.data.duration_ms'],
    ['agent.idle', { since_ms: -1, reason: 1 }, 'out-of-range $.data.since_ms', 'wrong-type $.data.reason'],
    ['agent.heartbeat', { tick: 1, interval_ms: 1.5 }, 'wrong-type $.data.interval_ms'],
    ['session.compacted', { trigger: 'manual', strategy: 's', estimated_token_count: 1, forgotten: -1 }, 'out-of-range $.data.forgotten'],
    ['session.compacted', { trigger: 1, estimated_token_count: 'x' }, 'wrong-type $.data.trigger', 'wrong-type $.data.estimated_token_count'],
    ['delegation.subagent.started', { child: { session: 1 } }, 'wrong-type $.data.child.session'],
  ],
  'checks steps and progress [T-131, T-132, T-133, T-135, T-136]': [
    ['run.step.started', { name: 'n', initial_num_steps: -1 }, 'out-of-range $.data.initial_num_steps'],
    ['run.step.finished', { status: 1 }, 'wrong-type $.data.status'],
    ['progress.status', { percent: 0 }],
    ['progress.status', { percent: 100 }],
    ['progress.status', { percent: 100.1 }, 'out-of-range $.data.percent'],
    ['progress.status', { percent: -1 }, 'out-of-range $.data.percent'],
    ['progress.task.planned', { task: 'x', parent: {} }, 'wrong-type $.data.task', 'wrong-type $.data.parent'],
    ['progress.task.completed', { task: {}, status: 4 }, 'wrong-type $.data.status'],
    ['progress.artifact.produced', { artifact: { bytes: -1, mime: 1 } }, 'wrong-type $.data.artifact.mime', 'out-of-range $.data.artifact.bytes'],
  ],
  'checks agents, errors and state [T-141, T-142, T-146, T-148, T-149]': [
    ...['online', 'offline', 'busy'].map((state) => ['agent.presence', { state }] as const),
    ['agent.presence', {}, 'missing-member $.data.state'],
    ...['ok', 'degraded', 'failing'].map((status) => ['agent.health', { status }] as const),
    ['agent.health', { status: 'fine' }, 'unknown-value $.data.status'],
    ['error.raised', { code: 5, fatal: 'yes' }, 'wrong-type $.data.code', 'wrong-type $.data.fatal'],
    ['state.snapshot', { state: [], rev: -1 }, 'wrong-type $.data.state', 'out-of-range $.data.rev'],
    ['state.delta', { delta: [{}] }],
    ['state.delta', { delta: 'x' }, 'wrong-type $.data.delta'],
    ['state.delta', { delta: 3 }, 'wrong-type $.data.delta'],
    ['state.delta', { delta: ['x', {}] }, 'wrong-type $.data.delta[0]'],
  ],
  'checks retrievals, citations and evaluations [T-152, T-154, T-155]': [
    ['resource.retrieval.requested', { top_k: -1 }, 'out-of-range $.data.top_k'],
    ['resource.retrieval.returned', { documents: {}, count: 1.5 }, 'wrong-type $.data.documents', 'wrong-type $.data.count'],
    ['resource.retrieval.reranked', { input_documents: ['x'], output_documents: [{}] }, 'wrong-type $.data.input_documents[0]'],
    ['resource.citation.recorded', { citations: [{ offset: { char: { start: -5 } }, document_index: 0 }], count: 1 }],
    ['resource.citation.recorded', { citations: [{ offset: { char: { start: 1.5 } }, document_index: -1 }] }, 'wrong-type $.data.citations[0].offset.char.start', 'out-of-range $.data.citations[0].document_index'],
    ['assessment.evaluation.recorded', { 'gen_ai.evaluation.score.label': 'pass' }],
    ['assessment.evaluation.recorded', { 'gen_ai.evaluation.score.value': '1' }, 'wrong-type $.data["gen_ai.evaluation.score.value"]'],
  ],
  'checks commands and acks [T-164, T-165, T-167, T-168]': [
    ['control.attention.respond', { answer: { values: {} } }],
    ['control.attention.respond', {}, 'missing-member $.data.answer'],
    ['control.cancel', { scope: 'run' }],
    ['control.cancel', {}, 'missing-member $.data.scope'],
    ['control.cancel', { scope: 'all' }, 'unknown-value $.data.scope'],
    ...['control.pause', 'control.resume', 'control.accepted'].flatMap((type) => [[type, undefined] as const, [type, {}] as const, [type, { x: 1 }] as const]),
    ...['unsupported', 'unauthorized', 'busy', 'refused', 'invalid'].map((reason) => ['control.rejected', { reason }] as const),
    ['control.rejected', { reason: 'timeout' }, 'unknown-value $.data.reason'],
    ['control.rejected', {}, 'missing-member $.data.reason'],
  ],
  'takes any string as a digest [T-232]': [
    ['tool.requested', { tool, args_digest: '' }],
    ['tool.completed', { tool, result_digest: 'sha256:not even hex' }],
    ['resource.retrieval.requested', { query_digest: 'x' }],
  ],
  'does not hold a status against its type': [
    ['tool.completed', { tool, status: 'failed' }],
    ['run.step.finished', { status: 'failed' }],
  ],
};

describe('validatePayload', () => {
  for (const [title, table] of Object.entries(cases)) {
    it(title, () => {
      for (const [type, data, ...expected] of table) expect([type, data, issues(type, data)]).toEqual([type, data, expected]);
    });
  }

  it('says in a sentence what is wrong, with names and without values', () => {
    expect(validatePayload(event('tool.denied', { data: { tool: { name: 'Bash' }, by: 'SECRET' } }))).toEqual([
      { code: 'unknown-value', severity: 'error', path: '$.data.by', message: '$.data.by: has to be one of policy, user_setting, runtime' },
    ]);
    expect(validatePayload(event('tool.completed', { data: { tool: { name: 5 }, result: 1 } })).map((issue) => issue.message)).toEqual([
      '$.data.tool.name: has to be of type string',
      '$.data.result: has to be of type object or string',
    ]);
  });

  it('lists so many issues and says that there were others', () => {
    const data = { documents: Array.from({ length: 7 }, () => 'no object') };
    const list = (maxIssues: number): string[] => validatePayload(event('resource.retrieval.returned', { data }), { maxIssues }).map((issue) => issue.code);
    expect(list(6)).toEqual([...Array<string>(6).fill('wrong-type'), 'more']);
    expect(list(7)).toEqual(Array<string>(7).fill('wrong-type'));
    expect(list(8)).toEqual(Array<string>(7).fill('wrong-type'));
    expect(list(Infinity)).toHaveLength(7);
    for (const bad of [0, -1, 1.5, Number.NaN]) expect(() => list(bad)).toThrow(RangeError);
  });

  describe('with something on Object.prototype', () => {
    afterEach(() => {
      delete (Object.prototype as Record<string, unknown>).tool;
      delete (Object.prototype as Record<string, unknown>).reason;
    });

    it('counts own members only', () => {
      Object.assign(Object.prototype, { tool: { name: 'inherited' }, reason: 5 });
      expect(issues('tool.requested', {})).toEqual(['missing-member $.data.tool']);
      expect(issues('session.ended', {})).toEqual([]);
    });
  });

  it('agrees with ajv on any payload: the verdict, and where', () => {
    const ajv = new Ajv2020({ allErrors: true, ownProperties: true, strict: false });
    ajv.addFormat('date-time', isRfc3339);
    const compiled = Object.entries(payloadSchemas).map(([type, schema]) => ({ type, schema, check: ajv.compile(schema) }));
    const arbitrary = fc.constantFrom(...compiled).chain(({ type, schema, check }) => followsSchema(schema, likeSchema).map((data) => ({ type, check: (value: unknown) => { check(value); return check.errors ?? []; }, data })));
    fc.assert(
      fc.property(arbitrary, ({ type, check, data }) => {
        const ours = validatePayload(event(type, { data: data as JsonObject }), { maxIssues: Infinity });
        // ajv counts a failed branch of a condition once more.
        const theirs = check(data).filter((error) => error.keyword !== 'if');
        const where = (error: { instancePath: string; params: { missingProperty?: string } }): string =>
          `${error.instancePath}${error.params.missingProperty === undefined ? '' : `/${error.params.missingProperty}`}`;
        expect(ours.map((issue) => issue.path.replace(/^\$\.data/, '').replaceAll(/\[(\d+)\]/g, '/$1').replaceAll(/\["([^"]+)"\]|\.(\w+)/g, '/$1$2')).sort()).toEqual(theirs.map(where).sort());
      }),
      { numRuns: 800 },
    );
  });
});
