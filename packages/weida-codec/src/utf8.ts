/** Index of the first octet of `bytes[from..to)` that breaks UTF-8, or -1 (RFC 3629: no overlong form, no surrogate). */
export function invalidUtf8At(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  while (at < to) {
    const lead = bytes[at] ?? 0;
    if (lead < 0x80) {
      at++;
      continue;
    }
    const more = lead < 0xc2 ? 0 : lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : lead < 0xf5 ? 3 : 0;
    if (more === 0 || at + more >= to) return at;
    const second = bytes[at + 1] ?? 0;
    const least = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
    const most = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
    if (second < least || second > most) return at;
    for (let i = 2; i <= more; i++) if (((bytes[at + i] ?? 0) & 0xc0) !== 0x80) return at;
    at += more + 1;
  }
  return -1;
}

/** Octets of a text in UTF-8, or -1 where a surrogate stands alone and there is no encoding. */
export function utf8Length(text: string): number {
  let octets = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) octets += 1;
    else if (unit < 0x800) octets += 2;
    else if (unit < 0xd800 || unit > 0xdfff) octets += 3;
    else {
      const next = text.charCodeAt(i + 1);
      // Past the end `next` is NaN, and no comparison holds.
      if (unit > 0xdbff || !(next >= 0xdc00 && next <= 0xdfff)) return -1;
      octets += 4;
      i++;
    }
  }
  return octets;
}

/** Writes a well-formed text at `at`; gives the index behind it. */
export function writeUtf8(text: string, bytes: Uint8Array, at: number): number {
  for (let i = 0; i < text.length; i++) {
    const point = text.codePointAt(i) ?? 0;
    if (point < 0x80) bytes[at++] = point;
    else if (point < 0x800) {
      bytes[at++] = 0xc0 | (point >> 6);
      bytes[at++] = 0x80 | (point & 0x3f);
    } else {
      if (point < 0x1_0000) bytes[at++] = 0xe0 | (point >> 12);
      else {
        i++;
        bytes[at++] = 0xf0 | (point >> 18);
        bytes[at++] = 0x80 | ((point >> 12) & 0x3f);
      }
      bytes[at++] = 0x80 | ((point >> 6) & 0x3f);
      bytes[at++] = 0x80 | (point & 0x3f);
    }
  }
  return at;
}
