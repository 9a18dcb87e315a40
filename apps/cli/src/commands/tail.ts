import { type PositionStore, SseConsumer, type SseItem } from '@aepkit/binding-sse/client';
import { type Capture, CAPTURES } from '@aepkit/envelope';

import { type Endpoint, endpointOf, notReached, ofTls, sayWaiting } from '../endpoint.js';
import { eventLine } from '../event-line.js';
import { CliError, EXIT } from '../exit-code.js';
import { type FilterFlags, filterOf } from '../filter-flags.js';
import { interruptible } from '../interrupt.js';
import { sayNothingShown } from '../nothing-shown.js';
import { defaultPositionFile, PositionFile } from '../position-file.js';
import { print, say } from '../stdout.js';
import { painter, plain } from '../terminal.js';

/** Options of `aep tail`. */
export interface TailOptions extends FilterFlags {
  readonly url?: string;
  readonly capture?: string;
  readonly json?: boolean;
  readonly live?: boolean;
  readonly follow?: boolean;
  readonly resume?: boolean;
  readonly state?: string;
  readonly count?: number;
  readonly fromStart?: boolean;
  readonly lines?: number;
}

/**
 * Shows Events: what is held that no run before has shown, then what comes. Positions are kept per collector and filter, so that the
 * next run goes on exactly behind the last Event shown.
 */
export async function tail(path: string | undefined, given: TailOptions): Promise<number> {
  const modes = [given.live, given.fromStart, given.lines !== undefined].filter((mode) => mode === true);
  if (modes.length > 1) throw new CliError('--live, --from-start and --lines say where to begin: give one', EXIT.usage);
  const isUrl = path !== undefined && /^https?:\/\//i.test(path);
  if (path !== undefined && given.url !== undefined) throw new CliError('give --url or a log, not both', EXIT.usage);
  if (path !== undefined && !isUrl) {
    const { tailLogs } = await import('./tail-logs.js');
    return await tailLogs(path, given, captureOf(given.capture));
  }
  if (given.lines !== undefined) throw new CliError('--lines is for a log; of a collector: --from-start, --live, or neither', EXIT.usage);
  return await tailCollector(isUrl ? { ...given, url: path } : given);
}

async function tailCollector(options: TailOptions): Promise<number> {
  const endpoint = endpointOf(options.url);
  const filter = filterOf(options);
  const capture = captureOf(options.capture);
  const keep = options.resume !== false && options.live !== true;
  const store = keep ? new PositionFile(options.state ?? defaultPositionFile(endpoint.url, filter)) : undefined;
  const known = options.fromStart === true ? 0 : ((await store?.load())?.length ?? 0);
  if (known > 0) say('going on where the last run stopped (--no-resume shows everything)');
  const consumerOf = (signal: AbortSignal): SseConsumer =>
    new SseConsumer({
      url: new URL('stream', endpoint.url),
      ...(endpoint.token === undefined ? {} : { token: endpoint.token }),
      ...(filter === undefined ? {} : { filter }),
      ...(capture === undefined ? {} : { capture }),
      ...(options.live === true ? {} : { from: 'all' as const }),
      live: options.follow !== false,
      // What was skipped on purpose must not come by a reconnect.
      resume: options.live === true ? 'positions' : 'all',
      ...(store === undefined ? {} : { positions: options.fromStart === true ? withoutPast(store) : store }),
      signal,
    });
  const answered = sayWaiting(endpoint.url);
  try {
    return await interruptible((signal) => {
      const nothing = (): void => {
        if (!signal.aborted) sayNothingShown({ filtered: filter !== undefined, resumed: known > 0 || options.live === true });
      };
      return show(consumerOf(signal), options, endpoint, { answered, nothing });
    });
  } finally {
    answered();
  }
}

/** Keeps positions, and knows none of before. */
function withoutPast(store: PositionFile): PositionStore {
  return { load: () => Promise.resolve([]), save: (changed) => store.save(changed) };
}

interface Sayings {
  /** The collector has answered. */
  readonly answered: () => void;
  /** It holds nothing to show. */
  readonly nothing: () => void;
}

async function show(consumer: SseConsumer, { json, count = Infinity, follow = true }: TailOptions, endpoint: Endpoint, tell: Sayings): Promise<number> {
  const paint = painter(process.stdout);
  let shown = 0;
  for await (const item of consumer) {
    tell.answered();
    if (item.type !== 'event') {
      if (notice(item, endpoint)) return EXIT.failure;
      // Who asked for what is held wants an answer, not a wait.
      if (!follow && item.type === 'closed' && item.retryInMs !== undefined) {
        throw new CliError(item.reason === 'no-answer' ? notReached(endpoint.url, item.detail) : 'the collector did not give everything it holds');
      }
      continue;
    }
    await print(json === true ? item.event.json : eventLine(item.event.event, paint));
    shown += 1;
    if (shown >= count) break;
  }
  if (shown === 0 && !follow) tell.nothing();
  return EXIT.ok;
}

/** Says what is not an Event, on standard error. Gives whether it is the end in failure. */
function notice(item: Exclude<SseItem, { type: 'event' }>, { url }: Endpoint): boolean {
  switch (item.type) {
    case 'open':
      return false;
    case 'exhausted':
      say(plain(`session ${item.session}: held from ${item.epoch}:${item.seq} on only`));
      return false;
    case 'gap':
      say(plain(`Events may be missing${item.session === undefined ? '' : ` in session ${item.session}`} (${item.reason})`));
      return false;
    case 'invalid':
      say(plain(`skipped what is no Event: ${item.code}: ${item.detail}`));
      return false;
    case 'closed':
      if (item.retryInMs !== undefined) {
        const what = item.reason === 'no-answer' ? `no answer from ${url}` : `stream closed (${item.reason})`;
        say(plain(`${what}${item.detail === undefined ? '' : `: ${ofTls(item.detail) ?? item.detail}`}, next attempt in ${Math.ceil(item.retryInMs / 1000)} s`));
      }
      return false;
    case 'refused':
      say(plain(`aep: refused with ${item.status}: ${item.code}: ${item.detail}`));
      return true;
  }
}

function captureOf(text: string | undefined): Capture | undefined {
  if (text === undefined) return undefined;
  const level = CAPTURES.find((candidate) => candidate === text);
  if (level === undefined) throw new CliError(`--capture is one of ${CAPTURES.join(', ')}`, EXIT.usage);
  return level;
}
