import { parseJson, type JsonObject, type JsonValue } from '@aepkit/envelope';

import { boundedText } from './bounded-text.js';
import { deadline, GLOBAL_TIMERS, type ClientTimers } from './deadline.js';
import type { FetchLike } from './emitter-options.js';
import { DiscoverError } from './errors.js';
import { bearer, httpTarget } from './http-target.js';

/** Longest wait for a discovery document, in milliseconds, unless `timeoutMs` says otherwise. */
export const DEFAULT_DISCOVERY_TIMEOUT_MS = 10_000;
/** Largest discovery document, in bytes, unless `maxBytes` says otherwise: 1 MiB. */
export const DEFAULT_MAX_DISCOVERY_BYTES = 1_048_576;

/** Full URLs of what an endpoint offers; `socket` with `ws:` or `wss:`. */
export interface DiscoveredEndpoints {
  readonly events?: string;
  readonly stream?: string;
  readonly socket?: string;
}

/** A discovery document, read (AEP-0003 §3.4). */
export interface Discovery {
  /** Where it was found, behind redirects. */
  readonly url: string;
  /** Its `aep` member: the versions the endpoint speaks. */
  readonly versions: readonly string[];
  /** May name another origin than `url` does: look before you send a token there. */
  readonly endpoints: DiscoveredEndpoints;
  readonly role?: string;
  readonly capabilities?: JsonObject;
  /** The whole document, members unknown here included. */
  readonly document: JsonObject;
}

/** What {@link discover} takes besides the URL. */
export interface DiscoverOptions {
  /** For an endpoint that gates its document. */
  readonly token?: string;
  /** Default: the global `fetch`. */
  readonly fetch?: FetchLike;
  readonly signal?: AbortSignal;
  /** Longest wait, in milliseconds. `Infinity`: off. Default {@link DEFAULT_DISCOVERY_TIMEOUT_MS}. */
  readonly timeoutMs?: number;
  /** Largest document, in bytes. `Infinity`: off. Default {@link DEFAULT_MAX_DISCOVERY_BYTES}. */
  readonly maxBytes?: number;
  /** Default: the global timers. */
  readonly timers?: ClientTimers;
}

/**
 * Reads a discovery document, from `{base}/events` or `/.well-known/aep` (AEP-0003 §3.4). The references in `endpoints`
 * are resolved against the URL of the document. Members it does not know are left alone.
 *
 * Throws {@link DiscoverError}, and TypeError for a URL or token that cannot be used.
 *
 * @example
 * ```ts
 * const { endpoints } = await discover('http://127.0.0.1:4319/.well-known/aep');
 * ```
 */
export async function discover(url: string | URL, options: DiscoverOptions = {}): Promise<Discovery> {
  const target = httpTarget(url);
  const headers = { accept: 'application/json', ...bearer(options.token) };
  const fetch: FetchLike = options.fetch ?? ((input, init) => globalThis.fetch(input, init));
  const until = deadline(options.signal, options.timeoutMs ?? DEFAULT_DISCOVERY_TIMEOUT_MS, options.timers ?? GLOBAL_TIMERS);
  try {
    const response = await fetch(target, { method: 'GET', headers, signal: until.signal, credentials: 'omit' });
    if (response.status !== 200) {
      await response.body?.cancel();
      const code = response.status === 401 || response.status === 403 ? 'unauthorized' : 'not-found';
      throw new DiscoverError(code, `the endpoint answered ${String(response.status)}`, { status: response.status });
    }
    const text = await boundedText(response, options.maxBytes ?? DEFAULT_MAX_DISCOVERY_BYTES);
    if (text === undefined) throw invalid('is larger than allowed');
    return readDocument(text, response.url === '' ? target : response.url);
  } catch (cause) {
    if (cause instanceof DiscoverError) throw cause;
    if (options.signal?.aborted === true) throw new DiscoverError('aborted', 'the caller gave up', { cause: options.signal.reason });
    throw new DiscoverError('network', 'the endpoint did not answer', { cause });
  } finally {
    until.close();
  }
}

function readDocument(text: string, url: string): Discovery {
  const document = readJson(text);
  if (!isObject(document)) throw invalid('is not a JSON object');
  const { aep, endpoints, role, capabilities } = document;
  if (!Array.isArray(aep) || !aep.every((version): version is string => typeof version === 'string')) {
    throw invalid('has no aep that is an array of strings');
  }
  if (!isObject(endpoints)) throw invalid('has no endpoints that is an object');
  if (role !== undefined && typeof role !== 'string') throw invalid('has a role that is not a string');
  if (capabilities !== undefined && !isObject(capabilities)) throw invalid('has capabilities that are not an object');
  const events = resolve(endpoints, 'events', url);
  const stream = resolve(endpoints, 'stream', url);
  const socket = resolve(endpoints, 'socket', url);
  return {
    url,
    versions: aep,
    endpoints: {
      ...(events === undefined ? {} : { events }),
      ...(stream === undefined ? {} : { stream }),
      ...(socket === undefined ? {} : { socket: socket.replace(/^http/, 'ws') }),
    },
    ...(role === undefined ? {} : { role }),
    ...(capabilities === undefined ? {} : { capabilities }),
    document,
  };
}

function readJson(text: string): JsonValue {
  try {
    return parseJson(text, { maxBytes: Infinity });
  } catch (cause) {
    throw invalid('is not JSON', cause);
  }
}

function resolve(endpoints: JsonObject, name: 'events' | 'stream' | 'socket', url: string): string | undefined {
  const reference = Object.hasOwn(endpoints, name) ? endpoints[name] : undefined;
  if (reference === undefined) return undefined;
  if (typeof reference !== 'string' || !URL.canParse(reference, url)) throw invalid(`has an endpoints.${name} that is not a URL reference`);
  const { href, protocol } = new URL(reference, url);
  const allowed = name === 'socket' ? /^(?:https?|wss?):$/ : /^https?:$/;
  if (!allowed.test(protocol)) throw invalid(`has an endpoints.${name} with another scheme`);
  return href;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function invalid(says: string, cause?: unknown): DiscoverError {
  return new DiscoverError('invalid-document', `the discovery document ${says}`, { status: 200, ...(cause === undefined ? {} : { cause }) });
}
