/**
 * A JSON text without white space around it and without white space that holds CR or LF, every other character kept. The
 * text must be one that `JSON.parse` accepts: its strings then hold no raw CR or LF, so a run of white space with one lies
 * between tokens. Text that needs no change comes back as it is.
 */
export function oneLine(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isWhiteSpace(text.charCodeAt(start))) start += 1;
  while (end > start && isWhiteSpace(text.charCodeAt(end - 1))) end -= 1;
  const trimmed = end - start === text.length ? text : text.slice(start, end);
  return trimmed.includes('\n') || trimmed.includes('\r') ? joinLines(trimmed) : trimmed;
}

function joinLines(text: string): string {
  let joined = '';
  let kept = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (!isLineBreak(text.charCodeAt(at))) continue;
    let end = at;
    while (end > kept && isWhiteSpace(text.charCodeAt(end - 1))) end -= 1;
    joined += text.slice(kept, end);
    while (isWhiteSpace(text.charCodeAt(at + 1))) at += 1;
    kept = at + 1;
  }
  return joined + text.slice(kept);
}

function isLineBreak(unit: number): boolean {
  return unit === 10 || unit === 13;
}

function isWhiteSpace(unit: number): boolean {
  return unit === 32 || unit === 9 || unit === 10 || unit === 13;
}
