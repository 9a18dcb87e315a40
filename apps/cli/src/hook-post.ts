import { connect } from 'node:net';

import type { HookTarget } from './hook-target.js';

/** What is posted. */
export interface HookRequest {
  readonly type: 'application/json' | 'application/x-ndjson';
  /** The key of the call. */
  readonly key?: string;
  readonly body: Uint8Array;
  /** For how long a call may be held, in milliseconds. */
  readonly holdMs?: number;
}

/** What the endpoint answered. */
export interface HookAnswer {
  readonly status: number;
  /** The beginning of the body, where it was asked for. */
  readonly said: string;
}

/** Most bytes of the head of an answer. */
const MAX_HEAD_BYTES = 65_536;
/** What is read of a body that says what is wrong. */
const MAX_SAID_BYTES = 500;
/** What is read of the answer to a held call. */
const MAX_HELD_ANSWER_BYTES = 262_144;
/** What a call that was held is answered with; others get 202. */
export const HELD_STATUS = 200;
/** How much longer than the hold its answer may take to arrive, in milliseconds. */
export const HOLD_SLACK_MS = 3000;

/** An answer of which nothing better can be hoped for by asking again. */
export function isFinal({ status }: HookAnswer): boolean {
  return status >= 400 && status < 500 && ![408, 425, 429].includes(status);
}

/** Whether the endpoint has taken what it was sent. */
export function isTaken({ status }: HookAnswer): boolean {
  return status >= 200 && status < 300;
}

/** A request that can never be sent. */
export class HookSettingError extends Error {
  override readonly name = 'HookSettingError';
}

/**
 * Posts to the route for hooks and waits for the status, within one bound for everything: look-up, connection, body and answer. Rejects
 * when there was no answer. A call with `holdMs` waits for that long where an interim answer says within the bound that it is held, and for the
 * whole of the answer then; one that is held for longer counts as taken.
 *
 * Plain HTTP is written by hand: an agent waits for this process in front of every call of a tool, and loading `node:http` takes as long as
 * starting Node does.
 */
export async function postHook(target: HookTarget, request: HookRequest, timeoutMs: number, wantSaid: boolean): Promise<HookAnswer> {
  const head = requestHead(target, request);
  if (target.url.protocol === 'https:') {
    const { postTls } = await import('./hook-post-tls.js');
    const heldMs = request.holdMs === undefined ? undefined : request.holdMs + HOLD_SLACK_MS;
    return await postTls(target.url, head, request.body, { timeoutMs, wantSaid, heldMs, maxBytes: MAX_HELD_ANSWER_BYTES });
  }
  if (target.url.protocol !== 'http:') throw new HookSettingError(`not an http or https URL: ${target.url.protocol}`);
  const { hostname, port, host } = target.url;
  return await new Promise<HookAnswer>((resolve, reject) => {
    const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? 80 : Number(port) });
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      socket.destroy();
      settle();
    };
    const fail = (error: Error): void => {
      end(() => {
        reject(error);
      });
    };
    let timer = setTimeout(() => {
      fail(new Error(`no answer from ${host} within ${timeoutMs} ms`));
    }, timeoutMs);
    let received = Buffer.alloc(0);
    let held = false;
    const look = (ended: boolean): void => {
      if (request.holdMs !== undefined && !held && PROCESSING.test(received.toString('latin1', 0, 13))) {
        held = true;
        clearTimeout(timer);
        timer = setTimeout(() => {
          end(() => {
            resolve({ status: 202, said: '' });
          });
        }, request.holdMs + HOLD_SLACK_MS);
      }
      if (held) {
        lookHeld(ended);
        return;
      }
      const answer = readAnswer(received);
      if (answer === 'bad' || (answer === undefined && (ended || received.length > MAX_HEAD_BYTES))) fail(new Error(`${host} gave no answer in HTTP`));
      // What the answer says is for nobody here unless it is asked for; reading it would keep the agent waiting.
      else if (answer !== undefined && (!wantSaid || isTaken(answer) || ended || answer.said !== '')) {
        end(() => {
          resolve(answer);
        });
      }
    };
    const lookHeld = (ended: boolean): void => {
      const answer = readAnswer(received, MAX_HELD_ANSWER_BYTES);
      if (answer === 'bad' || received.length > MAX_HELD_ANSWER_BYTES || (ended && answer === undefined)) fail(new Error(`${host} gave no answer to a held call`));
      else if (answer !== undefined && (ended || answer.missing === 0)) {
        end(() => {
          resolve(answer);
        });
      }
    };
    socket.on('error', fail);
    socket.on('end', () => {
      look(true);
    });
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      look(false);
    });
    socket.write(headText(target.url, head), 'latin1');
    socket.write(request.body);
  });
}

/** RFC 9110 §15.2 and the registry of status codes: the request is taken, the answer comes later. */
const PROCESSING = /^HTTP\/1\.1 102[ \r]/;

function requestHead({ token, url, capture }: HookTarget, { type, key, body, holdMs }: HookRequest): Record<string, string> {
  const basic = url.username === '' ? undefined : `Basic ${btoa(`${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`)}`;
  const authorization = token === undefined ? basic : `Bearer ${token}`;
  // A line break in a value would begin another header.
  if (authorization !== undefined && !/^[\t\x20-\x7e\x80-\xff]*$/.test(authorization)) throw new HookSettingError('AEP_TOKEN has characters that no header can have');
  return {
    'content-type': type,
    'content-length': String(body.length),
    ...(key === undefined ? {} : { 'idempotency-key': key }),
    // Of a call that is not read here; a record has its level in it.
    ...(capture.capture === 'redacted' ? { 'aep-capture': 'redacted' } : {}),
    ...(holdMs === undefined ? {} : { 'aep-hold': String(holdMs) }),
    ...(authorization === undefined ? {} : { authorization }),
  };
}

function headText({ host, pathname, search }: URL, head: Readonly<Record<string, string>>): string {
  const fields = Object.entries({ host, ...head, connection: 'close' }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST ${pathname}${search} HTTP/1.1\r\n${fields.join('')}\r\n`;
}

/**
 * The final answer, undefined while its head is incomplete, or `bad`. `missing`: bytes of the body that are still to come, where the head
 * states a length. Interim answers (1xx) are passed over (RFC 9110 §15.2).
 */
export function readAnswer(received: Buffer, maxSaid: number = MAX_SAID_BYTES): (HookAnswer & { readonly missing?: number }) | 'bad' | undefined {
  for (let from = 0; ; ) {
    const line = received.indexOf('\r\n', from);
    const start = received.toString('latin1', from, line < 0 ? Math.min(received.length, from + 12) : line);
    if (line < 0) return start.length < 12 || /^HTTP\/1\.[01] [1-5]/.test(start) ? undefined : 'bad';
    const status = /^HTTP\/1\.[01] ([1-5]\d\d)(?: |$)/.exec(start)?.[1];
    if (status === undefined) return 'bad';
    const end = received.indexOf('\r\n\r\n', line);
    if (Number(status) >= 200) {
      const length = end < 0 ? undefined : /\r\ncontent-length: *(\d+)/i.exec(received.toString('latin1', line, end))?.[1];
      return {
        status: Number(status),
        said: end < 0 ? '' : received.toString('utf8', end + 4, Math.min(received.length, end + 4 + maxSaid)),
        ...(length === undefined ? {} : { missing: Math.max(0, Number(length) - (received.length - end - 4)) }),
      };
    }
    if (end < 0) return undefined;
    from = end + 4;
  }
}
