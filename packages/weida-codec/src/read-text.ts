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

function shortAscii(bytes: Uint8Array, from: number, to: number): string | undefined {
  let text = '';
  let at = from;
  for (; at + 4 <= to; at += 4) {
    const a = bytes[at] ?? 0;
    const b = bytes[at + 1] ?? 0;
    const c = bytes[at + 2] ?? 0;
    const d = bytes[at + 3] ?? 0;
    if ((a | b | c | d) > 0x7f) return undefined;
    text += String.fromCharCode(a, b, c, d);
  }
  for (; at < to; at++) {
    const a = bytes[at] ?? 0;
    if (a > 0x7f) return undefined;
    text += String.fromCharCode(a);
  }
  return text;
}
