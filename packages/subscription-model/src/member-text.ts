const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Where the value of a member stands in a text. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * The text of one member of an object, as it is spelled. The text has to be an object that a strict parser took; of a name that is
 * written with escapes too, there is one.
 */
export function memberText(text: string, name: string): string | undefined {
  const span = spanOf(text, name);
  return span === undefined ? undefined : text.slice(span.start, span.end);
}

/** The text with the value of one member replaced, or with the member added at the end. The object is not empty. */
export function withMember(text: string, name: string, value: string): string {
  const span = spanOf(text, name);
  if (span !== undefined) return `${text.slice(0, span.start)}${value}${text.slice(span.end)}`;
  return `${text.slice(0, text.lastIndexOf('}'))},${JSON.stringify(name)}:${value}}`;
}

/** One line of the same JSON: line ends are white space there, since strings cannot hold any. */
export function onOneLine(text: string): string {
  return text.trim().replaceAll(/[\r\n]+/g, ' ');
}

function spanOf(text: string, name: string): Span | undefined {
  let depth = 0;
  let found = false;
  let nameNext = false;
  let start = -1;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) {
      const end = endOfString(text, at);
      if (depth === 1 && nameNext) {
        const raw = text.slice(at, end + 1);
        found = (raw.includes('\\') ? JSON.parse(raw) : raw.slice(1, -1)) === name;
        nameNext = false;
        start = -1;
      } else if (depth === 1 && start < 0) start = at;
      at = end;
    } else if (unit === 0x7b || unit === 0x5b) {
      if (depth === 1 && start < 0) start = at;
      depth += 1;
      if (depth === 1) nameNext = true;
    } else if (unit === 0x7d || unit === 0x5d) {
      if (depth === 1 && found) return { start, end: endOfValue(text, at) };
      depth -= 1;
    } else if (depth === 1 && unit === 0x2c) {
      if (found) return { start, end: endOfValue(text, at) };
      nameNext = true;
    } else if (depth === 1 && start < 0 && unit > 0x20 && unit !== 0x3a) start = at;
  }
  return undefined;
}

function endOfValue(text: string, before: number): number {
  let end = before;
  while (text.charCodeAt(end - 1) <= 0x20) end -= 1;
  return end;
}

/** Index of the quote that ends the string opened at `from`. */
function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let first = at;
    while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
    if ((at - first) % 2 === 0) return at;
  }
  return text.length;
}
