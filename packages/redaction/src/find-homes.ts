import { INK, WORD, isOf } from './characters.js';
import { endsPlaceholder } from './placeholder.js';
import type { TextWindow } from './text-window.js';

const GENERIC = /\/(?:home|Users)\/|[A-Za-z]:(?:[\\/]{1,8}|%5C|%2F)Users(?:[\\/]{1,8}|%5C|%2F)|\\\/(?:home|Users)\\\/|%2F(?:home|Users)%2F/gi;
const NAME_LIMIT = 128;
/** What a user's name does not hold. */
const ENDS = '/\\:"\'`<>|*?,;()[]{}!#$&=%';
const MOUNTS = ['/mnt/', '/', '/cygdrive/'];

/** Home folders that were configured, longest first, without a separator at their end. */
export type Homes = readonly string[];

export function homeList(homes: readonly string[]): Homes {
  const forms = new Set<string>();
  for (const home of homes) {
    let end = home.length;
    while (end > 1 && (home[end - 1] === '/' || home[end - 1] === '\\')) end -= 1;
    const bare = home.slice(0, end);
    if (bare.length < 2 || /^[A-Za-z]:$/.test(bare)) continue;
    for (const form of [bare, bare.replaceAll('\\', '\\\\'), bare.replaceAll('\\', '/'), bare.replaceAll('/', '\\/'), encodeURIComponent(bare.toWellFormed())]) forms.add(form);
  }
  return [...forms].sort((a, b) => b.length - a.length);
}

/** Home folders at path boundaries (AEP-0003 §9.4c), those of other people too. */
export function findHomes(window: TextWindow, homes: Homes): void {
  const { text } = window;
  for (const home of homes) {
    for (let at = text.indexOf(home); at >= 0; at = text.indexOf(home, at + home.length)) {
      if (startsPath(text, at) && endsName(text, at + home.length)) window.hit('home-path', at, at, at + home.length);
    }
  }
  for (const match of text.matchAll(GENERIC)) {
    const drive = match[0][1] === ':';
    if (!drive && /^.?\/?(?:HOME|USERS|users)/.test(match[0].replace(/%2F|\\/gi, '/').slice(1))) continue;
    let start = match.index;
    if (drive ? isOf(text, start - 1, WORD) || '\\/~]'.includes(text[start - 1] ?? ' ') : !startsPath(text, start)) {
      const mount = drive ? -1 : mountBefore(text, start);
      if (mount < 0) continue;
      start = mount;
    }
    const from = match.index + match[0].length;
    const end = nameEnd(window, from, drive || match[0].includes('Users'));
    if (end > from) window.hit('home-path', start, start, end);
  }
}

/** Neither a part of a longer path nor of a word. A placeholder in front is the rest of something longer. */
function startsPath(text: string, at: number): boolean {
  if (at === 0) return true;
  if (endsPlaceholder(text, at)) return false;
  const before = text.charAt(at - 1);
  if (before === '/' || before === '~' || before === '.' || before === '\\' || before === '%') {
    // file:///home/… has two slashes of its own in front.
    return before === '/' && text.startsWith('file://', at - 7);
  }
  return !isOf(text, at - 1, WORD) || /\\[nrt]$|%(?:3D|22|20|3A|2C)$/i.test(text.slice(Math.max(0, at - 3), at));
}

/** `/mnt/c/Users/…`, `/c/Users/…`, `/var/home/…`, `/export/home/…`: where the mount begins, or -1. */
function mountBefore(text: string, at: number): number {
  for (const root of ['/var', '/export', '/usr', '/data', '/srv', '/private', '/System/Volumes/Data', '/host', '/nfs']) {
    if (text.endsWith(root, at) && startsPath(text, at - root.length)) return at - root.length;
  }
  if (!/^\/[a-z]$/i.test(text.slice(at - 2, at))) return -1;
  for (const root of MOUNTS) {
    const start = at - 1 - root.length;
    if (text.slice(start, at - 1) === root && startsPath(text, start)) return start;
  }
  return -1;
}

function endsName(text: string, at: number): boolean {
  if (at >= text.length) return true;
  const next = text.charAt(at);
  if (next === '.') return !isOf(text, at + 1, WORD);
  return ENDS.includes(next) || !isOf(text, at, INK);
}

/** End of a user's name. One of Windows or macOS may have spaces, when its path goes on behind them. */
function nameEnd(window: TextWindow, from: number, spaces: boolean): number {
  const { text } = window;
  const limit = Math.min(text.length, from + NAME_LIMIT);
  let end = from;
  while (end < limit && isOf(text, end, INK) && !ENDS.includes(text.charAt(end))) end += 1;
  window.work += end - from;
  if (spaces && text[end] === ' ') {
    let far = end;
    while (far < Math.min(limit, end + 48) && (text[far] === ' ' || (isOf(text, far, INK) && !ENDS.includes(text.charAt(far))))) far += 1;
    if ((text[far] === '\\' || text[far] === '/') && text[far - 1] !== ' ' && /^[\p{L}\p{N} ._-]{1,64}$/u.test(text.slice(from, far)) && /^ \p{Lu}/u.test(text.slice(end, end + 3))) return far;
  }
  while (end > from + 1 && (text[end - 1] === '.' || text[end - 1] === '。')) end -= 1;
  return end;
}
