/**
 * An unsigned integer of 64 bits, exact: a `number` up to 2^53−1, a `bigint` above. Decoders give the one that fits;
 * encoders take both for any value.
 */
export type Uint = number | bigint;

/** The largest {@link Uint}: 2^64−1. */
export const MAX_UINT = 0xffff_ffff_ffff_ffffn;

/** Whether a value is an unsigned integer of 64 bits that is certainly exact. */
export function isUint(value: unknown): value is Uint {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0;
  return typeof value === 'bigint' && value >= 0n && value <= MAX_UINT;
}

/** The form in which decoders give it, so that `===` compares. */
export function plainUint(value: Uint): Uint {
  return typeof value === 'bigint' && value <= 0x1f_ffff_ffff_ffffn ? Number(value) : value;
}

/** The unsigned integer of two halves of 32 bits. */
export function joinUint(high: number, low: number): Uint {
  return high <= 0x1f_ffff ? high * 0x1_0000_0000 + low : (BigInt(high) << 32n) | BigInt(low);
}
