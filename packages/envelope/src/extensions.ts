import { issueAt, type EnvelopeIssue } from './errors.js';
import { memberPath } from './path.js';

/** The sixteen context attributes and `data`, in the order of AEP-0001 §5.1. No extension attribute has one of these names. */
export const CORE_ATTRIBUTES: readonly string[] = Object.freeze([
  'aep',
  'id',
  'type',
  'subject',
  'time',
  'source',
  'agent',
  'session',
  'run',
  'step',
  'seq',
  'epoch',
  'cause',
  'traceparent',
  'severity',
  'capture',
  'data',
]);

const NAME = /^[a-z0-9]{1,20}$/;
const CORE: ReadonlySet<string> = new Set(CORE_ATTRIBUTES);

/** Whether a name may be that of an extension attribute: `[a-z0-9]{1,20}` and no core attribute (AEP-0001 §5.4). */
export function isExtensionName(name: string): boolean {
  return NAME.test(name) && !CORE.has(name);
}

/** Whether a value may stand in an extension attribute: a string, an integer or a boolean (AEP-0001 §5.4). */
export function isExtensionValue(value: unknown): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'bigint':
      return true;
    case 'number':
      return Number.isInteger(value);
    default:
      return false;
  }
}

/**
 * Checks the extension attributes a caller wants on an Event, before they are merged into it (AEP-0001 §5.4). Returns the
 * first fault, or `undefined`. Whoever emits refuses the whole Event on a fault; dropping or renaming the attribute is no
 * way out, because an overwritten core attribute looks genuine on the wire.
 *
 * Codes: `reserved-name`, `invalid-name`, `invalid-extension`, `lone-surrogate`, and `not-an-object` for the map itself.
 *
 * @example
 * const fault = checkExtensions(extensions);
 * if (fault !== undefined) throw new EnvelopeError(fault);
 */
export function checkExtensions(extensions: unknown): EnvelopeIssue | undefined {
  if (typeof extensions !== 'object' || extensions === null || Array.isArray(extensions)) {
    return issueAt('not-an-object', '$', 'AEP-0001 §5.4', 'extension attributes come as an object');
  }
  for (const [name, value] of Object.entries(extensions as Record<string, unknown>)) {
    if (CORE.has(name)) {
      return issueAt('reserved-name', memberPath(name), 'AEP-0001 §5.4', 'an extension attribute is named like a core attribute');
    }
    const issue = extensionNameIssue(name) ?? extensionValueIssue(name, value);
    if (issue !== undefined) return issue;
    if (typeof value === 'string' && !value.isWellFormed()) {
      return issueAt('lone-surrogate', memberPath(name), 'AEP-0001 §5', 'the string holds half of a surrogate pair');
    }
  }
  return undefined;
}

/** The fault of an unlisted name, if it has one. */
export function extensionNameIssue(name: string): EnvelopeIssue | undefined {
  if (NAME.test(name)) return undefined;
  return issueAt('invalid-name', memberPath(name), 'AEP-0001 §5.4', 'extension attributes are named with 1 to 20 of a-z and 0-9');
}

/** The fault of the value of an extension attribute, if it has one. */
export function extensionValueIssue(name: string, value: unknown): EnvelopeIssue | undefined {
  if (isExtensionValue(value)) return undefined;
  return issueAt('invalid-extension', memberPath(name), 'AEP-0001 §5.4', 'an extension attribute is a string, an integer or a boolean');
}
