import { setTimeout as sleep } from 'node:timers/promises';

import { discover as discoverEndpoint, DiscoverError, type Discovery } from '@aepkit/binding-http/client';
import type { SavedPosition } from '@aepkit/binding-sse/client';
import { type EndpointLog, readChain } from '@aepkit/endpoint';
import { SUPPORTED_VERSIONS } from '@aepkit/envelope';
import type { Hub } from '@aepkit/hub';

import { closesRing, type Draws } from './draws.js';
import { type LinkIntake, linkIntake } from './link-intake.js';
import { type LinkItem, type LinkSource, type LinkSourceOptions, openLinkSource } from './link-source.js';
import type { Upstream } from './upstream.js';

/** Shortest wait before an upstream is tried again, in milliseconds. */
export const DEFAULT_MIN_BACKOFF_MS = 250;
/** Longest wait before an upstream is tried again, in milliseconds. */
export const DEFAULT_MAX_BACKOFF_MS = 15_000;
/** How often it is looked at whom an upstream draws from, in milliseconds: another link may close a ring far away. */
export const DEFAULT_RECHECK_MS = 10_000;
/** How soon it is looked again where that has just changed, in milliseconds: others that have seen it change too. */
const RECHECK_SOON_MS = 500;
/** Sessions of an upstream whose place is remembered: of the others, a replay brings what was had again. */
export const DEFAULT_MAX_SESSIONS = 10_000;
/** Events sent again that make a ring likely enough to look at once. */
const SUSPICIOUS = 64;
/** Gaps of one connection that are logged one by one: an upstream can tell of any number. */
const MAX_GAPS_LOGGED = 20;
/** How often it is looked at because of these at most, in milliseconds. */
const SUSPICION_MS = 1000;

/** How a link is. `refused`: by the upstream, or by this side, since it cannot be used as it is. */
export type LinkState = 'connecting' | 'open' | 'refused';

/** A link that draws from an upstream until it is closed. */
export interface Link {
  readonly upstream: string;
  readonly state: LinkState;
  close(): Promise<void>;
}

/** What {@link startLink} takes. */
export interface LinkOptions {
  readonly upstream: Upstream;
  readonly hub: Pick<Hub, 'ingest' | 'missed'>;
  readonly draws: Draws;
  readonly log: EndpointLog;
  /** Default {@link DEFAULT_MIN_BACKOFF_MS}. */
  readonly minBackoffMs?: number;
  /** Default {@link DEFAULT_MAX_BACKOFF_MS}. */
  readonly maxBackoffMs?: number;
  /** Default {@link DEFAULT_RECHECK_MS}. */
  readonly recheckMs?: number;
  /** Default {@link DEFAULT_MAX_SESSIONS}. */
  readonly maxSessions?: number;
  /** Default: that of `@aepkit/binding-http/client`. */
  readonly discover?: typeof discoverEndpoint;
  /** Default {@link openLinkSource}. */
  readonly open?: (options: LinkSourceOptions) => LinkSource;
  /** A number from 0 up to 1, for jitter. Default `Math.random`. */
  readonly random?: () => number;
  /** Default `performance.now`. */
  readonly now?: () => number;
}

/** An upstream cannot be drawn from as it is. The message says why, for people. */
class LinkRefused extends Error {}

/**
 * Draws from an upstream for as long as the relay runs: everything it holds, then what comes, as a consumer. It comes back after each break
 * and resumes everything; what it cannot get any more counts as evicted here (O-98). A link that would close a ring is not opened, and one
 * that turns out to is cut: redelivery passes every hop, so that its Events would never come to rest.
 */
