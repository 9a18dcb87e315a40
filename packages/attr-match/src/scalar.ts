import type { FilterScalar } from './filter-source.js';

/**
 * One JavaScript value for each JSON scalar, so that `===` and `Map` keys compare by type and exact value (AEP-0003
 * §6.2.2): integers are numbers up to ±(2^53−1) and bigints beyond. Anything that is no scalar gives `undefined`.
 */
export function canonicalScalar(value: unknown): FilterScalar | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      if (Number.isSafeInteger(value)) return value + 0;
      return Number.isInteger(value) ? BigInt(value) : undefined;
    case 'bigint':
      return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
    default:
      return undefined;
  }
}

/** The JSON type of a scalar. */
export function scalarKind(scalar: FilterScalar): 'string' | 'number' | 'boolean' {
  const kind = typeof scalar;
  return kind === 'bigint' ? 'number' : (kind as 'string' | 'number' | 'boolean');
}
