import type { AepEvent } from '@aepkit/envelope';
import { canonicalScalar } from './scalar.js';
import type { FilterScalar } from './filter-source.js';

/** What an absent attribute stands for while matching (AEP-0003 §6.2.5). */
export const ATTRIBUTE_DEFAULTS: ReadonlyMap<string, FilterScalar> = new Map<string, FilterScalar>([
  ['severity', 'info'],
  ['capture', 'metadata'],
  ['epoch', 0],
]);

/**
 * The value of an attribute for matching: an own member, else the default, else `undefined`. What stands on a prototype
 * is not an attribute, so neither `constructor` as an extension name nor a polluted `Object.prototype` changes a verdict.
 */
export function attributeValue(event: AepEvent, key: string): FilterScalar | undefined {
  const own = Object.hasOwn(event, key) ? event[key] : undefined;
  return own === undefined ? ATTRIBUTE_DEFAULTS.get(key) : canonicalScalar(own);
}
