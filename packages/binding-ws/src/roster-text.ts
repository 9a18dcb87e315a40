import type { RosterEntry } from '@aepkit/hub';

import { exactJson } from './exact-json.js';
import { utf8Length } from './utf8-length.js';

/** The text of a roster reply (AEP-0003 §4.1), or `undefined` where it would pass `maxBytes`: a part of a roster would lie. */
export function rosterText(id: string, entries: readonly RosterEntry[], maxBytes: number): string | undefined {
  const head = `{"type":"roster","id":${JSON.stringify(id)},"entries":[`;
  const parts: string[] = [];
  let bytes = utf8Length(head) + 2;
  for (const { session, agent, instance, control, emits } of entries) {
    const part = exactJson({ session, agent, instance, control, emits });
    bytes += utf8Length(part) + (parts.length === 0 ? 0 : 1);
    if (bytes > maxBytes) return undefined;
    parts.push(part);
  }
  return `${head}${parts.join(',')}]}`;
}
