import { bodyReader, type BodyReaderOptions, isBodyRefusal } from '@aepkit/binding-http/server';
import type { Context } from 'hono';

import { RouteError } from './refusals.js';

/** Reads the JSON of hook calls and hands it on. Rejects with {@link RouteError} 400, 408, 413, 415, 503 where there is none. */
export type HookReader = <T>(c: Context, use: (payload: unknown) => Promise<T>) => Promise<T>;

/**
 * Makes a {@link HookReader}. Hooks are written by `JSON.stringify` of the agent, so the plain reading is the right one: a
 * lone surrogate in it is data for the adapter, which replaces it, and no reason to lose the call.
 */
export function hookReader(options: BodyReaderOptions): HookReader {
  const bodies = bodyReader(options);
  return async (c, use) => {
    const taken = await bodies.take(c, async (bytes) => ({ of: await use(parse(bytes)) }));
    if (!isBodyRefusal(taken)) return taken.of;
    const { status, code = 'invalid-payload', detail, headers, retry } = taken;
    // What is left of the body is not waited for.
    throw new RouteError(status, ERRORS[code] ?? 'invalid-payload', detail, {
      connection: 'close',
      ...headers,
      ...(retry === true ? { 'retry-after': '1' } : {}),
    });
  };
}

/** The `error` member for the codes of a body that was not taken. */
const ERRORS: Readonly<Record<string, string>> = {
  'body-too-large': 'too-large',
  'body-timeout': 'timeout',
  'bodies-pending': 'overloaded',
  'unsupported-content-encoding': 'unsupported-content-encoding',
};

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new RouteError(400, 'invalid-payload', 'the body is not JSON in UTF-8');
  }
}
