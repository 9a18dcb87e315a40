import { digest, type JsonValue } from '@aepkit/envelope';

import { answersOf, budget, chosenAnswers, fieldsOf, questionsOf } from './forms.js';
import { HookPayload, isJsonObject, isRunId, own } from './hook-payload.js';
import { type HookRecord, MAX_BATCH_CALLS, RECORD_VERSION, type RecordCeiling, TOOL_HOOKS } from './hook-record.js';

/** What a call is read with. */
export interface ReadOptions {
  readonly ceiling: RecordCeiling;
  readonly ceilings: Readonly<Record<string, RecordCeiling>>;
  readonly time: number;
  readonly key: string | undefined;
}

type Members = { -readonly [K in keyof HookRecord]?: HookRecord[K] | undefined };

/**
 * Reads one hook call at a ceiling. What goes into the payload of an Event only is left out where the category of that Event is
 * at `none`; names and ids are attributes and stay.
 *
 * @throws {@link AdapterError} `invalid-payload`.
 */
export function readHook(payload: unknown, { ceiling, ceilings, time, key }: ReadOptions): HookRecord {
  const hook = new HookPayload(payload);
  const shown = (category: string): boolean => (Object.hasOwn(ceilings, category) ? ceilings[category] : ceiling) !== 'none';
  const run = hook.token('prompt_id');
  const record: Members = {
    v: RECORD_VERSION,
    hook: hook.hook,
    session: hook.session,
    time,
    key,
    ceiling,
    ceilings: Object.keys(ceilings).length === 0 ? undefined : ceilings,
    run: isRunId(run) ? run : undefined,
    ...(TOOL_HOOKS.has(hook.hook) ? toolMembers(hook, shown) : otherMembers(hook, shown)),
  };
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as unknown as HookRecord;
}

function toolMembers(hook: HookPayload, shown: (category: string) => boolean): Members {
  const tool = hook.toolName;
  const call = hook.identifier('tool_use_id');
  const input = digest(hook.value('tool_input'));
  const result = hook.hook === 'PostToolUse' ? digest(hook.value('tool_response')) : undefined;
  const asked = tool === 'AskUserQuestion' && shown('attention') ? hook.object('tool_input') : undefined;
  return {
    tool,
    ...(shown('tool')
      ? {
          call,
          input,
          result,
          duration: hook.hook.startsWith("PostToolUse") ? hook.count('duration_ms') : undefined,
          interrupted: hook.hook === 'PostToolUseFailure' && hook.flag('is_interrupt') ? true : undefined,
        }
      : {}),
    questions: hook.hook === 'PermissionRequest' && asked !== undefined ? questionsOf(asked) : undefined,
    chosen: hook.hook === 'PostToolUse' && asked !== undefined ? chosenAnswers(asked, hook.object('tool_response')) : undefined,
  };
}

function otherMembers(hook: HookPayload, shown: (category: string) => boolean): Members {
  switch (hook.hook) {
    case 'SessionStart':
      return shown('session') ? { trigger: hook.token('source'), model: hook.token('model') } : {};
    case 'StopFailure':
      return shown('run') ? { error: hook.token('error') } : {};
    case 'PostToolBatch':
      return shown('tool') ? { calls: callIds(hook.value('tool_calls')) } : {};
    case 'Notification':
      return { subject: hook.token('notification_type') };
    case 'Elicitation': {
      const page = hook.token('mode') === 'url';
      const fields = page || !shown('attention') ? undefined : fieldsOf(hook.object('requested_schema'));
      return { subject: elicitationId(hook), page: page ? true : undefined, fields };
    }
    case 'ElicitationResult': {
      const accepted = hook.token('action') === 'accept';
      const answers = accepted && shown('attention') ? answersOf(hook.object('content')) : undefined;
      return { subject: elicitationId(hook), accepted: accepted ? true : undefined, answers };
    }
    case 'SubagentStart':
    case 'SubagentStop':
      return { subject: hook.identifier('agent_id'), ...(shown('delegation') ? { kind: hook.token('agent_type') } : {}) };
    case 'TaskCreated':
    case 'TaskCompleted':
      return { subject: hook.identifier('task_id') };
    case 'PostCompact':
      return shown('session') ? { trigger: hook.token('trigger') ?? hook.token('compact_trigger') } : {};
    default:
      return {};
  }
}

function elicitationId(hook: HookPayload): string | undefined {
  return hook.identifier('elicitation_id') ?? hook.identifier('mcp_server_name');
}

function callIds(calls: JsonValue): string[] {
  if (!Array.isArray(calls)) return [];
  const ids = (calls as readonly JsonValue[]).map((call) => (isJsonObject(call) ? own(call, 'tool_use_id') : undefined));
  // An id that is too long belongs to no call that was taken.
  return ids.filter((id): id is string => typeof id === 'string' && id !== '' && id.length <= MAX_CALL_LENGTH).slice(0, MAX_BATCH_CALLS).filter(budget());
}

const MAX_CALL_LENGTH = 512;
