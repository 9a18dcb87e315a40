import { type CborReader } from './cbor-reader.js';
import { type CborWriter } from './cbor-writer.js';
import { readFilter, writeFilter } from './filter-field.js';
import { CAP, missingKey, writeText } from './header-fields.js';
import { type Uint } from './uint.js';

/** SUBSCRIBE, kind 3, and UNSUBSCRIBE, kind 4: one header, two octets of kind (weida §6.4). */
export interface SubscriptionFrame<K extends 'SUBSCRIBE' | 'UNSUBSCRIBE' = 'SUBSCRIBE' | 'UNSUBSCRIBE'> {
  readonly kind: K;
  /** Path of the publisher or queue; at most 512 octets. */
  readonly endpoint: string;
  /** A topic filter, grammar checked; the empty one selects everything; at most 256 octets. */
  readonly filter: string;
}

/** Reads the header of a SUBSCRIBE or UNSUBSCRIBE. */
export function readSubscription<K extends 'SUBSCRIBE' | 'UNSUBSCRIBE'>(reader: CborReader, kind: K): SubscriptionFrame<K> {
  const start = reader.at;
  let endpoint = '';
  let filter = '';
  let seen = 0;
  let key: Uint = -1;
  for (let left = reader.map(true); left > 0; left--) {
    key = reader.key(key);
    if (key === 0) {
      endpoint = reader.text(CAP.endpoint);
      seen |= 1;
    } else if (key === 1) {
      filter = readFilter(reader);
      seen |= 2;
    } else reader.skip();
  }
  reader.finish();
  if (seen !== 3) return reader.failAt(start, 'missing-key', 'W-122', `${kind} without key ${missingKey(seen, 2)}`);
  return { kind, endpoint, filter };
}

/** Writes the header of a SUBSCRIBE or UNSUBSCRIBE. */
export function writeSubscription(writer: CborWriter, frame: SubscriptionFrame): void {
  const start = writer.map();
  writeText(writer, 0, 'endpoint', frame.endpoint);
  writeFilter(writer, frame.filter);
  writer.endMap(start);
}
