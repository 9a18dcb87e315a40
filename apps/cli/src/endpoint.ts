import { CliError, EXIT } from './exit-code.js';
import { say } from './stdout.js';

/** Where the commands that talk to a collector find it. */
export interface Endpoint {
  /** Base URL; ends in a slash. */
  readonly url: string;
  readonly token: string | undefined;
}

/** The endpoint of `--url` or `AEP_URL`, else this machine's collector; the token of `AEP_TOKEN`. */
export function endpointOf(given: string | undefined, env: Readonly<Record<string, string | undefined>> = process.env): Endpoint {
  const text = given ?? (env.AEP_URL === undefined || env.AEP_URL === '' ? 'http://127.0.0.1:8787' : env.AEP_URL);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) throw new CliError(`not an http or https URL: ${text}${meantUrl(text)}`, EXIT.usage);
  if (url.username !== '' || url.password !== '') throw new CliError('put the token into AEP_TOKEN, not into the URL', EXIT.usage);
  url.hash = '';
  url.search = '';
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  const token = env.AEP_TOKEN;
  return { url: url.href, token: token === undefined || token === '' ? undefined : token };
}

/** A host and a port alone are read as a scheme and a path. */
function meantUrl(text: string): string {
  return /^[\w.-]+:\d{1,5}(\/|$)/.test(text) ? `; did you mean http://${text}?` : '';
}

/** What to say when nobody answers under a URL. */
export function notReached(url: string, cause?: string): string {
  const tls = ofTls(cause);
  if (tls !== undefined) return `cannot reach ${url}: ${tls}`;
  return `cannot reach ${url}${cause === undefined ? '' : `: ${cause.replace(/\.+$/, '')}`}. Is the collector running? Start it with: aep collector`;
}

/** What codes of TLS mean to somebody at a terminal. */
export function ofTls(cause: string | undefined): string | undefined {
  return cause === undefined ? undefined : TLS_HINTS.find(([pattern]) => pattern.test(cause))?.[1];
}

const TLS_HINTS: readonly (readonly [RegExp, string])[] = [
  [/WRONG_VERSION_NUMBER/, 'it does not speak TLS; with http:// it may answer'],
  [/SELF_SIGNED_CERT|UNABLE_TO_(GET_ISSUER|VERIFY_LEAF)/, 'its certificate is not trusted on this machine; NODE_EXTRA_CA_CERTS names a file of those that are, too'],
  [/CERT_HAS_EXPIRED/, 'its certificate has expired'],
  [/ERR_TLS_CERT_ALTNAME_INVALID/, 'its certificate is for another host'],
];

/** How long nothing may happen before it is said what is waited for, in milliseconds. */
const SILENCE_MS = 1000;

/** Says what is waited for, unless the function it gives is called soon. */
export function sayWaiting(url: string): () => void {
  const timer = setTimeout(() => {
    say(`waiting for ${url}`);
  }, SILENCE_MS);
  return () => {
    clearTimeout(timer);
  };
}

/** Fetches JSON from the endpoint, or fails with what it said. `missing` is what an endpoint is told to be that has no such path. */
export async function fetchJson(endpoint: Endpoint, path: string, { missing, ...init }: RequestInit & { readonly missing?: string } = {}): Promise<unknown> {
  let response: Response;
  try {
    response = await fetch(new URL(path, endpoint.url), {
      ...init,
      redirect: 'error',
      headers: {
        accept: 'application/json',
        ...(endpoint.token === undefined ? {} : { authorization: `Bearer ${endpoint.token}` }),
        ...(init.headers as Record<string, string> | undefined),
      },
      signal: AbortSignal.timeout(30_000),
    });
  } catch (error) {
    throw new CliError(notReached(endpoint.url, causeOf(error)));
  }
  if (response.ok) return await response.json().catch(() => undefined);
  if (response.status === 404 && missing !== undefined) throw new CliError(`${endpoint.url} ${missing}: it is no collector, or an older one`);
  throw await refusalOf(endpoint, response);
}

/** What the endpoint said instead of giving what was asked for. */
export async function refusalOf({ url }: Endpoint, response: Response): Promise<CliError> {
  const body: unknown = await response.json().catch(() => undefined);
  return new CliError(`${url} answered ${response.status}: ${detailOf(body)}`);
}

function detailOf(body: unknown): string {
  if (typeof body !== 'object' || body === null) return 'no detail';
  const { error, detail } = body as { error?: unknown; detail?: unknown };
  return [error, detail].filter((part) => typeof part === 'string').join(': ');
}

/** Why a request came to nothing, for {@link notReached}; what `fetch` says of it is in its cause. */
export function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? error.cause : error;
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined;
  return code !== undefined && ofTls(code) !== undefined ? code : cause.message;
}
