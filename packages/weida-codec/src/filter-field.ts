import { type CborReader } from './cbor-reader.js';
import { type CborWriter } from './cbor-writer.js';
import { filterIssue } from './filter-issue.js';
import { CAP, invalidField, writeText } from './header-fields.js';
import { utf8Length } from './utf8.js';

/** Reads a topic filter and checks its grammar (weida §6.4). */
export function readFilter(reader: CborReader): string {
  const filter = reader.text(CAP.filter);
  const issue = filterIssue(filter);
  if (issue !== undefined) {
    const at = reader.at - utf8Length(filter.slice(issue.index));
    return reader.failAt(at, issue.code, issue.clause, issue.detail);
  }
  return filter;
}

/** Writes a topic filter under key 1, or refuses it. */
export function writeFilter(writer: CborWriter, filter: unknown): void {
  writeText(writer, 1, 'filter', filter);
  const issue = filterIssue(String(filter));
  if (issue !== undefined) throw invalidField('filter', issue.clause, issue.detail);
}
