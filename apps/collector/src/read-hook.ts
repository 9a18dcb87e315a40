import { bodyReader, type BodyReaderOptions, isBodyRefusal } from '@aepkit/binding-http/server';
import { RouteError } from '@aepkit/endpoint';
import type { Context } from 'hono';

/** Media type of records of hook calls: one a line. */
export const RECORDS_TYPE = 'application/x-ndjson';

/** The body of a request to the route of hooks. */
export type HookBody = { readonly payload: unknown } | { readonly records: readonly unknown[] };

/** Reads the body of hook calls and hands it on. Rejects with {@link RouteError} 400, 408, 413, 415, 503 where there is none. */
export type HookReader = <T>(c: Context, use: (body: HookBody) => Promise<T>) => Promise<T>;

/** Bounds of {@link hookReader}. */
export interface HookReaderOptions extends BodyReaderOptions {
  /** Most records of one request. */
  readonly maxRecords: number;
}

/**
 * Makes a {@link HookReader}. Hooks are written by `JSON.stringify` of the agent, so the plain reading is the right one: a
 * lone surrogate in it is data for the adapter, which replaces it, and no reason to lose the call. A shim that reads calls itself sends
 * records.
 */
export function hookReader({ maxRecords, ...options }: HookReaderOptions): HookReader {
  const bodies = bodyReader(options);
  return async (c, use) => {
    const type = mediaType(c);
    const isRecords = type === RECORDS_TYPE;
    // A web page may send text and forms anywhere without asking; these two types it may not.
    if (!isRecords && type !== 'application/json') {
      throw new RouteError(415, 'unsupported-media-type', `the body is a hook payload in application/json, or records in ${RECORDS_TYPE}`, { connection: 'close' });
    }
    const taken = await bodies.take(c, async (bytes) => ({ of: await use(isRecords ? { records: parseLines(bytes, maxRecords) } : { payload: parse(decode(bytes)) }) }));
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

function mediaType(c: Context): string {
  return (c.req.header('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new RouteError(400, 'invalid-payload', 'the body is not JSON in UTF-8');
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new RouteError(400, 'invalid-payload', 'the body is not JSON in UTF-8');
  }
}

/** A line that is no JSON is refused like one that is no record, and the others are taken. */
function parseLines(bytes: Uint8Array, max: number): unknown[] {
  const lines = decode(bytes).split('\n');
  if (lines.at(-1) === '') lines.pop();
  if (lines.length > max) throw new RouteError(413, 'too-large', `a request has at most ${max} records`);
  return lines.map((line): unknown => {
    try {
      return JSON.parse(line);
    } catch {
      return undefined;
    }
  });
}
