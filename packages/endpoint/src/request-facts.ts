import type { IncomingMessage } from 'node:http';

import type { RequestFacts } from '@aepkit/access';
import type { Context } from 'hono';

/** The Node request under a Hono context. */
export function incomingOf(c: Context): IncomingMessage | undefined {
  const env: unknown = c.env;
  return typeof env === 'object' && env !== null && 'incoming' in env ? (env.incoming as IncomingMessage) : undefined;
}

/** What access decides on. A token in the URL is never taken on an endpoint's own routes. */
export function factsOf(c: Context): RequestFacts {
  const socket = incomingOf(c)?.socket;
  return {
    header: (name) => c.req.header(name),
    encrypted: socket === undefined ? c.req.url.startsWith('https:') : 'encrypted' in socket && socket.encrypted === true,
    ...(socket?.remoteAddress === undefined ? {} : { remoteAddress: socket.remoteAddress }),
  };
}
