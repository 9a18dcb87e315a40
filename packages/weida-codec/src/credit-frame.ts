import { type CborReader } from './cbor-reader.js';
import { type CborWriter } from './cbor-writer.js';
import { readFilter, writeFilter } from './filter-field.js';
import { CAP, missingKey, writeText, writeUint } from './header-fields.js';
import { type Uint } from './uint.js';

/** CREDIT, kind 5: how many messages a subscription will take in all (weida §6.6). */
export interface CreditFrame {
  readonly kind: 'CREDIT';
  /** Path of the queue; at most 512 octets. */
  readonly endpoint: string;
  /** Filter of the subscription; empty is the whole queue; at most 256 octets. */
  readonly filter: string;
  /** Total since the subscription began, neither an increment nor a window; 2^64−1 is everything. */
  readonly limit: Uint;
}

/** Reads the header of a CREDIT. */
export function readCredit(reader: CborReader): CreditFrame {
  const start = reader.at;
  let endpoint = '';
  let filter = '';
  let limit: Uint = 0;
  let seen = 0;
  let key: Uint = -1;
  for (let left = reader.map(true); left > 0; left--) {
    key = reader.key(key);
    if (key < 3) seen |= 1 << Number(key);
    if (key === 0) endpoint = reader.text(CAP.endpoint);
    else if (key === 1) filter = readFilter(reader);
    else if (key === 2) limit = reader.uint();
    else reader.skip();
  }
  reader.finish();
  if (seen !== 7) return reader.failAt(start, 'missing-key', 'W-122', `CREDIT without key ${missingKey(seen, 3)}`);
  return { kind: 'CREDIT', endpoint, filter, limit };
}

/** Writes the header of a CREDIT. */
export function writeCredit(writer: CborWriter, frame: CreditFrame): void {
  const start = writer.map();
  writeText(writer, 0, 'endpoint', frame.endpoint);
  writeFilter(writer, frame.filter);
  writeUint(writer, 2, 'limit', frame.limit);
  writer.endMap(start);
}
