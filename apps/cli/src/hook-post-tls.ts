import { request } from 'node:https';

import type { HookAnswer } from './hook-post.js';

/** What is waited for, and for how long. */
export interface TlsWait {
  readonly timeoutMs: number;
  /** Whether to read the beginning of an answer that says what is wrong. */
  readonly wantSaid: boolean;
  /** From an interim answer on, for the whole of the answer, in milliseconds; a call that is held for longer counts as taken. */
  readonly heldMs?: number | undefined;
  /** What is read of the answer to a held call. */
  readonly maxBytes: number;
}

/** Posts over TLS, for which nothing may be left out: the library does it. */
export function postTls(url: URL, headers: Readonly<Record<string, string>>, body: Uint8Array, { timeoutMs, wantSaid, heldMs, maxBytes }: TlsWait): Promise<HookAnswer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method: 'POST', agent: false, headers });
    let timer = setTimeout(() => {
      outgoing.destroy(new Error(`no answer from ${url.host} within ${timeoutMs} ms`));
    }, timeoutMs);
    let held = false;
    const answer = (status: number, said: string): void => {
      clearTimeout(timer);
      outgoing.destroy();
      resolve({ status, said });
    };
    const fail = (error: Error): void => {
      clearTimeout(timer);
      reject(error);
    };
    outgoing.on('error', fail);
    outgoing.on('information', ({ statusCode }) => {
      if (heldMs === undefined || held || statusCode !== 102) return;
      held = true;
      clearTimeout(timer);
      timer = setTimeout(() => {
        answer(202, '');
      }, heldMs);
    });
    outgoing.on('response', (response) => {
      const status = response.statusCode ?? 0;
      if (held) {
        const chunks: Buffer[] = [];
        let size = 0;
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          size += chunk.length;
          if (size > maxBytes) outgoing.destroy(new Error(`the answer of ${url.host} to a held call is too large`));
        });
        response.on('error', fail);
        response.once('end', () => {
          answer(status, Buffer.concat(chunks).toString());
        });
        return;
      }
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
