import { describe, expect, it } from 'vitest';

import * as client from '../src/client.js';
import * as node from '../src/client-node.js';
import type { SocketItem } from '../src/client.js';
import { collect, scripted, ScriptedSocket, turn } from './scripted-socket.js';

const TOKEN = 'secret-token-0123456789';

describe('the client entry', () => {
  it('exports these names, on both platforms', () => {
    const names = [
      'CLOSE_CODES',
      'DEFAULT_CONNECT_TIMEOUT_MS',
      'DEFAULT_LEAVE_MS',
      'DEFAULT_MAX_BACKOFF_MS',
      'DEFAULT_MAX_EVENT_BYTES',
      'DEFAULT_MAX_MESSAGE_BYTES',
      'DEFAULT_MAX_POSITIONS',
      'DEFAULT_MAX_QUEUED_BYTES',
      'DEFAULT_MAX_RECEIVED_BYTES',
      'DEFAULT_MAX_SEEN',
      'DEFAULT_MAX_SESSIONS',
      'DEFAULT_MAX_SOCKETS',
      'DEFAULT_MAX_UNCONFIRMED_BYTES',
      'DEFAULT_MIN_BACKOFF_MS',
      'DEFAULT_PING_INTERVAL_MS',
      'DEFAULT_REQUEST_TIMEOUT_MS',
      'DEFAULT_SILENCE_TIMEOUT_MS',
      'SOCKET_CLIENT_ERROR_CODES',
      'SocketClientError',
      'connectSocket',
    ];
    expect(Object.keys(client).toSorted()).toEqual(names);
    expect(Object.keys(node).toSorted()).toEqual(names);
  });

  it('has these defaults', () => {
    expect(Object.fromEntries(Object.entries(client).filter(([name]) => name.startsWith('DEFAULT_')))).toEqual({
      DEFAULT_CONNECT_TIMEOUT_MS: 15_000,
      DEFAULT_LEAVE_MS: 2_000,
      DEFAULT_MAX_BACKOFF_MS: 30_000,
      DEFAULT_MAX_EVENT_BYTES: 1_048_576,
      DEFAULT_MAX_MESSAGE_BYTES: 4_194_304,
      DEFAULT_MAX_POSITIONS: 1_000,
      DEFAULT_MAX_QUEUED_BYTES: 16_777_216,
      DEFAULT_MAX_RECEIVED_BYTES: 16_777_216,
      DEFAULT_MAX_SEEN: 50_000,
      DEFAULT_MAX_SESSIONS: 10_000,
      DEFAULT_MAX_SOCKETS: 8,
      DEFAULT_MAX_UNCONFIRMED_BYTES: 1_048_576,
      DEFAULT_MIN_BACKOFF_MS: 500,
      DEFAULT_PING_INTERVAL_MS: 30_000,
      DEFAULT_REQUEST_TIMEOUT_MS: 10_000,
      DEFAULT_SILENCE_TIMEOUT_MS: 90_000,
    });
  });

  it('has these error codes', () => {
    expect(client.SOCKET_CLIENT_ERROR_CODES).toEqual([
      'closed',
      'refused',
      'disconnected',
      'queue-full',
      'too-large',
      'not-offered',
      'timeout',
      'duplicate-id',
      'already-running',
      'store-failed',
    ]);
  });

  it('has these words for what every client tells', () => {
    const reasons: Record<client.GapReason, true> = { exhausted: true, 'not-held': true, 'not-listed': true };
    const modes: Record<client.ResumeMode, true> = { live: true, positions: true, all: true };
    const items: Record<client.SocketItem['type'], true> = { open: true, event: true, exhausted: true, gap: true, invalid: true, closed: true, refused: true };
    const store: client.PositionStore = { load: (): client.SavedPosition[] => [{ source: 'a:', session: 's', epoch: 0, seq: 0 }], save: () => undefined };
    expect([reasons, modes, items, store].map((words) => Object.keys(words).length)).toEqual([3, 3, 7, 2]);
  });
});

