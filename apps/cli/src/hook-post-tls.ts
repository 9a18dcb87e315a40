import { request } from 'node:https';

import type { HookAnswer } from './hook-post.js';

/** Posts over TLS, for which nothing may be left out: the library does it. */
export function postTls(url: URL, headers: Readonly<Record<string, string>>, body: Uint8Array, timeoutMs: number, wantSaid: boolean): Promise<HookAnswer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method: 'POST', agent: false, headers });
    const timer = setTimeout(() => {
      outgoing.destroy(new Error(`no answer from ${url.host} within ${timeoutMs} ms`));
    }, timeoutMs);
    const answer = (status: number, said: string): void => {
      clearTimeout(timer);
      outgoing.destroy();
      resolve({ status, said });
    };
    outgoing.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    outgoing.on('response', (response) => {
      const status = response.statusCode ?? 0;
      if (!wantSaid || (status >= 200 && status < 300)) {
        answer(status, '');
        return;
      }
      response.once('data', (said: Buffer) => {
        answer(status, said.toString('utf8', 0, 500));
      });
      response.once('end', () => {
        answer(status, '');
      });
    });
    outgoing.end(body);
  });
}
