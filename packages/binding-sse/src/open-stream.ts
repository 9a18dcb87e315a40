import type { ResolvedConsumerOptions } from './consumer-options.js';
import { after } from './delay.js';
import { parseRetryAfter } from './retry.js';

/** What came of one request. */
export type Answer =
  | { readonly type: 'stream'; readonly body: ReadableStream<Uint8Array> }
  | { readonly type: 'refused'; readonly status: number; readonly code: string; readonly detail: string }
  | { readonly type: 'unavailable'; readonly status: number; readonly retryAfterMs: number | undefined }
  | { readonly type: 'no-answer'; readonly detail: string }
  | { readonly type: 'no-content' };

const MAX_ERROR_BYTES = 65_536;
const MAX_DETAIL_CHARS = 1_000;

/** Makes one request. `abort` ends it and the stream it opened. Never rejects. */
export async function openStream(options: ResolvedConsumerOptions, url: string, abort: AbortController): Promise<Answer> {
  const state = { late: false };
  const cancel = after(options.timers, options.connectTimeoutMs, () => {
    state.late = true;
    abort.abort();
  });
  try {
    const response = await options.fetch(url, { headers: options.headers, cache: 'no-store', signal: abort.signal });
    return await answerOf(response, options.now());
  } catch (thrown) {
    return { type: 'no-answer', detail: state.late ? 'No answer in time.' : reasonOf(thrown) };
  } finally {
    cancel();
  }
}

async function answerOf(response: Response, now: number): Promise<Answer> {
  const { status } = response;
  if (status === 204) return { type: 'no-content' };
  if (status === 429 || status === 408 || status === 425 || status >= 500) {
    const retryAfterMs = parseRetryAfter(response.headers.get('retry-after'), now);
    await response.body?.cancel();
    return { type: 'unavailable', status, retryAfterMs };
  }
  if (status !== 200) return { type: 'refused', status, ...(await refusalOf(response)) };
  const type = response.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'text/event-stream' || response.body === null) {
    await response.body?.cancel();
    return { type: 'refused', status, code: 'not-an-event-stream', detail: 'The answer is no text/event-stream.' };
  }
  return { type: 'stream', body: response.body };
}

async function refusalOf(response: Response): Promise<{ code: string; detail: string }> {
  const value = await bodyOf(response);
  const member = (name: 'error' | 'detail'): string | undefined => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    const text = (value as Record<typeof name, unknown>)[name];
    return typeof text === 'string' ? text.slice(0, MAX_DETAIL_CHARS) : undefined;
  };
  return { code: member('error') ?? 'refused', detail: member('detail') ?? `The endpoint answered ${response.status}.` };
}

/** The JSON of a small body; anything else is `undefined`. */
async function bodyOf(response: Response): Promise<unknown> {
  if (response.body === null) return undefined;
  const utf8 = new TextDecoder();
  let text = '';
  let bytes = 0;
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    bytes += read.value.byteLength;
    if (bytes > MAX_ERROR_BYTES) {
      await reader.cancel();
      return undefined;
    }
    text += utf8.decode(read.value, { stream: true });
  }
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Never the URL: it may hold a token. */
function reasonOf(thrown: unknown): string {
  const cause = thrown instanceof Error ? thrown.cause : undefined;
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? code : 'No connection.';
}
