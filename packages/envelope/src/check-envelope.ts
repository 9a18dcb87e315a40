import type { Capture } from './capture.js';
import { compactLength, numberLength } from './compact-length.js';
import { issueAt, type EnvelopeIssue } from './errors.js';
import { isAgentScoped, isEventType, isForeignEmitter } from './event-type.js';
import { CORE_ATTRIBUTES, extensionNameIssue, extensionValueIssue } from './extensions.js';
import { memberPath } from './path.js';
import { isRfc3339 } from './rfc3339.js';
import type { Severity } from './severity.js';
import { AEP_VERSION } from './version.js';

const SECTION = 'AEP-0001 §5.1';
const SCOPE = 'AEP-0001 §5.2';
const TYPE_FORMS = 'neither a core type, {category}.{name} with one of the categories, nor a vendor type, x.{vendor}.{category}.{name}';
const TRACEPARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;
const ASCII_SOURCE = /^[A-Za-z][A-Za-z0-9+.-]*:[!-~]*$/;
/** A scheme, then anything but blanks and control characters (AEP-0001 §5.1). */
const SOURCE = /^[A-Za-z][A-Za-z0-9+.-]*:[^\s\u0000-\u001f\u007f-\u009f]*$/;

/** Attributes that the rules about presence name, as bits of a set. */
const AEP = 512;
const ID = 1;
const TYPE = 2;
const TIME = 4;
const SOURCE_BIT = 8;
const AGENT = 16;
const SESSION = 32;
const SEQ = 64;
const RUN = 128;
const STEP = 256;
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

/**
 * The envelope rules: attributes, names, scope. Takes any value; below the top level it only measures.
 *
 * Returns the first fault, or for a valid Event its `compactLength` for `isProven`, with `room` levels at most. One pass does
 * both because this is the hot path of every endpoint.
 */
export function checkEnvelope(value: unknown, room: number): EnvelopeIssue | number {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return issueAt('not-an-object', '$', 'AEP-0001 §5', 'an Event is a JSON object');
  }
  const event = value as Readonly<Record<string, unknown>>;
  // The version comes first: by the rules of another one the rest may be fine.
  if (event.aep !== AEP_VERSION) return versionIssue(event.aep);
  let present = 0;
  let length = 1;
  for (const name in event) {
    if (!Object.prototype.hasOwnProperty.call(event, name)) continue;
    length += name.length + 4;
    const attribute = event[name];
    if (attribute === undefined && CORE_ATTRIBUTES.includes(name)) continue;
    switch (name) {
      case 'aep':
        length += AEP_VERSION.length + 2;
        present |= AEP;
        break;
      case 'id':
        if (!isText(attribute)) return textIssue(name);
        length += attribute.length + 2;
        present |= ID;
        break;
      case 'type':
        if (typeof attribute !== 'string' || !isEventType(attribute)) {
          return issueAt('invalid-type', '$.type', 'AEP-0001 §6', TYPE_FORMS);
        }
        length += attribute.length + 2;
        present |= TYPE;
        break;
      case 'time':
        if (typeof attribute !== 'string' || !isRfc3339(attribute)) {
          return issueAt('invalid-attribute', '$.time', SECTION, 'no RFC 3339 date-time with a zone');
        }
        length += attribute.length + 2;
        present |= TIME;
        break;
      case 'source':
        if (typeof attribute !== 'string' || !isSource(attribute)) {
          return issueAt('invalid-attribute', '$.source', SECTION, 'no URI with a scheme and without blanks');
        }
        length += attribute.length + 2;
        present |= SOURCE_BIT;
        break;
      case 'agent':
        if (!isText(attribute)) return textIssue(name);
        length += attribute.length + 2;
        present |= AGENT;
        break;
      case 'session':
        if (!isText(attribute)) return textIssue(name);
        length += attribute.length + 2;
        present |= SESSION;
        break;
      case 'run':
        if (!isText(attribute)) return textIssue(name);
        length += attribute.length + 2;
        present |= RUN;
        break;
      case 'step':
        if (!isText(attribute)) return textIssue(name);
        length += attribute.length + 2;
        present |= STEP;
        break;
      case 'subject':
      case 'cause':
        if (!isText(attribute)) return textIssue(name);
        length += attribute.length + 2;
        break;
      case 'seq':
      case 'epoch':
        if (!isCount(attribute)) return countIssue(name, attribute);
        length += numberLength(attribute);
        if (name === 'seq') present |= SEQ;
        break;
      case 'traceparent':
        if (typeof attribute !== 'string' || !TRACEPARENT.test(attribute)) {
          return issueAt('invalid-attribute', '$.traceparent', SECTION, 'no W3C trace context value');
        }
        length += attribute.length + 2;
        break;
      case 'severity':
        if (!isSeverity(attribute)) return issueAt('invalid-attribute', '$.severity', SECTION, 'none of the six severities');
        length += attribute.length + 2;
        break;
      case 'capture':
        if (!isCapture(attribute)) return issueAt('invalid-attribute', '$.capture', SECTION, 'none of the four capture levels');
        length += attribute.length + 2;
        break;
      case 'data':
        if (typeof attribute !== 'object' || attribute === null || Array.isArray(attribute)) {
          return issueAt('invalid-attribute', '$.data', SECTION, 'data is an object');
        }
        length += compactLength(attribute, room - 1);
        break;
      default: {
        const issue = extensionNameIssue(name) ?? extensionValueIssue(name, attribute);
        if (issue !== undefined) return issue;
        length += compactLength(attribute, 0);
      }
    }
  }
  if ((present & ALWAYS) !== ALWAYS) return missing(ALWAYS & ~present, SECTION);
  return scopeIssue(event.type as string, present) ?? length;
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
  if (attribute === undefined) return issueAt('missing-attribute', '$.aep', SECTION, 'the attribute is missing');
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

/** Events come in runs of one source, and this is the longest text to be checked: the last good one is remembered. */
let lastSource = '';
const MAX_REMEMBERED = 512;

function isSource(text: string): boolean {
  if (text === lastSource) return text !== '';
  if (!ASCII_SOURCE.test(text) && !SOURCE.test(text)) return false;
  if (text.length <= MAX_REMEMBERED) lastSource = text;
  return true;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isSeverity(value: unknown): value is Severity {
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

function isCapture(value: unknown): value is Capture {
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
