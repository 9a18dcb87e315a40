import { issueAt, type EnvelopeIssue } from './errors.js';
import type { AepEvent } from './event.js';
import { isAgentScoped, isEventType, isForeignEmitter } from './event-type.js';
import { CORE_ATTRIBUTES, extensionNameIssue, extensionValueIssue } from './extensions.js';
import { jsonIssue } from './json-issue.js';
import { resolveLimits } from './limits.js';
import { memberPath } from './path.js';
import { isRfc3339 } from './rfc3339.js';
import { AEP_VERSION } from './version.js';

const SECTION = 'AEP-0001 §5.1';
const SCOPE = 'AEP-0001 §5.2';
const TRACEPARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;
/** A scheme, then anything but blanks and control characters (AEP-0001 §5.1). */
// eslint-disable-next-line no-control-regex -- control characters are what the rule is about
const SOURCE = /^[A-Za-z][A-Za-z0-9+.-]*:[^\s\u0000-\u001f\u007f-\u009f]*$/;

/**
 * Checks a parsed value against the envelope rules (AEP-0001 §5, §6) and returns the first fault, or `undefined` for a
 * valid Event. The verdict is the one `parseEvent` gives on the text, whatever binding it came by; depth and surrogates
 * are looked at too. Only own properties count. Whether the type is registered and what `data` holds is not asked.
 *
 * A core attribute whose value is `undefined` counts as absent.
 *
 * Codes: `not-an-object`, `missing-attribute`, `forbidden-attribute`, `unsupported-version`, `invalid-type`,
 * `invalid-attribute`, `unsafe-integer`, `invalid-name`, `invalid-extension`, `too-deep`, `lone-surrogate`.
 *
 * @example
 * const issue = validateEvent(value);
 * if (issue !== undefined) report(issue.code, issue.path);
 */
export function validateEvent(value: unknown, options?: { readonly maxDepth?: number }): EnvelopeIssue | undefined {
  const { maxDepth } = resolveLimits(options);
  return jsonIssue(value, maxDepth) ?? envelopeIssue(value);
}

/** Whether a value is a valid Event; `validateEvent` says why not. */
export function isEvent(value: unknown): value is AepEvent {
  return validateEvent(value) === undefined;
}

/** Required of every Event, as bits of a set. */
const AEP = 1;
const ID = 2;
const TYPE = 4;
const TIME = 8;
const SOURCE_BIT = 16;
const AGENT = 32;
const SESSION = 64;
const SEQ = 128;
const RUN = 256;
const STEP = 512;
const ALWAYS: number = AEP | ID | TYPE | TIME | SOURCE_BIT | AGENT;

const BITS: readonly (readonly [number, string])[] = [
  [AEP, 'aep'],
  [ID, 'id'],
  [TYPE, 'type'],
  [TIME, 'time'],
  [SOURCE_BIT, 'source'],
  [AGENT, 'agent'],
  [SESSION, 'session'],
  [SEQ, 'seq'],
  [RUN, 'run'],
  [STEP, 'step'],
];

