import type { PayloadSchema } from '../payload-schema.js';
import { count, flag, gatedList, list, number, object, oneOf, open, payload, text, token } from './nodes.js';
import { answer, citation, document, errorInfo, guardrail, usage } from './objects.js';

const task = object({ id: token(), title: text() });
const child = object({ session: token(), run: token(), agent: token() }, [], 'Handle of the child.');

/** AEP-0002 §5.4, the experimental types included; the payloads of control are those of AEP-0004 §3 and §5. */
export const optional: Readonly<Record<string, PayloadSchema>> = {
  'session.compacted': payload({
    trigger: token('Why, such as `auto`, `manual`, `threshold`; open.'),
    strategy: token('How, such as `truncate-middle`; open.'),
    estimated_token_count: count(),
    forgotten: count('Number of items dropped.'),
    ...usage,
  }),
  'run.step.started': payload({ name: text('Label of the phase.'), initial_num_steps: count('Planned number of steps.') }),
  'run.step.finished': payload({ status: token('Outcome, usually `success`.') }),
  'progress.status': payload({ message: text(), phase: token(), percent: number(undefined, { minimum: 0, maximum: 100 }) }),
  'progress.task.planned': payload({ task, parent: token('Id of the task around it.') }),
  'progress.task.completed': payload({ task, status: token('`completed` by convention.') }),
  'progress.artifact.produced': payload({
    artifact: object({ id: token(), name: text(), mime: token(), bytes: count(), uri: text() }),
  }),
  'delegation.subagent.started': payload({ child, agent_type: token(), role: token() }),
  'delegation.subagent.stopped': payload({ child, agent_type: token(), status: token('Outcome.'), duration_ms: count() }),
  'attention.routed': payload({ to: token('Surface, such as `slack`; open.'), via: token('Mechanism of the router; open.') }),
  'agent.presence': payload({ state: oneOf(['online', 'offline', 'busy']) }, ['state']),
  'agent.idle': payload({ since_ms: count('Idle for how long.'), reason: token('Such as `awaiting_input`.') }),
  'agent.health': payload({ status: oneOf(['ok', 'degraded', 'failing']), detail: text() }, ['status']),
  'agent.heartbeat': payload({ tick: count('Unrelated to `seq`.'), interval_ms: count('Expected cadence.') }),
  'error.raised': payload({ error: errorInfo, code: token(), fatal: flag('Whether the run or session ended by it.') }),
  'state.snapshot': payload({ state: open('redacted'), key: token('State channel.'), rev: count('Revision of this image.') }),
  'state.delta': payload({
    delta: gatedList({ type: 'object' }, 'redacted', 'RFC 6902 operations on the last image of `key`.'),
    key: token('State channel.'),
    rev: count('Revision reached.'),
  }),

  'resource.retrieval.requested': payload({ query: text(), query_digest: token(), corpus: token('Index.'), top_k: count('Documents asked for.') }),
  'resource.retrieval.returned': payload({
    documents: list(document),
    count: count('Documents returned.'),
    corpus: token('Index.'),
    duration_ms: count(),
  }),
  'resource.retrieval.reranked': payload({
    query: text(),
    query_digest: token(),
    model: token('Name of the reranker.'),
    top_k: count('Documents kept.'),
    input_documents: list(document, 'The candidates.'),
    output_documents: list(document, 'Scored and in their new order.'),
    count: count('Documents that came out.'),
    duration_ms: count(),
  }),
  'resource.citation.recorded': payload({ citations: list(citation), count: count('Number of citations.') }),
  'assessment.evaluation.recorded': payload({
    'gen_ai.evaluation.name': token('Metric.'),
    'gen_ai.evaluation.score.value': number('On a scale of its own.'),
    'gen_ai.evaluation.score.label': token('Such as `pass`, `fail`.'),
    'gen_ai.evaluation.explanation': text(),
    evaluator: token('Judge or check.'),
  }),
  'assessment.feedback.received': payload({
    rating: number('Unbounded.'),
    label: token('Such as `thumbs_up`.'),
    comment: text(),
    correction: text('What the person would have had.'),
    source: token('Class of author, such as `human`.'),
  }),
  'assessment.guardrail.recorded': payload({ guardrail }),

  'control.attention.respond': payload({ answer }, ['answer']),
  'control.cancel': payload({ scope: oneOf(['run', 'session']), reason: text() }, ['scope']),
  'control.pause': payload(),
  'control.resume': payload(),
  'control.accepted': payload(),
  'control.rejected': payload({ reason: oneOf(['unsupported', 'unauthorized', 'busy', 'refused', 'invalid']), detail: text() }, ['reason']),
};
