import type { WireEvent } from '@aepkit/envelope';

const SLAB_BYTES = 16_384;
/** Header of a server's frame with a payload of up to 125, 65,535 and more bytes (RFC 6455 §5.2): FIN, opcode text, no mask. */
const FIN_TEXT = 0x81;

const utf8 = new TextEncoder();
let slab = new Uint8Array(0);
let used = SLAB_BYTES;

/**
 * The bytes of one text message as a server sends it, frame header included: a server's frames carry no mask, so they are the
 * same for every peer.
 */
export function textFrame(text: string): Uint8Array {
  // Small texts share an allocation, which costs more than the encoding; few enough that one kept frame keeps little else.
  const room = text.length * 3 + 4;
  if (room > SLAB_BYTES / 2) return largeFrame(text);
  if (used + room > SLAB_BYTES) {
    slab = new Uint8Array(SLAB_BYTES);
    used = 0;
  }
  const body = used + 4;
  const length = utf8.encodeInto(text, slab.subarray(body)).written;
  const start = length < 126 ? body - 2 : body - 4;
  writeHeader(slab, start, length);
  used = body + length;
  return slab.subarray(start, used);
}

function largeFrame(text: string): Uint8Array {
  const length = Buffer.byteLength(text);
  const header = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const bytes = Buffer.allocUnsafeSlow(header + length);
  writeHeader(bytes, 0, length);
  bytes.write(text, header);
  return bytes;
}

function writeHeader(bytes: Uint8Array, at: number, length: number): void {
  bytes[at] = FIN_TEXT;
  if (length < 126) {
    bytes[at + 1] = length;
  } else if (length < 65_536) {
    bytes[at + 1] = 126;
    bytes[at + 2] = length >>> 8;
    bytes[at + 3] = length & 0xff;
  } else {
    bytes[at + 1] = 127;
    new DataView(bytes.buffer, bytes.byteOffset + at + 2, 8).setBigUint64(0, BigInt(length));
  }
}

/**
 * One Event as a text message. An `Encoder` of `@aepkit/hub`: made once per Event and ceiling, shared by all connections. The
 * text is the one received (AEP-0003 §2), of a command with its line breaks too (AEP-0004 §4.4).
 */
export function wsEncoder(wire: WireEvent): Uint8Array {
  return textFrame(wire.received ?? wire.json);
}
