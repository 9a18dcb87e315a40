const CRLF = [13, 10] as const;
const made = new WeakMap<Uint8Array, Uint8Array>();

/** What ends a chunked body. */
export const LAST_CHUNK: Uint8Array = new TextEncoder().encode('0\r\n\r\n');

/**
 * Frames bytes as one chunk of an HTTP/1.1 body (RFC 9112 §7.1). Streams that get the same bytes get the same chunk, so that
 * each is one write of one buffer; left to the server it would be three, made anew for every stream.
 */
export function httpChunk(bytes: Uint8Array): Uint8Array {
  let chunk = made.get(bytes);
  if (chunk === undefined) {
    chunk = frame(bytes);
    made.set(bytes, chunk);
  }
  return chunk;
}

function frame(bytes: Uint8Array): Uint8Array {
  const size = bytes.byteLength.toString(16);
  const start = size.length + 2;
  const chunk = new Uint8Array(start + bytes.byteLength + 2);
  for (let index = 0; index < size.length; index += 1) chunk[index] = size.charCodeAt(index);
  chunk.set(CRLF, size.length);
  chunk.set(bytes, start);
  chunk.set(CRLF, start + bytes.byteLength);
  return chunk;
}
