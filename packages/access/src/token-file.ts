import { AccessConfigError } from './errors.js';
import { SCOPES, type Scope } from './principal.js';
import type { TokenEntry } from './token-entry.js';
import { checkEntry, checkUnique } from './token-table.js';

/**
 * Reads a token file: one `name scopes token` per line, separated by blanks or tabs. `scopes` is a comma-separated list
 * of `emit`, `observe`, `control`, or `all`. `token` is the token, or `sha256:` and 64 hex digits. Empty lines and lines
 * that start with `#` are skipped. A byte-order mark and CRLF are tolerated.
 *
 * Parses text only: reading the file, and refusing one that others can read, is up to the program. The entries that
 * come back hold digests, never the tokens themselves.
 *
 * @throws AccessConfigError with the line: `invalid-line`, `invalid-name`, `invalid-scope`, `invalid-token`,
 * `duplicate-name`, `duplicate-token`, `too-many-tokens`.
 * @example
 * parseTokenFile('# who        what          secret\nlaptop-hooks emit          c3VwZXItc2VjcmV0LTE\n');
 */
export function parseTokenFile(text: string): TokenEntry[] {
  const entries: TokenEntry[] = [];
  const lines: number[] = [];
  for (const [index, raw] of text.replace(/^\uFEFF/, '').split(/\r?\n/).entries()) {
    const content = raw.trim();
    if (content === '' || content.startsWith('#')) continue;
    const line = index + 1;
    const place = `line ${line}`;
    const [name, scopes, token, ...rest] = content.split(/[ \t]+/);
    if (name === undefined || scopes === undefined || token === undefined || rest.length > 0) {
      throw new AccessConfigError('invalid-line', `${place}: expected "name scopes token"`, line);
    }
    const listed = scopes === 'all' ? SCOPES : (scopes.split(',') as Scope[]);
    entries.push(checkEntry({ name, token, scopes: listed }, place, line));
    lines.push(line);
  }
  checkUnique(entries, (index) => `line ${String(lines[index])}`, lines);
  return entries;
}
