import type { PathSegment } from './path.js';

/** What {@link inspectText} can find in a JSON text that `JSON.parse` takes. */
export interface TextFinding {
  readonly code: 'duplicate-member' | 'too-deep' | 'lone-surrogate';
  readonly path: readonly PathSegment[];
}

const QUOTE = 34;
const BACKSLASH = 92;

/**
 * Reads a JSON text token by token and reports the first fault that `JSON.parse` hides: a member named twice, a level too
 * many, half of a surrogate pair. `onNumber` gets every number as it is spelled, with its path; the path is only lent.
 *
 * The text must be one that `JSON.parse` accepts. Iterative, linear in the text, and needed only where the cheap proofs in
 * `parse-text.ts` do not decide.
 */
export function inspectText(
  text: string,
  maxDepth: number,
  onNumber?: (path: readonly PathSegment[], token: string) => void,
): TextFinding | undefined {
  const path: PathSegment[] = [];
  /** Per open container: the names seen so far, or null for an array. */
  const open: (Set<string> | null)[] = [];
  let names: Set<string> | null = null;
  let nameNext = false;
  let at = 0;

  while (at < text.length) {
    const unit = text.charCodeAt(at);
    switch (unit) {
      case 0x7b:
      case 0x5b: {
        if (open.length >= maxDepth) return { code: 'too-deep', path };
        names = unit === 0x7b ? new Set() : null;
        nameNext = names !== null;
        open.push(names);
        path.push(nameNext ? '' : 0);
        at += 1;
        break;
      }
      case 0x7d:
      case 0x5d:
        open.pop();
        path.pop();
        names = open.at(-1) ?? null;
        at += 1;
        break;
      case 0x2c:
        nameNext = names !== null;
        if (names === null) path[path.length - 1] = (path[path.length - 1] as number) + 1;
        at += 1;
        break;
      case QUOTE: {
        const end = endOfString(text, at);
        const raw = text.slice(at + 1, end);
        const value = raw.includes('\\') ? (JSON.parse(text.slice(at, end + 1)) as string) : raw;
        // Half a pair as a raw character and the other half as an escape make a pair only for this one reader.
        const broken = !value.isWellFormed() || !raw.isWellFormed();
        if (nameNext && names !== null) {
          path[path.length - 1] = value;
          if (names.has(value)) return { code: 'duplicate-member', path };
          names.add(value);
          nameNext = false;
        }
        if (broken) return { code: 'lone-surrogate', path };
        at = end + 1;
        break;
      }
      default:
        if (unit === 0x2d || isDigit(unit)) {
          const start = at;
          do at += 1;
          while (at < text.length && isNumberUnit(text.charCodeAt(at)));
          onNumber?.(path, text.slice(start, at));
        } else {
          at += 1;
        }
    }
  }
  return undefined;
}

/** Whether a text opens more levels than allowed. Takes any text, JSON or not. */
export function opensDeeperThan(text: string, maxDepth: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case 0x7b:
      case 0x5b:
        depth += 1;
        if (depth > maxDepth) return true;
        break;
      case 0x7d:
      case 0x5d:
        depth -= 1;
        break;
      case QUOTE:
        at = endOfString(text, at);
        break;
      default:
    }
  }
  return false;
}

/** Whether the quote at `at` has an odd number of backslashes in front, and so ends nothing. */
export function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (first > 0 && text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
  return (at - first) % 2 === 1;
}

/** Index of the quote that closes the string opened at `from`; the end of the text where none does. */
function endOfString(text: string, from: number): number {
  let at = text.indexOf('"', from + 1);
  while (at !== -1 && isEscaped(text, at)) at = text.indexOf('"', at + 1);
  return at === -1 ? text.length : at;
}

function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57;
}

function isNumberUnit(unit: number): boolean {
  return isDigit(unit) || unit === 0x2e || unit === 0x65 || unit === 0x45 || unit === 0x2b || unit === 0x2d;
}
