/**
 * Refuses what is not octets, as a fault of the caller: an `ArrayBuffer` has no indices and would read as nothing at all, and
 * a text would be blamed on the peer. An array of another realm passes.
 *
 * @throws `TypeError`.
 */
export function checkOctets(value: unknown): asserts value is Uint8Array {
  if (!isOctets(value)) throw new TypeError('octets come as a Uint8Array');
}

/** Whether a value is a `Uint8Array`, of whatever realm. */
export function isOctets(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array || (ArrayBuffer.isView(value) && Object.prototype.toString.call(value) === '[object Uint8Array]');
}
