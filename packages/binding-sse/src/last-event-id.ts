import type { Position } from '@aepkit/envelope';

import { parseEventId } from './event-id.js';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads a `Last-Event-ID` header. `malformed` when there is one that names no position: the stream then goes live, since a
 * browser can neither repair the header nor recover from another status than 200 (AEP-0003 §3.3).
 */
export function readLastEventId(header: string | undefined): Position | 'malformed' | undefined {
  if (header === undefined || header === '') return undefined;
  return parseEventId(fromLatin1(header)) ?? 'malformed';
}

/** Browsers send UTF-8, HTTP stacks hand out one character per byte. */
function fromLatin1(header: string): string {
  if (!/[\u0080-\u00ff]/.test(header) || /[^\0-\u00ff]/.test(header)) return header;
  try {
    return utf8.decode(Uint8Array.from(header, (character) => character.charCodeAt(0)));
  } catch {
    return header;
  }
}
