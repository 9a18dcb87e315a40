const LF = 0x0a;

/**
 * Cuts a body, as it arrived in chunks, into pieces that end behind an LF, the last one maybe not. Only a line that lies in
 * several chunks is copied. A piece therefore never ends inside a character of UTF-8 that is whole in the body.
 */
export function lineSegments(chunks: readonly Uint8Array[]): Buffer[] {
  const segments: Buffer[] = [];
  let open: Buffer[] = [];
  for (const chunk of chunks) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const first = bytes.indexOf(LF);
    if (first < 0) {
      if (bytes.length > 0) open.push(bytes);
      continue;
    }
    const start = open.length === 0 ? 0 : first + 1;
    if (start > 0) segments.push(Buffer.concat([...open, bytes.subarray(0, start)]));
    const end = bytes.lastIndexOf(LF) + 1;
    if (end > start) segments.push(bytes.subarray(start, end));
    open = end < bytes.length ? [bytes.subarray(end)] : [];
  }
  if (open.length > 0) segments.push(joinChunks(open));
  return segments;
}

/** The bytes of a body in one piece. */
export function joinChunks(chunks: readonly Uint8Array[]): Buffer {
  const [only] = chunks;
  if (only !== undefined && chunks.length === 1) return Buffer.from(only.buffer, only.byteOffset, only.byteLength);
  return Buffer.concat(chunks);
}
