import { type AepEvent, type Capture, captureRank, isCommand, type JsonObject, type JsonValue, type Severity, wireEvent, type WireEvent } from '@aepkit/envelope';
import { type FieldSpec, gateData, validatePayload } from '@aepkit/taxonomy';

import { member } from './accepts.js';
import { ControlError } from './errors.js';

/** What a command says besides its type (AEP-0004 §2, §5). */
export interface CommandRequest {
  /** The target. */
  readonly session: string;
  /** Narrows the target to a run. */
  readonly run?: string;
  /** Of `control.attention.respond`: `id` of the `attention.requested`. */
  readonly subject?: string;
  /** `id` of the Event that prompted the command. */
  readonly cause?: string;
  readonly data?: JsonObject;
  /**
   * Default: `metadata` where nothing in `data` needs more, else `redacted` where the sender can redact, else `full`. A type of
   * a vendor is taken to hold nothing above `metadata`.
   */
  readonly capture?: Capture;
  readonly severity?: Severity;
  readonly traceparent?: string;
  /** Fields of the form that is answered: choice ids need no more than `metadata` then. */
  readonly fields?: readonly FieldSpec[];
}

/** Who sends, and how. */
export interface DraftContext {
  readonly source: string;
  readonly agent: string;
  readonly id: string;
  readonly time: string;
  readonly redact: ((text: string) => string) | undefined;
}

/** Builds a command, at the level that its content needs. Throws a {@link ControlError}. */
export function draftCommand(type: string, request: CommandRequest, context: DraftContext): WireEvent {
  if (!isCommand(type)) throw new ControlError('not-a-command', `type: ${JSON.stringify(type.slice(0, 100))} is no command`);
  if (type === 'control.attention.respond' && (request.subject === undefined || request.subject === '')) {
    throw new ControlError('invalid-command', 'subject: the id of the request that is answered');
  }
  if (type === 'control.cancel' && member(request.data, 'scope') === 'run' && request.run === undefined) {
    throw new ControlError('invalid-command', 'run: missing, the scope is run');
  }
  const capture = captureFor(type, request, context);
  const data = request.data === undefined || capture === 'none' ? undefined : capture === 'redacted' ? redacted(type, request, context) : request.data;
  const { run, subject, cause, severity, traceparent, session } = request;
  const event: AepEvent = {
    aep: '0.1',
    id: context.id,
    type,
    ...(subject === undefined ? {} : { subject }),
    time: context.time,
    source: context.source,
    agent: context.agent,
    session,
    ...(run === undefined ? {} : { run }),
    ...(cause === undefined ? {} : { cause }),
    ...(traceparent === undefined ? {} : { traceparent }),
    ...(severity === undefined ? {} : { severity }),
    ...(capture === 'metadata' ? {} : { capture }),
    ...(data === undefined ? {} : { data }),
  };
  let wire: WireEvent;
  try {
    wire = wireEvent(event);
  } catch (error) {
    throw new ControlError('invalid-command', error instanceof Error ? error.message : 'no Event can be made of it', { cause: error });
  }
  const [issue] = validatePayload(wire.event);
  if (issue !== undefined) throw new ControlError('invalid-command', `${issue.path}: ${issue.message}`);
  if (wire.event.data === undefined && (type === 'control.attention.respond' || type === 'control.cancel')) {
    throw new ControlError('invalid-command', 'data: missing');
  }
  return wire;
}

function captureFor(type: string, request: CommandRequest, { redact, agent }: DraftContext): Capture {
  const { data, subject, fields } = request;
  const content = data !== undefined && gateData(type, data, 'metadata', { agent, subject, fields }) !== data;
  if (!content) return request.capture ?? 'metadata';
  const capture = request.capture ?? (redact === undefined ? 'full' : 'redacted');
  if (captureRank(capture) < captureRank('redacted')) throw new ControlError('content-above-capture', `data: holds text that needs capture redacted, not ${capture}`);
  if (capture === 'redacted' && redact === undefined) throw new ControlError('content-above-capture', 'capture: redacted needs a sender that can redact');
  return capture;
}

/** Every text of a command is free text, apart from ids: those of options, of fields and of their choices. */
function redacted(type: string, { data, fields }: CommandRequest, { redact = (text) => text }: DraftContext): JsonObject | undefined {
  if (data === undefined) return undefined;
  if (type === 'control.cancel') return mapped(data, (name, value) => (name === 'reason' && typeof value === 'string' ? redact(value) : value));
  if (type !== 'control.attention.respond') return data;
  const choices = new Set((fields ?? []).flatMap((field) => (field.choices ?? []).map(({ id }) => id)));
  const text = (value: JsonValue): JsonValue => {
    if (Array.isArray(value)) return (value as readonly JsonValue[]).map(text);
    return typeof value === 'string' && !choices.has(value) ? redact(value) : value;
  };
  const answer = (name: string, value: JsonValue): JsonValue => {
    if (name === 'text') return text(value);
    return name === 'values' && isObject(value) ? mapped(value, (_, each) => text(each)) : value;
  };
  return mapped(data, (name, value) => (name === 'answer' && isObject(value) ? mapped(value, answer) : value));
}

function mapped(object: JsonObject, change: (name: string, value: JsonValue) => JsonValue): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(name, value)]));
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
