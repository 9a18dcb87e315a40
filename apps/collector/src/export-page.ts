import type { Filter } from '@aepkit/attr-match';
import type { StoredEvents } from '@aepkit/history';

/** Characters after which a page of an export ends. */
export const EXPORT_PAGE_CHARS = 1_048_576;
/** Events that one page looks at, wanted or not. */
export const EXPORT_PAGE_SCAN = 20_000;

/** Which Events, and from where. */
export interface ExportQuery {
  /** Mark of the last Event that was looked at; 0 for the first page. */
  readonly after: number;
  /** Mark of the last Event that belongs to the export. */
  readonly through: number;
  readonly filter?: Filter;
  /** Earliest `time`, in milliseconds since 1970. */
  readonly since?: number;
  /** First `time` that is too late, in milliseconds since 1970. */
  readonly until?: number;
}

/** One page. */
export interface ExportPage {
  /** Texts as they were received, in the order of the log. */
  readonly texts: readonly string[];
  /** `after` of the next page; `undefined`: this was the last one. */
  readonly next: number | undefined;
}

/**
 * Everything kept, a bounded piece at a time, in the order in which it was committed. That order is the one that survives: put
 * into an empty store in this order, Events come out in it again, and commands find the anchors they had.
 */
export async function exportPage(
  store: Pick<StoredEvents, 'events'>,
  { after, through, filter, since, until }: ExportQuery,
): Promise<ExportPage> {
  const texts: string[] = [];
  let chars = 0;
  let looked = 0;
  const query = { after, ...(since === undefined ? {} : { since }), ...(until === undefined ? {} : { until }) };
  for await (const stored of store.events(query)) {
    if (stored.mark > through) break;
    looked += 1;
    if (filter === undefined || filter.matches(stored.event)) {
      texts.push(stored.json);
      chars += stored.json.length;
    }
    if (stored.mark < through && (chars >= EXPORT_PAGE_CHARS || looked >= EXPORT_PAGE_SCAN)) return { texts, next: stored.mark };
  }
  return { texts, next: undefined };
}
