// Controls (C0, DEL, C1), line and paragraph separators, and the marks that change the direction of text: an Event is written by
// somebody else, and a terminal obeys what it is shown.
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]/gu;

/** Makes foreign text safe to show on a terminal: what would control it is written as an escape. */
export function plain(text: string): string {
  return text.replace(UNSAFE, (char) => {
    const code = char.charCodeAt(0);
    return code < 256 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16)}`;
  });
}

/** Cuts a text to a width in characters, never inside one; what was cut shows as an ellipsis. */
export function clip(text: string, width: number): string {
  const characters = Array.from(text);
  return characters.length <= width ? text : `${characters.slice(0, Math.max(0, width - 1)).join('')}…`;
}

/** Colours, or the text as it is where colour is off. */
export interface Paint {
  dim(text: string): string;
  bold(text: string): string;
  yellow(text: string): string;
  red(text: string): string;
  green(text: string): string;
  cyan(text: string): string;
}

/** Colour only on a terminal, and not where `NO_COLOR` is set. */
export function painter(stream: { isTTY?: boolean }, env: Readonly<Record<string, string | undefined>> = process.env): Paint {
  const on = stream.isTTY === true && (env.NO_COLOR ?? '') === '';
  const style =
    (code: number, end: number) =>
    (text: string): string =>
      on ? `\u001b[${code}m${text}\u001b[${end}m` : text;
  return { dim: style(2, 22), bold: style(1, 22), yellow: style(33, 39), red: style(31, 39), green: style(32, 39), cyan: style(36, 39) };
}
