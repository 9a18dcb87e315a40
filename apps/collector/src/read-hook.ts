import type { Context } from 'hono';

import { RouteError } from './refusals.js';

/**
 * Reads the JSON of a hook call. Hooks are written by `JSON.stringify` of the agent, so the plain reading is the right one: a
 * lone surrogate in it is data for the adapter, which replaces it, and no reason to lose the call.
 *
 * @throws {@link RouteError} 413, 400.
 */
export async function readHook(c: Context, maxBytes: number): Promise<unknown> {
  const declared = Number(c.req.header('content-length') ?? 0);
  if (declared > maxBytes) throw tooLarge(maxBytes);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (c.req.raw.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new RouteError(400, 'invalid-payload', 'the body is not JSON in UTF-8');
  }
}

function tooLarge(maxBytes: number): RouteError {
  return new RouteError(413, 'too-large', `a hook call has at most ${maxBytes} bytes`, { connection: 'close' });
}
