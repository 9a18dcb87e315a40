import type { IncomingMessage } from 'node:http';

import type { RequestFacts } from '@aepkit/access';
import type { Context } from 'hono';

/** A request, as this package looks at it. */
export interface RequestView {
  readonly method: string;
  /** What `@aepkit/access` looks at. */
  readonly facts: RequestFacts;
  /** The value of a header, by lower-case name. One that came several times arrives joined, so that it is refused and not half read. */
  readonly header: (name: string) => string | undefined;
  /** The request as Node has it, where the app runs on `@hono/node-server` or the like. */
  readonly incoming: IncomingMessage | undefined;
  /** The web body. Throws TypeError where something has read it: its decoder may have replaced bad bytes in silence. */
  body(): ReadableStream<Uint8Array> | null;
}

const QUERY_TOKEN = /[?&]access_token=([^&#]*)/;
/** Of these, Node's `headers` holds the first and hides the others. */
const FIRST_ALONE: ReadonlySet<string> = new Set(['host', 'authorization', 'content-type']);

/** Makes a {@link RequestView}. */
export function requestView(c: Context): RequestView {
  const incoming = nodeIncoming(c.env);
  const header = headerReader(c, incoming);
  const { url } = c.req;
  // No route here takes it; that it is there makes for a better refusal.
  const queryToken = url.includes('access_token=') ? QUERY_TOKEN.exec(url)?.[1] : undefined;
  const socket = incoming?.socket;
  const facts: RequestFacts = {
    header,
    headerNames: incoming === undefined ? undefined : Object.keys(incoming.headers),
    queryToken,
    remoteAddress: socket?.remoteAddress,
    encrypted: socket === undefined ? url.startsWith('https:') : 'encrypted' in socket && socket.encrypted === true,
  };
  return { method: c.req.method, facts, header, incoming, body: () => unread(c) };
}

function nodeIncoming(env: unknown): IncomingMessage | undefined {
  if (typeof env !== 'object' || env === null || !('incoming' in env)) return undefined;
  const incoming = env.incoming as Partial<IncomingMessage> | null | undefined;
  return typeof incoming?.on === 'function' && typeof incoming.resume === 'function' ? (incoming as IncomingMessage) : undefined;
}

function headerReader(c: Context, incoming: IncomingMessage | undefined): (name: string) => string | undefined {
  if (incoming === undefined || incoming.httpVersionMajor >= 2) {
    // HTTP/2 has `:authority` instead of Host; it is in the URL.
    return (name) => c.req.header(name) ?? (name === 'host' ? new URL(c.req.url).host : undefined);
  }
  const { headers, rawHeaders } = incoming;
  return (name) => {
    const value = headers[name];
    if (typeof value !== 'string') return value?.join(', ') ?? (name === 'host' ? new URL(c.req.url).host : undefined);
    return FIRST_ALONE.has(name) ? joined(rawHeaders, name, value) : value;
  };
}

function joined(rawHeaders: readonly string[], name: string, first: string): string {
  let value: string | undefined;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const rawName = rawHeaders[at];
    if (rawName?.length !== name.length || rawName.toLowerCase() !== name) continue;
    value = value === undefined ? first : `${value}, ${rawHeaders[at + 1] ?? ''}`;
  }
  return value ?? first;
}

function unread(c: Context): ReadableStream<Uint8Array> | null {
  const { raw } = c.req;
  if (raw.bodyUsed || raw.body?.locked === true) throw new TypeError('something ahead of httpBinding has read the body');
  return raw.body;
}
