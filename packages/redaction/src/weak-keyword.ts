import { LETTER, LOWER, isOf } from './characters.js';
import type { Name } from './find-assignments.js';
import { isBoundary } from './find-tokens.js';
import { endsPlaceholder } from './placeholder.js';
import { looksSecret, type Value } from './value-end.js';

const PLAIN = /^(?:true|false|yes|no|on|off|null|none|nil|undefined|all|any|ok|fail(?:ed)?|pass(?:ed)?|skip(?:ped)?|include|omit|same-origin|required|optional|string|str|bool(?:ean)?|\d{1,5}%?)$/i;

/**
 * Whether a value goes. Behind the names of AEP-0003 §9.4a and their like it always does; behind names that mean other things too,
 * it has to look like a secret.
 */
export function isConfirmed(text: string, name: Name, separator: string, value: Value): boolean {
  const { kind, start } = name;
  if (kind === 'secret' || kind === 'password' || kind === 'authorization') {
    if (!/s$/i.test(text.slice(start + name.word.length, name.end)) || kind === 'authorization') return true;
    const held = text.slice(value.start, Math.min(value.end, value.start + 4096));
    return kind === 'password' ? !PLAIN.test(held) : looksSecret(held, 6);
  }
  const whole = text.slice(value.start, Math.min(value.end, value.start + 4096));
  if (whole.includes('[REDACTED:')) return false;
  // A bracket may be that of a placeholder the next time.
  const held = /^[^[({]*/.exec(whole)?.[0] ?? '';
  const camel = isOf(text, start, LETTER) && !isOf(text, start, LOWER) && isOf(text, start - 1, LOWER);
  const escaped = text[start - 2] === '\\' && isBoundary(text, start) && !endsPlaceholder(text, start);
  const free = name.word.startsWith('_') || escaped || (!isOf(text, start - 1, LETTER) && !endsPlaceholder(text, start)) || camel;
  switch (kind) {
    case 'credential':
      return looksSecret(held, 6) && !PLAIN.test(held);
    case 'pass':
      if (!free || PLAIN.test(held)) return false;
      // `db_pass: aBcDeFgH` is none of the passes of a program.
      return separator.startsWith('=') || (value.quoted && name.quoted) || looksSecret(held, 6) || ((name.word.startsWith('_') || text[start - 1] === '_') && held.length >= 8 && /[a-z][A-Z]|[A-Z]{2}[a-z]/.test(held));
    case 'pwd':
      if (!free || /^(?:[~./\\$<{%]|[A-Za-z]:)/.test(held)) return false;
      return text[start - 1] === ';' || value.quoted || looksSecret(held, 4);
    case 'auth':
      if (!free || PLAIN.test(held)) return false;
      // A pair of name and password, as clients for HTTP take it.
      if (/^[([]\s?["'][^"']{1,64}["'],\s?["'][^"']{1,256}["'][)\]]?/.test(whole)) return true;
      return (text[start - 1] === '_' && separator.startsWith('=')) || encodesPair(held) || (held.length >= 20 && looksSecret(held, 20));
    case 'signature':
      return /[?&;]/.test(text[start - 1] ?? ' ') && held.length >= 20;
    case 'jwt':
      return free && looksSecret(held, 16);
    case 'key': {
      const upper = text.startsWith('KEY', start + 1) && !isOf(text, start - 1, LOWER);
      if (/^(?:foreign|primary|public|cache|sort|partition|object|dedupe|idempotency)/i.test(identifierBefore(text, start))) return false;
      return looksSecret(held, upper ? 16 : 20) && (upper || (/\d/.test(held) && /[a-z]/.test(held) && /[A-Z]/.test(held)));
    }
    default:
      return false;
  }
}

function identifierBefore(text: string, start: number): string {
  let from = start;
  while (from > start - 32 && /[A-Za-z]/.test(text[from - 1] ?? ' ')) from -= 1;
  return text.slice(from, start);
}

/** Base64 of `user:password`, as Docker and npm keep it. */
function encodesPair(held: string): boolean {
  if (!/^[A-Za-z0-9+/]{8,512}={0,2}$/.test(held)) return false;
  try {
    return /^[\x20-\x7e]{1,256}:[\x20-\x7e]{1,256}$/.test(atob(held));
  } catch {
    return false;
  }
}
