import { dedupeKey } from './dedupe-key.js';

/**
 * The identity of a session over several emitters, `(source, session)`, as one string (AEP-0001 §5.2). Injective.
 *
 * A command or `attention.routed` bears the `source` of its author, so the pair read off it names no session.
 */
export function sessionKey({ source, session }: { readonly source: string; readonly session: string }): string {
  return dedupeKey({ source, id: session });
}
