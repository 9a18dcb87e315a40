import type { IncomingMessage } from 'node:http';

import type { RequestFacts } from '@aepkit/access';

import { UpgradeRefused } from './refuse-upgrade.js';

/** What access decides on, from the request of an upgrade. */
export function upgradeFacts(request: IncomingMessage, maxUrlChars: number): RequestFacts {
  const { socket } = request;
  const queryToken = queryTokenOf(request.url ?? '', maxUrlChars);
  return {
    // Joined, so that a header sent twice is refused and not half read.
    header: (name) => request.headersDistinct[name]?.join(', '),
    headerNames: Object.keys(request.headersDistinct),
    encrypted: 'encrypted' in socket && socket.encrypted === true,
    ...(socket.remoteAddress === undefined ? {} : { remoteAddress: socket.remoteAddress }),
    ...(queryToken === undefined ? {} : { queryToken }),
  };
}

/** `access_token` of the URL. One that comes twice or does not decode is refused: guessing could let in the wrong one. */
function queryTokenOf(url: string, maxUrlChars: number): string | undefined {
  if (url.length > maxUrlChars) throw new UpgradeRefused(414, 'invalid-request', `The URL is longer than ${String(maxUrlChars)} characters.`);
  const start = url.indexOf('?');
  if (start < 0) return undefined;
  const hash = url.indexOf('#', start);
  let token: string | undefined;
  for (const pair of url.slice(start + 1, hash < 0 ? undefined : hash).split('&')) {
    const equals = pair.indexOf('=');
    if (decode(equals < 0 ? pair : pair.slice(0, equals)) !== 'access_token') continue;
    if (token !== undefined) throw new UpgradeRefused(400, 'invalid-request', 'The parameter access_token is given more than once.');
    token = decode(equals < 0 ? '' : pair.slice(equals + 1));
    if (token === undefined) throw new UpgradeRefused(400, 'invalid-request', 'The parameter access_token is not percent-encoded UTF-8.');
  }
  return token;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
