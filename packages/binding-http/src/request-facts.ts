import type { RequestFacts } from '@aepkit/access';
import type { Context } from 'hono';

import { nodeIncoming } from './node-bindings.js';

const QUERY_TOKEN = /[?&]access_token=([^&#]*)/;

/** What `@aepkit/access` looks at. A header that came several times arrives joined, so that it is refused and not half read. */
export function requestFacts(c: Context): RequestFacts {
  const socket = nodeIncoming(c.env)?.socket;
  // No route here takes it; that it is there makes for a better refusal.
  const queryToken = QUERY_TOKEN.exec(c.req.url)?.[1];
  return {
    // HTTP/2 has `:authority` instead of Host; it is in the URL.
    header: (name) => c.req.header(name) ?? (name === 'host' ? new URL(c.req.url).host : undefined),
    encrypted: socket === undefined ? c.req.url.startsWith('https:') : 'encrypted' in socket && socket.encrypted === true,
    ...(socket?.remoteAddress === undefined ? {} : { remoteAddress: socket.remoteAddress }),
    ...(queryToken === undefined ? {} : { queryToken }),
  };
}
