import { isExtensionName } from '@aepkit/envelope';

/** The core attributes that a filter may name (AEP-0003 §6.2.1). */
export const FILTERABLE_ATTRIBUTES: readonly string[] = Object.freeze([
  'id',
  'type',
  'subject',
  'source',
  'agent',
  'session',
  'run',
  'step',
  'epoch',
  'cause',
  'severity',
  'capture',
]);

// Positions are for resume, trace context passes through, and routing does not look into payloads.
const CORE_NOT_FILTERABLE: ReadonlySet<string> = new Set(['time', 'seq', 'aep', 'traceparent', 'data']);
const FILTERABLE: ReadonlySet<string> = new Set(FILTERABLE_ATTRIBUTES);

/** What a filter key is: a legal one, a core attribute that filters may not name, or no name at all. */
export function filterKeyClass(key: string): 'filterable' | 'extension' | 'not-filterable' | 'invalid' {
  if (FILTERABLE.has(key)) return 'filterable';
  if (CORE_NOT_FILTERABLE.has(key)) return 'not-filterable';
  return isExtensionName(key) ? 'extension' : 'invalid';
}