export function startLink(options: LinkOptions): Link {
  const { upstream, hub, log, minBackoffMs = DEFAULT_MIN_BACKOFF_MS, maxBackoffMs = DEFAULT_MAX_BACKOFF_MS, maxSessions = DEFAULT_MAX_SESSIONS, random = Math.random } = options;
  const stop = new AbortController();
  const intake = linkIntake({ hub, log, upstream: upstream.url });
  let positions: readonly SavedPosition[] = [];
  let state: LinkState = 'connecting';
  /** What was logged last of a trouble: each attempt meets the same one. */
  let told: string | undefined;

  const attempt = async (): Promise<boolean> => {
    let opened = false;
    let source: LinkSource | undefined;
    try {
      const found = await look(options, stop.signal);
      source = (options.open ?? openLinkSource)({ upstream, found, id: options.draws.id, positions, minBackoffMs, maxBackoffMs, maxSessions });
      await read(options, {
        source,
        intake,
        signal: stop.signal,
        opened: () => {
          opened = true;
          state = 'open';
          told = undefined;
          log.info({ upstream: upstream.url }, 'drawing from upstream');
        },
        closed: (reason) => {
          state = 'connecting';
          log.warn({ upstream: upstream.url, reason }, 'the upstream is gone; it is tried again');
        },
      });
      state = 'connecting';
    } catch (error) {
      if (stop.signal.aborted) return opened;
      state = error instanceof LinkRefused ? 'refused' : 'connecting';
      const reason = error instanceof Error ? error.message : String(error);
      if (told !== reason) {
        if (state === 'refused') log.error({ upstream: upstream.url, reason }, 'this upstream cannot be drawn from; it is tried again');
        else log.warn({ upstream: upstream.url, reason }, 'the upstream does not answer; it is tried again');
      }
      told = reason;
    } finally {
      const read = source?.positions() ?? [];
      // A source that was not opened has read nothing, and knows nothing of those before.
      if (read.length > 0) positions = read;
    }
    return opened;
  };

  const run = async (): Promise<void> => {
    const ended = (): boolean => stop.signal.aborted;
    for (let failures = 0; !ended(); ) {
      failures = (await attempt()) ? 0 : failures + 1;
      if (ended()) break;
      const longest = Math.min(maxBackoffMs, minBackoffMs * 2 ** Math.min(failures, 16));
      await sleep(longest / 2 + (longest / 2) * random(), undefined, { signal: stop.signal }).catch(() => undefined);
    }
    options.draws.delete(upstream.url);
    await intake.flush();
  };

  const running = run();
  return {
    upstream: upstream.url,
    get state() {
      return state;
    },
    async close() {
      stop.abort();
      await running;
    },
  };
}

/**
 * Looks at an upstream, and enters whom it draws from ahead of anything else: of two that look at each other at the same moment, one at least
 * sees the other when it looks again.
 *
 * @throws LinkRefused, DiscoverError
 */
async function look({ upstream, draws, discover = discoverEndpoint }: LinkOptions, signal: AbortSignal): Promise<Discovery> {
  const found = await discover(new URL('events', upstream.url), { signal, ...(upstream.token === undefined ? {} : { token: upstream.token }) }).catch((error: unknown) => {
    if (error instanceof DiscoverError && error.code === 'unauthorized') throw new LinkRefused(`it wants another token (${error.message})`);
    throw error;
  });
  const chain = readChain(found.capabilities);
  if (chain === 'unreadable') throw new LinkRefused('what it says of the endpoints that it draws from cannot be read, and the link could close a ring');
  if (chain !== undefined && closesRing(draws.id, chain)) {
    draws.delete(upstream.url);
    throw new LinkRefused(chain.id === draws.id ? 'it is this relay itself' : 'the link would close a ring: that endpoint draws from this relay already');
  }
  if (!found.versions.some((version) => SUPPORTED_VERSIONS.includes(version))) throw new LinkRefused(`it speaks AEP ${found.versions.join(', ')}, and this relay ${SUPPORTED_VERSIONS.join(', ')}`);
  const { socket, stream } = found.endpoints;
  const away = [socket, stream].find((url) => url !== undefined && new URL(url.replace(/^ws/, 'http')).origin !== new URL(upstream.url).origin);
  // A token and what is read with it are for the host that was named, and its TLS.
  if (away !== undefined) throw new LinkRefused(`it sends its consumers elsewhere, to ${new URL(away).origin}: name that as the upstream`);
  if (chain !== undefined) draws.set(upstream.url, chain);
  return found;
}