describe('options', () => {
  it.each([
    [{ url: 'ftp://x/socket' }, TypeError],
    [{ url: 'not a url' }, TypeError],
    [{ url: 'ws://user:pass@x/socket' }, TypeError],
    [{ url: 'ws://x/socket?access_token=t' }, TypeError],
    [{ token: 'two words' }, TypeError],
    [{ token: '' }, TypeError],
    [{ role: 'emitter' as const }, TypeError],
    [{ versions: [] }, RangeError],
    [{ minBackoffMs: 10, maxBackoffMs: 5 }, RangeError],
    [{ pingIntervalMs: 10, silenceTimeoutMs: 5 }, RangeError],
    [{ maxSockets: 0 }, RangeError],
    [{ maxReceivedBytes: Number.NaN }, RangeError],
  ])('%j make no sense', (options, error) => {
    expect(() => scripted(options)).toThrow(error);
  });

  it.each([
    ['http://h/base/socket#x', 'ws://h/base/socket'],
    ['https://h/socket?a=1', 'wss://h/socket?a=1'],
  ])('read %s as %s', async (url, expected) => {
    const { client: open, socket } = scripted({ url });
    expect(socket().url).toBe(expected);
    await open.close();
  });

  it('put the token where they say, and nowhere else', async () => {
    const query = scripted({ token: TOKEN });
    expect(query.socket().url).toBe(`ws://endpoint.test/socket?access_token=${TOKEN}`);
    expect(query.socket().settings.headers).toEqual({});
    const header = scripted({ token: TOKEN, tokenIn: 'header', headers: { 'x-a': '1' } });
    expect(header.socket().url).toBe('ws://endpoint.test/socket');
    expect(header.socket().settings.headers).toEqual({ 'x-a': '1', authorization: `Bearer ${TOKEN}` });
    await Promise.all([query.client.close(), header.client.close()]);
  });

  it('default to the header in Node', async () => {
    const opened: ScriptedSocket[] = [];
    class Socket extends ScriptedSocket {
      constructor(url: string, _protocols: string[], settings: client.WebSocketSettings) {
        super(url, settings, false);
        opened.push(this);
      }
    }
    const open = node.connectSocket({ url: 'ws://endpoint.test/socket', token: TOKEN, webSocket: Socket });
    expect(opened.map(({ url, settings }) => [url, settings.headers.authorization])).toEqual([['ws://endpoint.test/socket', `Bearer ${TOKEN}`]]);
    await open.close();
  });
});

describe('a token', () => {
  it('is in no frame, item, status or error, whatever the socket says', async () => {
    const told: unknown[] = [];
    const { client: open, socket, clock } = scripted({ token: TOKEN, onStatus: (status) => void told.push(status) });
    const read = collect(open.subscribe());
    const failing = open.send([], { resend: false }).catch((error: unknown) => told.push(error));
    const url = socket().url;
    socket().error({ message: `cannot open ${url}`, error: Object.assign(new Error(`connect ${url}`), { code: 'ECONNREFUSED' }) });
    socket().end(1006, '');
    await clock.advance(250);
    socket().error({ message: url, error: { code: url } });
    socket().end();
    await turn();
    await failing;
    const items: SocketItem[] = read.items;
    expect(items).toMatchObject([
      { type: 'closed', reason: 'no-answer', detail: 'ECONNREFUSED' },
      { type: 'closed', reason: 'no-answer', detail: 'No connection.' },
    ]);
    expect(JSON.stringify([told, items, open.stats(), open.endpoint])).not.toContain(TOKEN);
    await open.close();
  });

  it('is not in the error of a constructor that throws with the URL', async () => {
    const told: unknown[] = [];
    const Throwing = function (url: string): never {
      throw new SyntaxError(`bad ${url}`);
    };
    const { client: open } = scripted({ token: TOKEN, webSocket: Throwing as unknown as client.WebSocketConstructor, onStatus: (status) => void told.push(status) });
    const read = collect(open.subscribe());
    await turn();
    expect(JSON.stringify([told, read.items])).not.toContain(TOKEN);
    expect(told).toMatchObject([{ type: 'closed', reason: 'no-answer' }]);
    await open.close();
  });
});
