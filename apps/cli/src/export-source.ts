import { parseFilter, FilterError } from '@aepkit/attr-match';
import { JsonlReader } from '@aepkit/binding-jsonl/reader';
import { openData } from '@aepkit/collector/stored-events';
import type { WireEvent } from '@aepkit/envelope';

import { causeOf, type Endpoint, notReached, refusalOf } from './endpoint.js';
import { CliError, EXIT } from './exit-code.js';

/** Which Events to export. */
export interface Wanted {
  /** In attr-match. */
  readonly filter: string | undefined;
  /** Earliest `time`, in milliseconds since 1970. */
  readonly since: number | undefined;
  /** First `time` that is too late. */
  readonly until: number | undefined;
}

/** Events in the order of the log, a bounded piece at a time. */
export type Pages = AsyncGenerator<readonly WireEvent[], void, void>;

/** Longest page that is read: those of a collector end long before, unless an Event is as large as it allows. */
const MAX_PAGE_BYTES = 83_886_080;
const PAGE_TIMEOUT_MS = 120_000;

/** Everything that a collector keeps when it is asked for the first page. Whatever it sends is checked; what is not whole is an error. */
export async function* collectorPages(endpoint: Endpoint, { filter, since, until }: Wanted, signal: AbortSignal): Pages {
  let after = 0;
  let through: number | undefined;
  for (;;) {
    const url = new URL('export', endpoint.url);
    for (const [name, value] of Object.entries({ filter, since, until, after, through })) if (value !== undefined) url.searchParams.set(name, String(value));
    const { headers, events } = await fetchPage(endpoint, url, signal);
    const bound = markOf(endpoint, headers, 'aep-through');
    if (bound === undefined || (through !== undefined && bound !== through)) throw unexpected(endpoint, 'aep-through changes or is missing');
    through = bound;
    yield events;
    const next = markOf(endpoint, headers, 'aep-next');
    if (next === undefined) return;
    // Otherwise it could keep us busy for ever.
    if (next <= after || next > through) throw unexpected(endpoint, 'aep-next does not lead on');
    after = next;
  }
}

async function fetchPage(endpoint: Endpoint, url: URL, signal: AbortSignal): Promise<{ headers: Headers; events: readonly WireEvent[] }> {
  let response: Response;
  try {
    response = await fetch(url, {
      redirect: 'error',
      headers: { accept: 'application/x-ndjson', ...(endpoint.token === undefined ? {} : { authorization: `Bearer ${endpoint.token}` }) },
      signal: AbortSignal.any([signal, AbortSignal.timeout(PAGE_TIMEOUT_MS)]),
    });
  } catch (error) {
    throw new CliError(notReached(endpoint.url, causeOf(error)));
  }
  if (response.status === 404) throw new CliError(`${endpoint.url} has no export: it is no collector, or an older one`);
  if (!response.ok) throw await refusalOf(endpoint, response);
  if (response.status !== 200 || response.headers.get('content-type') !== 'application/x-ndjson') throw unexpected(endpoint, 'the answer is no list of Events');
  const events = await readPage(endpoint, response);
  if (response.headers.get('aep-count') !== String(events.length)) throw unexpected(endpoint, 'the answer did not come whole');
  return { headers: response.headers, events };
}

async function readPage(endpoint: Endpoint, response: Response): Promise<readonly WireEvent[]> {
  const reader = new JsonlReader({ maxLineBytes: Infinity });
  const events: WireEvent[] = [];
  let bytes = 0;
  try {
    for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      if (bytes > MAX_PAGE_BYTES) throw unexpected(endpoint, 'the answer is too long');
      for (const item of reader.push(chunk)) {
        if (item.type !== 'event') throw unexpected(endpoint, `the answer holds what is no Event (${item.type === 'bad' ? item.message : item.type})`);
        events.push(item.event);
      }
    }
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(`the connection to ${endpoint.url} broke: ${causeOf(error)}`);
  }
  if (reader.tail() !== undefined) throw unexpected(endpoint, 'the answer did not come whole');
  return events;
}

function markOf(endpoint: Endpoint, headers: Headers, name: string): number | undefined {
  const text = headers.get(name);
  if (text === null) return undefined;
  const mark = /^\d{1,16}$/.test(text) ? Number(text) : NaN;
  if (!Number.isSafeInteger(mark)) throw unexpected(endpoint, `${name} is no mark`);
  return mark;
}

function unexpected({ url }: Endpoint, what: string): CliError {
  return new CliError(`${url} cannot be exported: ${what}`);
}

/** Characters of Events in one piece. */
const PIECE_CHARS = 1_048_576;

/** Everything in a data folder, whether or not a collector runs on it. */
export async function* storedPages(folder: string, { filter, since, until }: Wanted): Pages {
  const matches = localFilter(filter);
  const stored = openData(folder);
  try {
    const through = stored.mark();
    let piece: WireEvent[] = [];
    let chars = 0;
    const range = { ...(since === undefined ? {} : { since }), ...(until === undefined ? {} : { until }) };
    for await (const event of stored.events(range)) {
      if (event.mark > through) break;
      if (!matches(event)) continue;
      piece.push(event);
      chars += event.json.length;
      if (chars < PIECE_CHARS) continue;
      yield piece;
      piece = [];
      chars = 0;
    }
    yield piece;
  } finally {
    stored.close();
  }
}

/** What a filter says of an Event here, without a collector that judges it. */
export function localFilter(text: string | undefined): (wire: WireEvent) => boolean {
  if (text === undefined) return () => true;
  try {
    const filter = parseFilter(text);
    return ({ event }) => filter.matches(event);
  } catch (error) {
    if (error instanceof FilterError) throw new CliError(`the filter is not valid: ${error.message}`, EXIT.usage);
    throw error;
  }
}
