import { retryAfterMs } from './back-off.js';
import { boundedText } from './bounded-text.js';
import { deadline } from './deadline.js';
import type { EmitterSettings } from './emitter-options.js';
import { AEP_VERSION } from '@aepkit/envelope';

/** What an endpoint said to one request. */
export interface Answer {
  readonly type: 'answer';
  readonly status: number;
  readonly retryAfterMs: number | undefined;
  readonly reason: string | undefined;
  readonly detail: string | undefined;
  readonly index: number | undefined;
  readonly versions: readonly string[] | undefined;
}

/** One request that got no answer. */
export interface Failure {
  readonly type: 'failure';
  readonly cause: unknown;
}

const MAX_ANSWER_BYTES = 65_536;
const MAX_TEXT_LENGTH = 1_000;

/** Makes one request. Never throws. */
export async function postBatch(
  body: Uint8Array<ArrayBuffer>,
  contentType: string,
  settings: EmitterSettings,
  signal: AbortSignal | undefined,
): Promise<Answer | Failure> {
  const until = deadline(signal, settings.requestTimeoutMs, settings.timers);
  try {
    const response = await settings.fetch(settings.url, {
      method: 'POST',
      headers: { 'content-type': contentType, 'aep-version': AEP_VERSION, ...settings.authorization },
      body,
      signal: until.signal,
      // A redirected POST becomes a GET, and its 200 would look like success.
      redirect: 'manual',
      credentials: 'omit',
    });
    // The status has said it all; an answer that breaks off in its body is an answer.
    const text = await boundedText(response, MAX_ANSWER_BYTES).catch(() => undefined);
    return {
      type: 'answer',
      status: response.status,
      retryAfterMs: retryAfterMs(response.headers.get('retry-after'), settings.now()),
      ...readBody(text, settings.scrub),
    };
  } catch (cause) {
    return { type: 'failure', cause };
  } finally {
    until.close();
  }
}

function readBody(text: string | undefined, scrub: (text: string) => string): Pick<Answer, 'reason' | 'detail' | 'index' | 'versions'> {
  const body = parse(text);
  const member = (name: string): unknown => (Object.hasOwn(body, name) ? (body as Record<string, unknown>)[name] : undefined);
  const short = (value: unknown): string | undefined => (typeof value === 'string' ? scrub(value).slice(0, MAX_TEXT_LENGTH) : undefined);
  const index = member('index');
  const versions = member('versions');
  return {
    reason: short(member('error')),
    detail: short(member('detail')),
    index: typeof index === 'number' && Number.isSafeInteger(index) && index >= 0 ? index : undefined,
    versions: Array.isArray(versions) ? versions.filter((version) => typeof version === 'string') : undefined,
  };
}

function parse(text: string | undefined): object {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
