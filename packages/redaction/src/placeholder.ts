/** What stands for a secret. */
export const SECRET = '[REDACTED:secret]';
/** What stands for personal data. */
export const PII = '[REDACTED:pii]';
/** What stands for a home folder. */
export const HOME = '~';

/** End of the placeholder that begins at `at`, or -1. */
export function placeholderEnd(text: string, at: number): number {
  if (text.charCodeAt(at) !== 0x5b) return -1;
  if (text.startsWith(SECRET, at)) return at + SECRET.length;
  return text.startsWith(PII, at) ? at + PII.length : -1;
}

/** Whether a placeholder ends at `end`. */
export function endsPlaceholder(text: string, end: number): boolean {
  return text.charCodeAt(end - 1) === 0x5d && (text.endsWith(SECRET, end) || text.endsWith(PII, end));
}
