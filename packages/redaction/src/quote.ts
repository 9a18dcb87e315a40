import type { TextWindow } from './text-window.js';

/** A quotation mark as it stands in the text: bare, behind backslashes, or encoded. */
export interface Quote {
  readonly mark: string;
  readonly backslashes: number;
  readonly encoded: boolean;
  /** Behind the mark. */
  readonly end: number;
}

const ENCODED = /%(?:25)?2[27]|&quot;|&apos;|&#(?:0?3[49]|x2[27]);|\\{1,4}u002[27]/iy;
const MARKS = '"\'`';
const MAX_BACKSLASHES = 32;

/** The quotation mark at `at`. */
export function quoteAt(text: string, at: number): Quote | undefined {
  const first = text[at];
  if (first === undefined) return undefined;
  if (MARKS.includes(first)) return { mark: first, backslashes: 0, encoded: false, end: at + 1 };
  if (first === '%' || first === '&' || first === '\\') {
    ENCODED.lastIndex = at;
    const found = ENCODED.exec(text);
    if (found !== null) return { mark: found[0], backslashes: 0, encoded: true, end: ENCODED.lastIndex };
  }
  if (first !== '\\') return undefined;
  let end = at + 1;
  while (end < at + MAX_BACKSLASHES && text[end] === '\\') end += 1;
  const mark = text[end];
  return mark !== undefined && MARKS.includes(mark) ? { mark, backslashes: end - at, encoded: false, end: end + 1 } : undefined;
}

/** Where the closing mark begins, or -1 when there is none before `limit`. */
export function closingAt(window: TextWindow, quote: Quote, limit: number): number {
  const { text } = window;
  const period = 2 * (quote.backslashes + 1);
  for (let at = window.next(quote.mark, quote.end); at >= 0 && at < limit; at = window.next(quote.mark, at + 1)) {
    window.work += 1;
    if (quote.encoded) return at;
    let slashes = 0;
    while (slashes < MAX_BACKSLASHES * 2 && at - slashes - 1 >= quote.end && text[at - slashes - 1] === '\\') slashes += 1;
    // A mark inside has a backslash more on its own level; a backslash at the end of the value stands there twice.
    if (slashes % period === quote.backslashes) return at - quote.backslashes;
    if (slashes < quote.backslashes) return at - slashes;
  }
  return -1;
}
