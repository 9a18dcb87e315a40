import {
  AEP_VERSION,
  CAPTURES,
  CATEGORIES,
  checkExtensions,
  compareCapture,
  EnvelopeError,
  isAgentScoped,
  isForeignEmitter,
  isVendorType,
  type AepEvent,
  type Capture,
  type JsonObject,
} from '@aepkit/envelope';
import { checkEmission, typeEntry, validatePayload, type FieldSpec, type PayloadIssue } from '@aepkit/taxonomy';

import type { EmissionAttributes } from './emission.js';
import { EmitterError, type EmitterErrorCode } from './errors.js';
import { identifier, subjectIdentifier } from './identifiers.js';
import { checkNames } from './known-names.js';
import type { EmitterSettings } from './options.js';
import { shapePayload } from './shape-payload.js';
import { snapshot } from './snapshot.js';
import { wireOf, type SizedWire } from './wire-of.js';

/** Name of the extension attribute that counts what was dropped (AEP-0003 §8.4). */
export const DROPS_ATTRIBUTE = 'aepkitdrops';

/** What `emit` was given, whatever its type. */
export type AnyEmission = EmissionAttributes & { readonly data?: object | undefined };

/** An Event before it has a position: checked, its payload under the ceiling. */
export interface Draft {
  readonly type: string;
  readonly subject: string | undefined;
  readonly run: string | undefined;
  readonly step: string | undefined;
  readonly cause: string | undefined;
  readonly severity: string | undefined;
  readonly traceparent: string | undefined;
  readonly time: string;
  readonly extensions: Readonly<Record<string, unknown>>;
  /** As given: for pairing, and for what a request offers. */
  readonly original: JsonObject | undefined;
  readonly members: JsonObject | undefined;
  readonly capture: Capture | undefined;
}

/** What makes an Event one of its stream. */
export interface Place {
  readonly id: string;
  readonly source: string;
  readonly session?: string;
  readonly seq?: number;
  readonly epoch?: number;
  readonly drops?: number | undefined;
  /** Fields of the form that an answer belongs to. */
  readonly fields?: readonly FieldSpec[] | undefined;
}

/** An Event in the making, its members in the order of AEP-0001 §5.1. */
type Mutable = Record<string, unknown>;

const NOTICED: ReadonlySet<string> = new Set(['attention.requested', 'attention.answered', 'attention.resolved', 'attention.timeout']);
/** Warnings of `checkEmission` that an emitter takes for faults. */
const GRAVE: ReadonlySet<string> = new Set(['missing-data', 'missing-source', 'duplicate-id']);

/** A copy of what `emit` was given, so that no getter or proxy is asked twice, and none throws into what follows. */
export function readEmission(emission: AnyEmission | undefined): AnyEmission {
  if (emission === undefined) return {};
  try {
    // JavaScript may bring null.
    if (typeof emission === 'object' && (emission as object | null) !== null) return { ...emission };
  } catch (cause) {
    throw new EmitterError('invalid-payload', 'what is emitted cannot be read', { cause });
  }
  throw new EmitterError('invalid-payload', 'what is emitted comes as an object');
}

/** Reads what `emit` was given, each member once, and checks all that no session is needed for. */
export function draft(type: unknown, emission: AnyEmission | undefined, settings: EmitterSettings): Draft {
  const given = readEmission(emission);
  if (typeof type !== 'string') throw new EmitterError('unknown-type', 'is not a text', { path: '$.type' });
  checkType(type);
  checkNames('attribute of an emission', given);
  const { subject, run, step, cause, severity, capture, traceparent, time, data, members } = given;
  if (capture !== undefined && !CAPTURES.includes(capture)) {
    throw new EmitterError('invalid-attribute', 'is none, metadata, redacted or full', { path: '$.capture' });
  }
  const result: Draft = {
    type,
    subject: subject === undefined ? undefined : subjectIdentifier(subject),
    run: run === undefined ? undefined : identifier('run', run),
    step: step === undefined ? undefined : identifier('step', step),
    cause: cause === undefined ? undefined : identifier('cause', cause),
    severity: severity ?? (NOTICED.has(type) ? 'notice' : undefined),
    traceparent,
    time: timeOf(time, settings.now),
    extensions: extensionsOf(given.extensions),
    original: data === undefined ? undefined : snapshot(data, 'data', settings.snapshot),
    members: members === undefined ? undefined : snapshot(members, 'members', settings.snapshot),
    capture,
  };
  needs(result);
  checkMembers(result);
  return result;
}

