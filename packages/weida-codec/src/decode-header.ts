import { CborReader } from './cbor-reader.js';
import { readCredit } from './credit-frame.js';
import { readCursor } from './cursor-frame.js';
import { readData } from './data-frame.js';
import { readError } from './error-frame.js';
import { type FrameKind } from './frame-kind.js';
import { type Frame } from './frame.js';
import { readHello } from './hello-frame.js';
import { checkOctets } from './octets.js';
import { readSubscription } from './subscription-frame.js';

const reader = new CborReader();

/**
 * Decodes the CBOR header of a frame whose kind is known: the octets behind the preamble, exactly. Octets are not kept.
 *
 * @param offset where in the stream the header begins, for {@link WeidaError.offset}; default 0.
 * @throws {@link WeidaError} for everything weida §5 and §6 refuse; `TypeError` for what is no `Uint8Array`, and no frame kind.
 */
export function decodeHeader(kind: FrameKind, header: Uint8Array, offset = 0): Frame {
  checkOctets(header);
  return readHeader(kind, header, 0, header.length, offset);
}

/** The same for `bytes[start..end)`. */
export function readHeader(kind: FrameKind, bytes: Uint8Array, start: number, end: number, offset: number): Frame {
  reader.open(bytes, start, end, offset);
  try {
    switch (kind) {
      case 'DATA':
        return readData(reader);
      case 'SUBSCRIBE':
        return readSubscription(reader, 'SUBSCRIBE');
      case 'UNSUBSCRIBE':
        return readSubscription(reader, 'UNSUBSCRIBE');
      case 'CREDIT':
        return readCredit(reader);
      case 'CURSOR':
        return readCursor(reader);
      case 'ERROR':
        return readError(reader);
      case 'HELLO':
        return readHello(reader);
      default:
        throw new TypeError('not a frame kind');
    }
  } finally {
    reader.close();
  }
}
