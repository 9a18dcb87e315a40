const utf8 = new TextEncoder();
const CRLF = utf8.encode('\r\n');
/** From here on two writes more cost less than a copy that nobody else gets. */
const LARGE_BYTES = 16_384;

/** Chunks by the bytes in them; `asked`: only once so far. */
const made = new WeakMap<Uint8Array, readonly [Uint8Array] | 'asked'>();

/** What ends a chunked body. */
export const LAST_CHUNK: Uint8Array = utf8.encode('0\r\n\r\n');

/**
 * Frames bytes as one chunk of an HTTP/1.1 body (RFC 9112 §7.1), to be written one part behind the other. Streams that get the same bytes get the same
 * chunk, so that each is one write of one buffer; left to the server it would be three, made anew for every stream. The bytes of a replay go
 * to one stream only: the first that asks gets them as they are, between their size and their end.
 */
export function httpChunk(bytes: Uint8Array): readonly Uint8Array[] {
  const known = made.get(bytes);
  if (known !== undefined && known !== 'asked') return known;
  if (known === undefined && bytes.byteLength >= LARGE_BYTES) {
    made.set(bytes, 'asked');
    return [sizeOf(bytes), bytes, CRLF];
  }
  const chunk = [joined(sizeOf(bytes), bytes)] as const;
  made.set(bytes, chunk);
  return chunk;
}

function sizeOf(bytes: Uint8Array): Uint8Array {
  return utf8.encode(`${bytes.byteLength.toString(16)}\r\n`);
}

function joined(size: Uint8Array, bytes: Uint8Array): Uint8Array {
  const chunk = new Uint8Array(size.byteLength + bytes.byteLength + CRLF.byteLength);
  chunk.set(size);
  chunk.set(bytes, size.byteLength);
  chunk.set(CRLF, size.byteLength + bytes.byteLength);
  return chunk;
}