/** Makes the Event: the payload under the ceiling, an honest label, everything checked once more as a whole (AEP-0001 §10). */
export function make(draft: Draft, place: Place, settings: EmitterSettings): SizedWire {
  const { type, subject, original, members } = draft;
  const { agent, redactor, onTrouble } = settings;
  const configured = settings.ceilingOf(categoryOf(type));
  const ceiling = draft.capture !== undefined && compareCapture(draft.capture, configured) < 0 ? draft.capture : configured;
  const event: Mutable = { aep: AEP_VERSION, id: place.id, type };
  if (subject !== undefined) event.subject = subject;
  event.time = draft.time;
  event.source = place.source;
  event.agent = agent;
  if (place.session !== undefined) event.session = place.session;
  if (draft.run !== undefined) event.run = draft.run;
  if (draft.step !== undefined) event.step = draft.step;
  if (place.seq !== undefined) event.seq = place.seq;
  // 0 is what an absent one is read as.
  if (place.epoch !== undefined && place.epoch !== 0) event.epoch = place.epoch;
  if (draft.cause !== undefined) event.cause = draft.cause;
  if (draft.traceparent !== undefined) event.traceparent = draft.traceparent;
  if (draft.severity !== undefined) event.severity = draft.severity;
  if (original !== undefined || members !== undefined) {
    const whole = members === undefined ? (original ?? {}) : { ...original, ...members };
    // Against the whole schema first: what the ceiling takes away may not hide a mistake.
    refuseIssues(validatePayload({ type, data: whole } as unknown as AepEvent));
    const { capture, data, failure } = shapePayload(type, whole, ceiling, { agent, subject, fields: place.fields }, redactor);
    if (failure !== undefined) ignoreThrow(() => onTrouble?.({ type: 'redaction', error: failure }));
    if (capture !== 'metadata') event.capture = capture;
    if (data !== undefined) event.data = data;
  } else if (ceiling === 'none') event.capture = 'none';
  // None of these names is one of those above: that was checked.
  for (const [name, value] of Object.entries(draft.extensions)) event[name] = value === 0 ? 0 : value;
  if (place.drops !== undefined) event[DROPS_ATTRIBUTE] = place.drops;
  const made = event as unknown as AepEvent;
  refuseIssues(checkEmission(made));
  try {
    return wireOf(made, settings.maxEventBytes);
  } catch (error) {
    throw fromEnvelope(error);
  }
}

export function categoryOf(type: string): string {
  const segments = type.split('.', 3);
  return (segments[0] === 'x' ? segments[2] : segments[0]) ?? '';
}

/** Whether a session may emit the type. */
export function checkSessionType(type: string): void {
  if (isAgentScoped(type) || isForeignEmitter(type)) {
    throw new EmitterError('wrong-scope', 'is no type that the owner of a session emits', { path: '$.type' });
  }
}

/** Whether an agent may emit the type outside any session. */
export function checkAgentType(type: string): void {
  if (!isAgentScoped(type)) throw new EmitterError('wrong-scope', 'is not about the agent, it belongs to a session', { path: '$.type' });
}

export function ignoreThrow(call: () => void): void {
  try {
    call();
  } catch {
    // The program being observed is not stopped by its own bookkeeping.
  }
}

/** A vendor type of category `agent` would need a session, though it says it has none: not minted in 0.1. */
function checkType(type: string): void {
  const fine = isVendorType(type)
    ? CATEGORIES.includes(categoryOf(type)) && categoryOf(type) !== 'agent'
    : (typeEntry(type)?.status ?? 'reserved') !== 'reserved';
  if (!fine) throw new EmitterError('unknown-type', 'is neither a registered type nor x.{vendor}.{category}.{rest}', { path: '$.type' });
}

function needs({ type, run, step, subject, cause }: Draft): void {
  const need = (code: EmitterErrorCode & `missing-${string}`, value: string | undefined): void => {
    if (value === undefined) throw new EmitterError(code, 'the type cannot do without it', { path: `$.${code.slice(8)}` });
  };
  if (type.startsWith('run.')) need('missing-run', run);
  if (type.startsWith('run.step.')) need('missing-step', step);
  if (type.startsWith('attention.') && type !== 'attention.requested') need('missing-subject', subject);
  if (type === 'control.accepted' || type === 'control.rejected') need('missing-cause', cause);
}

function checkMembers({ original, members }: Draft): void {
  if (original === undefined || members === undefined) return;
  for (const name of Object.keys(members)) {
    if (Object.hasOwn(original, name)) throw new EmitterError('invalid-payload', 'stands in data as well', { path: `$.members.${name.slice(0, 100).toWellFormed()}` });
  }
}

function timeOf(time: unknown, now: () => number): string {
  if (typeof time === 'string') return time;
  const moment = time === undefined ? new Date(now()) : time;
  if (!(moment instanceof Date) || Number.isNaN(moment.getTime())) throw new EmitterError('invalid-attribute', 'is no moment', { path: '$.time' });
  return moment.toISOString();
}

/** Refused before they are merged: what overwrote a core attribute would look genuine on the wire (AEP-0001 §5.4). */
export function extensionsOf(given: unknown): Readonly<Record<string, unknown>> {
  if (given === undefined) return {};
  let copy: Record<string, unknown>;
  try {
    if (typeof given !== 'object' || given === null || Array.isArray(given)) throw new TypeError('no object');
    // A copy first: what is checked is what goes out.
    copy = Object.fromEntries(Object.entries(given));
  } catch (cause) {
    throw new EmitterError('invalid-extension', 'extension attributes come as an object', { path: '$.extensions', cause });
  }
  const issue = checkExtensions(copy);
  if (issue !== undefined) throw new EmitterError('invalid-extension', 'is no extension attribute', { path: issue.path, cause: new EnvelopeError(issue) });
  if (Object.hasOwn(copy, DROPS_ATTRIBUTE)) throw new EmitterError('invalid-extension', 'is written by the emitter', { path: `$.${DROPS_ATTRIBUTE}` });
  return copy;
}

function refuseIssues(all: readonly PayloadIssue[]): void {
  const issues = all.filter(({ severity, code }) => severity === 'error' || GRAVE.has(code));
  const [first] = issues;
  if (first === undefined) return;
  const says = first.message.startsWith(`${first.path}: `) ? first.message.slice(first.path.length + 2) : first.message;
  throw new EmitterError('invalid-payload', says, { path: first.path, issues });
}

function fromEnvelope(error: unknown): unknown {
  if (!(error instanceof EnvelopeError)) return error;
  const { path } = error;
  const says = error.message.slice(path.length + 2);
  return new EmitterError(path.startsWith('$.data') ? 'invalid-payload' : 'invalid-attribute', says, { path, cause: error });
}
