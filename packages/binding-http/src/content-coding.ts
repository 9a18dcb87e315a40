import { refuse, type Refusal } from './refusal.js';

/** A coding of a request body that is undone here. */
export type Coding = 'gzip' | 'deflate' | 'br';

const ACCEPTED = 'gzip, deflate, br';
const CODINGS: ReadonlyMap<string, Coding | undefined> = new Map([
  ['', undefined],
  ['identity', undefined],
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['deflate', 'deflate'],
  ['br', 'br'],
]);

/** Reads a `Content-Encoding` header. One coding at most: two of them would square what a small body can cost. */
export function contentCoding(header: string | null | undefined): Coding | Refusal | undefined {
  if (header === null || header === undefined) return undefined;
  const coding = header.trim().toLowerCase();
  if (CODINGS.has(coding)) return CODINGS.get(coding);
  return refuse(415, 'unsupported-content-encoding', `Content-Encoding is not one of ${ACCEPTED}`, {
    headers: { 'accept-encoding': ACCEPTED },
  });
}
