import type { PayloadSchema } from '../payload-schema.js';
import { count, degraded, list, noted, object, oneOf, open, openOrText, payload, text, token } from './nodes.js';
import { answer, errorInfo, fields, options, toolRef, usageAndCost } from './objects.js';

/** AEP-0002 §5.3 */
export const mandatory: Readonly<Record<string, PayloadSchema>> = {
  'session.started': payload({
    label: text('Title for people; can hold text of the task.'),
    parent: object({ session: token(), run: token(), agent: token() }, ['session'], 'Where a subagent session comes from.'),
    client: object({ name: token(), version: token() }, ['name']),
    'gen_ai.request.model': token(),
    cwd: text('Working directory.'),
  }),
  'session.ended': payload({
    reason: oneOf(['normal', 'error', 'timeout', 'killed', 'compaction']),
    duration_ms: count(),
    runs: count('Number of runs.'),
  }),
  'run.started': payload({
    trigger: oneOf(['user', 'schedule', 'agent', 'control', 'resume']),
    prompt: text('What the run was asked to do.'),
    ...usageAndCost,
  }),
  'run.finished': payload({ duration_ms: count(), summary: text(), ...usageAndCost }),
  'run.failed': payload(
    { reason: token('Machine token of an open set, such as `error`, `rejected`, `budget_exceeded`.'), error: errorInfo, duration_ms: count() },
    ['reason'],
  ),
  'run.cancelled': payload({
    by: oneOf(['user', 'control', 'policy', 'shutdown']),
    reason: text('Free text, unlike the reason of `run.failed`.'),
    duration_ms: count(),
  }),
  'tool.requested': payload(
    {
      tool: toolRef,
      args_digest: token('Digest of the arguments as they were.'),
      args_redacted: open('redacted', 'The arguments after the redaction pipeline.'),
      args: open('full', 'The arguments as they are.'),
    },
    ['tool'],
  ),
  'tool.completed': payload(
    {
      tool: toolRef,
      duration_ms: count(),
      status: token('Absent: `success`.'),
      result_digest: token('Digest of the result as it was.'),
      result_redacted: openOrText('redacted', 'The result after the redaction pipeline.'),
      result: openOrText('full', 'The result as it is.'),
      ...usageAndCost,
    },
    ['tool'],
  ),
  'tool.failed': payload({ tool: toolRef, error: noted(errorInfo, 'May be empty.'), duration_ms: count() }, ['tool', 'error']),
  'tool.denied': payload(
    { tool: toolRef, by: oneOf(['policy', 'user_setting', 'runtime']), rule: token('The policy that matched.') },
    ['tool', 'by'],
  ),
  'attention.requested': payload(
    {
      kind: oneOf(['permission', 'input', 'auth', 'review', 'form', 'other']),
      prompt: degraded(token('Question, or title of a form. Below `redacted` made from structural facts.'), 'prompt'),
      options,
      fields,
      expires_at: { ...token('RFC 3339.'), format: 'date-time' },
      respond_via: list({ enum: ['control', 'oob'] }, 'Where an answer is taken. Absent: nothing is declared.'),
      context: open('full'),
    },
    ['kind', 'prompt'],
  ),
  'attention.answered': payload(
    { answer: noted(answer, 'What was applied.'), by: token('Who answered; open.'), via: oneOf(['control', 'oob']) },
    ['answer'],
  ),
  'attention.resolved': payload({ resolution: oneOf(['answered', 'auto', 'dismissed']), latency_ms: count() }, ['resolution']),
  'attention.timeout': payload({ after_ms: count() }),
};
