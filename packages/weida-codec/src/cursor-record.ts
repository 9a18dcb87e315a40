import { invalidField } from './header-fields.js';
import { isLevel } from './level.js';
import { isUint, type Uint } from './uint.js';
import { MAX_VARINT, writeVarint } from './varint.js';

/** What a CURSOR stream carries behind its head: a level, and how far the payload has reached it (weida §6.7). */
export interface CursorRecord {
  /** 0 to 5, or 16 and above. */
  readonly level: Uint;
  /** Octets of the payload, counted from its start. */
  readonly offset: Uint;
}

/**
 * The octets of a record: two QUIC varints, at most 16 octets.
 *
 * @throws {@link WeidaEncodeError} `invalid-field` for a level from 6 to 15 and for values above 2^62−1.
 */
export function encodeRecord(record: CursorRecord): Uint8Array {
  const { level, offset } = record;
  if (!isUint(level) || level > MAX_VARINT || !isLevel(level)) throw invalidField('level', 'W-343', 'not a level that a record can carry');
  if (!isUint(offset) || offset > MAX_VARINT) throw invalidField('offset', 'W-333', 'not an integer up to 2^62-1');
  const bytes = new Uint8Array(16);
  return bytes.slice(0, writeVarint(offset, bytes, writeVarint(level, bytes, 0)));
}
