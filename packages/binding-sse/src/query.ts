import { RequestRefused } from './refusal.js';

/** The parameters of `GET /stream` (AEP-0003 §3.3). */
export type StreamParameter = 'filter' | 'capture' | 'from' | 'live' | 'access_token';

const NAMES: ReadonlySet<string> = new Set<StreamParameter>(['filter', 'capture', 'from', 'live', 'access_token']);

/**
 * Reads the query string of a URL. Unknown parameters are ignored; a known one that comes twice or does not decode is
 * refused: guessing could widen what is delivered. `URLSearchParams` would replace bad UTF-8 in silence.
 */
export function parseQuery(url: string, maxChars: number): ReadonlyMap<StreamParameter, string> {
  const values = new Map<StreamParameter, string>();
  const start = url.indexOf('?');
  if (start < 0) return values;
  const hash = url.indexOf('#', start);
  const query = url.slice(start + 1, hash < 0 ? undefined : hash);
  if (query.length > maxChars) throw new RequestRefused(400, 'limit-exceeded', `The query string is longer than ${maxChars} characters.`);
  for (const pair of query.split('&')) {
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    if (!isParameter(name)) continue;
    if (values.has(name)) throw new RequestRefused(400, 'invalid-filter', `The parameter ${name} is given more than once.`);
    const value = decode(equals < 0 ? '' : pair.slice(equals + 1));
    if (value === undefined) throw new RequestRefused(400, 'invalid-filter', `The parameter ${name} is not percent-encoded UTF-8.`);
    values.set(name, value);
  }
  return values;
}

function isParameter(name: string | undefined): name is StreamParameter {
  return name !== undefined && NAMES.has(name);
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
