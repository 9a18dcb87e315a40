import { createHash } from 'node:crypto';

import { JsonlWriteError } from './errors.js';

/** Longest encoded name, in characters. A longer one becomes a hash: file systems take 255, and names of rotated files add 40. */
export const MAX_NAME_LENGTH = 160;

const LITERAL = /^[A-Za-z0-9._-]$/;
/** Names that are devices on Windows, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9]|conin\$|conout\$)(?=\.|$)/i;
const LONE_SURROGATE = /\p{Surrogate}/u;
const CASE_MARK = '%=';
const HASH_MARK = '%+';

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * A name for a file or folder from an untrusted id (AEP-0003 §9.6). Different ids have different names, also where the file
 * system ignores case or normalises Unicode:
 *
 * - `A-Z a-z 0-9 _ -` and `.` stand for themselves; everything else is percent-encoded as UTF-8, in lower-case hex. So are
 *   a `.` or `-` in front, a `.` at the end, and the first letter of a name that is a device on Windows.
 * - A name with capitals ends in `%=` and hex digits that say which letters are capitals: four letters to a digit, the
 *   first one counting 1. `claude` stays as it is, `Claude` becomes `Claude%=1`.
 * - Where that is longer than {@link MAX_NAME_LENGTH} characters, the name is `%+` and the SHA-256 of the id in hex, and
 *   the id is to be read from the Events.
 *
 * Throws {@link JsonlWriteError} `invalid-name` for an empty id and for half of a surrogate pair.
 */
export function encodeName(id: string): string {
  if (id === '') throw new JsonlWriteError('invalid-name', 'an empty id has no file name');
  if (LONE_SURROGATE.test(id)) throw new JsonlWriteError('invalid-name', 'the id holds half of a surrogate pair');
  if (id.length > MAX_NAME_LENGTH) return hashed(id);
  const device = DEVICE.test(id);
  let name = '';
  for (let at = 0; at < id.length; ) {
    const char = String.fromCodePoint(id.codePointAt(at) ?? 0);
    const first = at === 0;
    at += char.length;
    const literal = LITERAL.test(char) && !(first && (device || char === '-' || char === '.')) && !(char === '.' && at === id.length);
    name += literal ? char : percent(char);
  }
  name += caseMark(name);
  return name.length > MAX_NAME_LENGTH ? hashed(id) : name;
}

/** The id that {@link encodeName} gave this name; `undefined` for a hash and for every name that it does not give. */
export function decodeName(name: string): string | undefined {
  const mark = name.lastIndexOf(CASE_MARK);
  const escaped = mark < 0 ? name : name.slice(0, mark);
  const bytes: number[] = [];
  for (let at = 0; at < escaped.length; at += 1) {
    const char = escaped.charAt(at);
    if (char !== '%') {
      bytes.push(char.charCodeAt(0) & 0xff);
      continue;
    }
    const hex = escaped.slice(at + 1, at + 3);
    if (!/^[0-9a-f]{2}$/.test(hex)) return undefined;
    bytes.push(Number.parseInt(hex, 16));
    at += 2;
  }
  try {
    const id = decoder.decode(Uint8Array.from(bytes));
    // One id, one name: whatever is spelled otherwise is not ours.
    return id !== '' && encodeName(id) === name ? id : undefined;
  } catch {
    return undefined;
  }
}

function percent(char: string): string {
  return Array.from(encoder.encode(char), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}

/** Which of the letters that stand for themselves are capitals; nothing where none is. */
function caseMark(name: string): string {
  const letters = name.replace(/%[0-9a-f]{2}/g, '').replace(/[^A-Za-z]/g, '');
  let digits = '';
  for (let at = 0; at < letters.length; at += 4) {
    let digit = 0;
    for (let bit = 0; bit < 4; bit += 1) if (/[A-Z]/.test(letters.charAt(at + bit))) digit |= 1 << bit;
    digits += digit.toString(16);
  }
  const mask = digits.replace(/0+$/, '');
  return mask === '' ? '' : `${CASE_MARK}${mask}`;
}

function hashed(id: string): string {
  return `${HASH_MARK}${createHash('sha256').update(id, 'utf8').digest('hex')}`;
}
