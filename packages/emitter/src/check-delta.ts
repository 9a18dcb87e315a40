import type { JsonObject, JsonValue } from '@aepkit/envelope';

import { EmitterError } from './errors.js';

const NEEDS: ReadonlyMap<JsonValue | undefined, 'value' | 'from' | undefined> = new Map([
  ['add', 'value'],
  ['replace', 'value'],
  ['test', 'value'],
  ['move', 'from'],
  ['copy', 'from'],
  ['remove', undefined],
]);
const POINTER = /^(?:\/(?:[^~/]|~[01])*)*$/;

/** What a stream of states is known by; one without a name is one as well. */
export function stateKey(data: JsonObject | undefined): string {
  const key = data === undefined ? undefined : own(data, 'key');
  return typeof key === 'string' ? `k${key}` : '';
}

/** Revision of a state, where it says one. */
export function stateRevision(data: JsonObject | undefined): number | undefined {
  const rev = data === undefined ? undefined : own(data, 'rev');
  return typeof rev === 'number' ? rev : undefined;
}

/**
 * Throws {@link EmitterError} `invalid-delta` where `delta` is no list of RFC 6902 operations (AEP-0002 §5.4). Whether it fits the
 * state is not tried: that would take a copy of it.
 */
export function checkDelta(data: JsonObject | undefined): void {
  const delta = data === undefined ? undefined : own(data, 'delta');
  if (!Array.isArray(delta)) return;
  (delta as readonly JsonValue[]).forEach((operation, index) => {
    if (!isOperation(operation)) throw new EmitterError('invalid-delta', 'is no operation of RFC 6902', { path: `$.data.delta[${index}]` });
  });
}

function isOperation(operation: JsonValue): boolean {
  const op = own(operation, 'op');
  if (!NEEDS.has(op) || !isPointer(own(operation, 'path'))) return false;
  const needed = NEEDS.get(op);
  if (needed === 'value') return own(operation, 'value') !== undefined;
  return needed === undefined || isPointer(own(operation, 'from'));
}

function isPointer(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && POINTER.test(value);
}

function own(value: JsonValue, name: string): JsonValue | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as JsonObject)[name];
}