/** The envelope rules alone: attributes, names, scope. Takes any value, looks at the top level only. */
export function envelopeIssue(value: unknown): EnvelopeIssue | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return issueAt('not-an-object', '$', 'AEP-0001 §5', 'an Event is a JSON object');
  }
  const event = value as Readonly<Record<string, unknown>>;
  let present = 0;
  for (const name of Object.keys(event)) {
    const attribute = event[name];
    if (attribute === undefined && isCore(name)) continue;
    switch (name) {
      case 'aep':
        if (attribute !== AEP_VERSION) return versionIssue(attribute);
        present |= AEP;
        break;
      case 'id':
        if (!isText(attribute)) return textIssue(name);
        present |= ID;
        break;
      case 'type':
        if (typeof attribute !== 'string' || !isEventType(attribute)) {
          return issueAt('invalid-type', '$.type', 'AEP-0001 §6', 'no core type and no vendor type');
        }
        present |= TYPE;
        break;
      case 'time':
        if (typeof attribute !== 'string' || !isRfc3339(attribute)) {
          return issueAt('invalid-attribute', '$.time', SECTION, 'no RFC 3339 date-time with a zone');
        }
        present |= TIME;
        break;
      case 'source':
        if (typeof attribute !== 'string' || !SOURCE.test(attribute)) {
          return issueAt('invalid-attribute', '$.source', SECTION, 'no URI with a scheme and without blanks');
        }
        present |= SOURCE_BIT;
        break;
      case 'agent':
        if (!isText(attribute)) return textIssue(name);
        present |= AGENT;
        break;
      case 'session':
        if (!isText(attribute)) return textIssue(name);
        present |= SESSION;
        break;
      case 'run':
        if (!isText(attribute)) return textIssue(name);
        present |= RUN;
        break;
      case 'step':
        if (!isText(attribute)) return textIssue(name);
        present |= STEP;
        break;
      case 'subject':
      case 'cause':
        if (!isText(attribute)) return textIssue(name);
        break;
      case 'seq':
      case 'epoch':
        if (!isCount(attribute)) return countIssue(name, attribute);
        if (name === 'seq') present |= SEQ;
        break;
      case 'traceparent':
        if (typeof attribute !== 'string' || !TRACEPARENT.test(attribute)) {
          return issueAt('invalid-attribute', '$.traceparent', SECTION, 'no W3C trace context value');
        }
        break;
      case 'severity':
        if (!isSeverity(attribute)) return issueAt('invalid-attribute', '$.severity', SECTION, 'none of the six severities');
        break;
      case 'capture':
        if (!isCapture(attribute)) return issueAt('invalid-attribute', '$.capture', SECTION, 'none of the four capture levels');
        break;
      case 'data':
        if (typeof attribute !== 'object' || attribute === null || Array.isArray(attribute)) {
          return issueAt('invalid-attribute', '$.data', SECTION, 'data is an object');
        }
        break;
      default: {
        const issue = extensionNameIssue(name) ?? extensionValueIssue(name, attribute);
        if (issue !== undefined) return issue;
      }
    }
  }
  if ((present & ALWAYS) !== ALWAYS) return missing(ALWAYS & ~present, SECTION);
  return scopeIssue(event['type'] as string, present);
}

/** Which of `session`, `seq`, `run` and `step` a type asks for and excludes (AEP-0001 §5.2). */
function scopeIssue(type: string, present: number): EnvelopeIssue | undefined {
  if (isAgentScoped(type)) {
    const wrong = present & (SESSION | SEQ | RUN | STEP);
    return wrong === 0 ? undefined : forbidden(wrong, 'an agent-scoped Event belongs to no session');
  }
  if (isForeignEmitter(type)) {
    if ((present & SESSION) === 0) return missing(SESSION, SCOPE);
    return (present & SEQ) === 0 ? undefined : forbidden(SEQ, 'only the owner of the session numbers its Events');
  }
  const lacking = (SESSION | SEQ) & ~present;
  return lacking === 0 ? undefined : missing(lacking, SCOPE);
}

function missing(bits: number, section: string): EnvelopeIssue {
  return issueAt('missing-attribute', memberPath(firstOf(bits)), section, 'the attribute is missing');
}

function forbidden(bits: number, says: string): EnvelopeIssue {
  return issueAt('forbidden-attribute', memberPath(firstOf(bits)), SCOPE, says);
}

function firstOf(bits: number): string {
  return BITS.find(([bit]) => (bits & bit) !== 0)?.[1] ?? '';
}

function versionIssue(attribute: unknown): EnvelopeIssue {
  return typeof attribute === 'string'
    ? issueAt('unsupported-version', '$.aep', SECTION, `the version is not ${AEP_VERSION}`)
    : issueAt('invalid-attribute', '$.aep', SECTION, `aep is the string ${AEP_VERSION}`);
}

function textIssue(name: string): EnvelopeIssue {
  return issueAt('invalid-attribute', memberPath(name), SECTION, 'not a non-empty string');
}

function countIssue(name: string, attribute: unknown): EnvelopeIssue {
  const tooLarge = typeof attribute === 'bigint' ? attribute > 0n : Number.isInteger(attribute) && (attribute as number) > 0;
  return tooLarge
    ? issueAt('unsafe-integer', memberPath(name), 'AEP-0001 §7.1', 'beyond 2^53-1')
    : issueAt('invalid-attribute', memberPath(name), SECTION, 'no integer of 0 or more');
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isSeverity(value: unknown): boolean {
  switch (value) {
    case 'debug':
    case 'info':
    case 'notice':
    case 'warning':
    case 'error':
    case 'critical':
      return true;
    default:
      return false;
  }
}

function isCapture(value: unknown): boolean {
  switch (value) {
    case 'none':
    case 'metadata':
    case 'redacted':
    case 'full':
      return true;
    default:
      return false;
  }
}

function isCore(name: string): boolean {
  return CORE_ATTRIBUTES.includes(name);
}
