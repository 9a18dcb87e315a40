import { isLoopbackHost } from '@aepkit/access';
import { EndpointError, readTokenFile } from '@aepkit/endpoint';

import type { RelayValues } from './settings.js';

/** An endpoint to draw from. */
export interface Upstream {
  /** Base URL; ends in a slash. */
  readonly url: string;
  readonly token: string | undefined;
}

type UpstreamValues = Pick<RelayValues, 'upstream' | 'upstream-token' | 'upstream-token-file'>;

const TOKEN = /^[A-Za-z0-9._~+/-]+=*$/;

/**
 * The endpoints to draw from, with the token for each.
 *
 * @throws EndpointError `upstream-unusable`, `token-file-unusable`
 */
export async function loadUpstreams(values: UpstreamValues): Promise<readonly Upstream[]> {
  const urls = values.upstream.map(baseUrl);
  const twice = urls.find((url, index) => urls.indexOf(url) !== index);
  if (twice !== undefined) throw unusable(`${twice} is given twice`);
  const file = values['upstream-token-file'];
  const tokens = new Map<string, string>();
  if (file !== undefined) for (const [url, token] of readLines(await readTokenFile(file), urls, file)) tokens.set(url, token);
  const token = values['upstream-token'];
  if (token !== undefined) {
    if (!TOKEN.test(token)) throw unusable('upstream-token has characters that no header can carry');
    const [only, ...others] = urls;
    if (only === undefined || others.length > 0) throw unusable('upstream-token is for one upstream: with several, put a line "URL token" for each into upstream-token-file');
    tokens.set(only, token);
  }
  return urls.map((url) => ({ url, token: tokens.get(url) }));
}

/** A host and a port alone are read as a scheme and a path. Nothing else is repeated: it may hold a password. */
function likeness(text: string): string {
  return /^[\w.-]+:\d{1,5}\/?$/.test(text) ? `; did you mean http://${text}?` : ', such as http://127.0.0.1:8787';
}

function baseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) throw unusable(`an upstream is an http or https URL${likeness(text)}`);
  if (url.username !== '' || url.password !== '') throw unusable('put the token for the upstream into upstream-token-file, not into the URL');
  // AEP-0003 §8.1: between machines TLS, always. What is on this one may be the near end of a tunnel.
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname)) throw unusable(`${url.host} is another machine: use https`);
  url.hash = '';
  url.search = '';
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url.href;
}

/** A token alone is for the only upstream. What stands in the file is never repeated: it may be a token in the wrong place. */
function* readLines(text: string, urls: readonly string[], file: string): Generator<[string, string]> {
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const place = `line ${index + 1} of ${file}`;
    const parts = line.trim().split(/[ \t]+/);
    const token = parts.pop() ?? '';
    if (!TOKEN.test(token) || parts.length > 1) throw unusable(`${place} is neither a token nor "URL token"`);
    const [named] = parts;
    if (named !== undefined) {
      const url = urls.find((each) => URL.canParse(named) && baseUrl(named) === each);
      if (url === undefined) throw unusable(`${place} is for an endpoint that is no upstream`);
      yield [url, token];
      continue;
    }
    const [only, ...others] = urls;
    if (only === undefined || others.length > 0) throw unusable(`${place}: with several upstreams, or none, a token needs its URL ahead of it`);
    yield [only, token];
  }
}

function unusable(message: string): EndpointError {
  return new EndpointError('upstream-unusable', message);
}