interface Reading {
  readonly source: LinkSource;
  readonly intake: LinkIntake;
  readonly signal: AbortSignal;
  readonly opened: () => void;
  readonly closed: (reason: string) => void;
}

/** Reads until the source is over. @throws LinkRefused */
async function read(options: LinkOptions, { source, intake, signal, opened, closed }: Reading): Promise<void> {
  const { recheckMs = DEFAULT_RECHECK_MS, now = () => performance.now() } = options;
  let refused: LinkRefused | undefined;
  const leave = (): void => void source.close();
  let place = '';
  let pause = RECHECK_SOON_MS;
  /** Looks again; an upstream that does not answer now is what its stream makes of it. */
  const recheck = async (): Promise<void> => {
    try {
      const seen = JSON.stringify(readChain((await look(options, signal)).capabilities));
      // What links that were set up at one time know of each other goes round in as many steps as there are hops.
      pause = seen === place ? pause * 2 : RECHECK_SOON_MS;
      place = seen;
    } catch (error) {
      if (!(error instanceof LinkRefused)) return;
      refused = error;
      leave();
    }
  };
  let ended = false;
  let invalid = false;
  let gaps = 0;
  let again = 0;
  let looked = now();
  const suspect = (): void => {
    again++;
    if (again < SUSPICIOUS || now() - looked < SUSPICION_MS) return;
    again = 0;
    looked = now();
    void recheck();
  };
  signal.addEventListener('abort', leave);
  if (signal.aborted) leave();
  let timer: NodeJS.Timeout | undefined;
  const watch = (): void => {
    if (ended) return;
    timer = setTimeout(() => void recheck().then(watch), Math.min(pause, recheckMs)).unref();
  };
  watch();
  try {
    for await (const item of source) {
      switch (item.type) {
        case 'event': {
          if (item.redelivered === true) suspect();
          const room = intake.add(item.event);
          if (room !== undefined) await room;
          break;
        }
        case 'open':
          // Ahead of the first Event: the upstream may be another process than the one that was looked at.
          await recheck();
          gaps = 0;
          if (refused === undefined) opened();
          break;
        case 'gap':
          await gap(options, intake, item, (gaps += 1));
          break;
        case 'closed':
          closed([item.reason, item.detail].filter((part) => part !== undefined).join(': '));
          break;
        case 'refused':
          throw new LinkRefused(`it refuses: ${item.code}: ${item.detail}`.slice(0, 300));
        case 'invalid':
          // Once: there may be one with each Event.
          if (!invalid) options.log.warn({ upstream: options.upstream.url, code: item.code }, 'something came from upstream that is no Event');
          invalid = true;
          break;
        case 'exhausted':
          // The gap that follows says more.
          break;
      }
      if (refused !== undefined) break;
    }
    if (refused !== undefined) throw refused;
  } finally {
    ended = true;
    clearTimeout(timer);
    signal.removeEventListener('abort', leave);
    await source.close();
  }
}

async function gap({ log, upstream }: LinkOptions, intake: LinkIntake, { reason, session, earliest }: Extract<LinkItem, { type: 'gap' }>, count: number): Promise<void> {
  if (count <= MAX_GAPS_LOGGED) log.warn({ upstream: upstream.url, reason, session: session?.slice(0, 200), earliest }, 'Events are missing that the upstream no longer holds');
  if (count === MAX_GAPS_LOGGED) log.warn({ upstream: upstream.url }, 'there may be more of these; they are not told one by one');
  if (session !== undefined && earliest !== undefined) await intake.missed({ session, epoch: earliest.epoch, seq: earliest.seq });
}
