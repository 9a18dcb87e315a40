import { type CborReader } from './cbor-reader.js';
import { type CborWriter } from './cbor-writer.js';
import { invalidField, writeUint } from './header-fields.js';
import { type Uint } from './uint.js';

/** CURSOR, kind 6: the head of a stream of {@link CursorRecord}s about one payload (weida §6.7). */
export interface CursorFrame {
  readonly kind: 'CURSOR';
  /** The id that the DATA header allocated. */
  readonly reportId: Uint;
}

/** Reads the head of a CURSOR. */
export function readCursor(reader: CborReader): CursorFrame {
  const start = reader.at;
  let reportId: Uint | undefined;
  let key: Uint = -1;
  for (let left = reader.map(true); left > 0; left--) {
    key = reader.key(key);
    if (key === 0) reportId = reader.uint();
    else reader.skip();
  }
  reader.finish();
  if (reportId === undefined) return reader.failAt(start, 'missing-key', 'W-122', 'CURSOR without key 0');
  return { kind: 'CURSOR', reportId };
}

/** Writes the head of a CURSOR. */
export function writeCursor(writer: CborWriter, frame: CursorFrame): void {
  if (frame.reportId === 0 || frame.reportId === 0n) throw invalidField('reportId', 'W-242', '0 is never allocated');
  const start = writer.map();
  writeUint(writer, 0, 'reportId', frame.reportId);
  writer.endMap(start);
}
