// Controls (C0, DEL, C1), line and paragraph separators, the marks that change the direction of text, and characters that show as nothing,
// so that two words look like one: an Event is written by somebody else, and a terminal obeys what it is shown. What joins emoji stays.
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff\u{e0000}-\u{e007f}]/gu;

/** Makes foreign text safe to show on a terminal: what would control it is written as an escape. */
export function plain(text: string): string {
  return text.replace(UNSAFE, (char) => {
    const code = char.codePointAt(0) ?? 0;
    if (code > 0xffff) return `\\u{${code.toString(16)}}`;
    return code < 256 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
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
