/**
 * The identity of an Event, `(source, id)`, as one string (AEP-0001 §7.4). Injective: two pairs give one key only if both
 * parts are equal, whatever characters they hold.
 *
 * @example
 * dedupeKey(a) === dedupeKey(b)   // the same Event, redelivered
 */
export function dedupeKey(event: { readonly source: string; readonly id: string }): string {
  // The length in front says where `source` ends; a separator could be part of either.
  return `${String(event.source.length)}:${event.source}${event.id}`;
}
