// Dot-separated tokens of the type alphabet (AEP-0001 §6), then `.*`. The hyphen is that of vendor tokens.
const PATTERN = /^([a-z0-9_-]+(?:\.[a-z0-9_-]+)*)\.\*$/;

/** The `p` of a type pattern `p.*` (AEP-0003 §6.2.3); `undefined` for anything else, the bare `*` included. */
export function patternPrefix(text: string): string | undefined {
  return PATTERN.exec(text)?.[1];
}
