import { type AepEvent, canonicalJson, captureOf, captureRank, type WireEvent } from '@aepkit/envelope';
import { gate } from '@aepkit/taxonomy';

/**
 * Whether two copies of one `(source, id)` are one request, of which a hop may have cut something. Anybody who may emit can send another
 * text under the identity of a request, and what is answered to the one would be an answer to the other.
 */
export function isSameRequest(one: WireEvent, other: WireEvent): boolean {
  if (one.json === other.json) return true;
  const level = captureOf(captureRank(captureOf(one.event)) < captureRank(captureOf(other.event)) ? one.event : other.event);
  return saidBy(gate(one, level).event) === saidBy(gate(other, level).event);
}

/** What is shown of a request, and what an answer to it is made of. */
function saidBy({ session, run, agent, subject, data }: AepEvent): string {
  return canonicalJson([session ?? null, run ?? null, agent, subject ?? null, data ?? null]);
}
