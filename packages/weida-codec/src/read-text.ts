/** Up to here characters are built one by one, which is faster than a call of the decoder. */
const SHORT = 24;

let decoder: { decode(bytes: Uint8Array): string } | undefined;

/** The text of `bytes[from..to)`, or `undefined` where it is no UTF-8. */
export function readText(bytes: Uint8Array, from: number, to: number): string | undefined {
  if (to - from <= SHORT) {
    const text = shortAscii(bytes, from, to);
    if (text !== undefined) return text;
  }
  // A byte order mark is text like any other: topics are compared octet by octet.
  decoder ??= new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  try {
    return decoder.decode(bytes.subarray(from, to));
  } catch {
    return undefined;
  }
}

/** Eight at a time: one call makes the whole text, or the next part of it. */
function shortAscii(bytes: Uint8Array, from: number, to: number): string | undefined {
  let text = '';
  for (let at = from; at < to; at += 8) {
    const part = asciiPart(bytes, at, to - at);
    if (part === undefined) return undefined;
    text = at === from ? part : text + part;
  }
  return text;
}

/** The text of up to eight octets. */
function asciiPart(bytes: Uint8Array, at: number, left: number): string | undefined {
  const a = bytes[at] ?? 0;
  if (left === 1) return a > 0x7f ? undefined : String.fromCharCode(a);
  const b = bytes[at + 1] ?? 0;
  if (left === 2) return (a | b) > 0x7f ? undefined : String.fromCharCode(a, b);
  const c = bytes[at + 2] ?? 0;
  if (left === 3) return (a | b | c) > 0x7f ? undefined : String.fromCharCode(a, b, c);
  const d = bytes[at + 3] ?? 0;
  if (left === 4) return (a | b | c | d) > 0x7f ? undefined : String.fromCharCode(a, b, c, d);
  const e = bytes[at + 4] ?? 0;
  const high = a | b | c | d | e;
  if (left === 5) return high > 0x7f ? undefined : String.fromCharCode(a, b, c, d, e);
  const f = bytes[at + 5] ?? 0;
  if (left === 6) return (high | f) > 0x7f ? undefined : String.fromCharCode(a, b, c, d, e, f);
  const g = bytes[at + 6] ?? 0;
  if (left === 7) return (high | f | g) > 0x7f ? undefined : String.fromCharCode(a, b, c, d, e, f, g);
  const h = bytes[at + 7] ?? 0;
  return (high | f | g | h) > 0x7f ? undefined : String.fromCharCode(a, b, c, d, e, f, g, h);
}
