import { type CborReader } from './cbor-reader.js';
import { type CborWriter } from './cbor-writer.js';
import { CAP, writeText, writeUint } from './header-fields.js';
import { type Uint } from './uint.js';

/** Codes of ERROR frames (weida §6.3); a space of its own beside {@link APPLICATION_CODE}. */
export const ERROR_CODE: { readonly unknownEndpoint: 1; readonly rejected: 2; readonly unsupported: 3; readonly internal: 4; readonly noReply: 5 } = Object.freeze({ unknownEndpoint: 1, rejected: 2, unsupported: 3, internal: 4, noReply: 5 });

/** ERROR, kind 2: takes the place of a reply (weida §6.3). */
export interface ErrorFrame {
  readonly kind: 'ERROR';
  /** One of {@link ERROR_CODE}; any other fails the exchange all the same. */
  readonly code: Uint;
  /** For people, never for a machine; at most 1024 octets. */
  readonly message?: string | undefined;
}

/** Reads the header of an ERROR. */
export function readError(reader: CborReader): ErrorFrame {
  const start = reader.at;
  let code: Uint | undefined;
  let message: string | undefined;
  let key: Uint = -1;
  for (let left = reader.map(true); left > 0; left--) {
    key = reader.key(key);
    if (key === 0) code = reader.uint();
    else if (key === 1) message = reader.text(CAP.message);
    else reader.skip();
  }
  reader.finish();
  if (code === undefined) return reader.failAt(start, 'missing-key', 'W-122', 'ERROR without key 0');
  return message === undefined ? { kind: 'ERROR', code } : { kind: 'ERROR', code, message };
}

/** Writes the header of an ERROR. */
export function writeError(writer: CborWriter, frame: ErrorFrame): void {
  const start = writer.map();
  writeUint(writer, 0, 'code', frame.code);
  if (frame.message !== undefined) writeText(writer, 1, 'message', frame.message);
  writer.endMap(start);
}
