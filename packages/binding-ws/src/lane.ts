import type { WireEvent } from '@aepkit/envelope';

import { backoff } from './backoff.js';
import type { SocketClientSettings } from './client-options.js';
import { CLOSE_CODES } from './close-codes.js';
import { type DecodedMessage, decodeMessage } from './decode-message.js';
import { encodeFrame } from './encode-frame.js';
import type { Frame, HelloFrame } from './frame.js';
import { leaveSocket } from './leave-socket.js';
import type { EndpointHello } from './socket-client.js';
import type { Closed, ClosedReason, Refused } from './socket-item.js';
import { after } from './socket-timers.js';
import { utf8Length } from './utf8-length.js';
import type { SocketEnd, SocketMessage, WebSocketLike } from './web-socket-like.js';

/** What a {@link Lane} tells. None of it may throw. */
export interface LaneEvents {
  /** Both have said `hello`. */
  opened(endpoint: EndpointHello): void;
  event(wire: WireEvent): void;
  /** A frame other than `hello`, `ping` and a `pong` that answers the lane itself. */
  frame(frame: Frame): void;
  invalid(code: string, detail: string): void;
  /** The connection is over, or there was none. */
  closed(closed: Closed): void;
  /** The endpoint refuses for good; there is no further attempt. */
  refused(refused: Refused): void;
  /** Whether another attempt may be made now; asked again by `retry`. */
  mayOpen(): boolean;
}

/** How a connection ended. */
interface Ending {
  readonly reason: ClosedReason;
  readonly detail?: string | undefined;
  readonly status?: number | undefined;
  readonly code?: number | undefined;
}

/** Codes of an `error` that refuses an opening for good; others may pass, such as too many connections. */
const FINAL: ReadonlySet<string> = new Set(['version-unsupported', 'hello-required', 'invalid-hello', 'unauthorized']);
const MAX_DETAIL = 1_000;
const PING = 'alive';
/** Bytes that may wait to leave before pings are no longer answered. */
const MAX_PONG_BACKLOG = 1_048_576;

/**
 * One connection to the endpoint: opens it, exchanges `hello`, shows and watches for life, and opens the next one when it is over. What
 * is said on it is the business of its owner.
 *
 * A connection is used by one attempt; whatever a socket tells after its attempt is over is ignored.
 */
export class Lane {
  readonly #settings: SocketClientSettings;
  readonly #hello: Omit<HelloFrame, 'type' | 'versions'>;
  readonly #events: LaneEvents;
  #socket: WebSocketLike | undefined;
  #state: 'idle' | 'opening' | 'greeting' | 'open' | 'waiting' | 'held' | 'over' = 'idle';
  #endpoint: EndpointHello | undefined;
  /** What the socket or the endpoint said about an end that has not come yet. */
  #status: number | undefined;
  #goodbye: string | undefined;
  #trouble: string | undefined;
  #failures = 0;
  #progress = false;
  #heard = true;
  #silentMs = 0;
  #paused = false;
  #cancelTimer: () => void = () => undefined;

  constructor(settings: SocketClientSettings, hello: Omit<HelloFrame, 'type' | 'versions'>, events: LaneEvents) {
    this.#settings = settings;
    this.#hello = hello;
    this.#events = events;
  }

  /** What the endpoint said on the connection that is open. */
  get endpoint(): EndpointHello | undefined {
    return this.#state === 'open' ? this.#endpoint : undefined;
  }

  /** Whether a connection is being opened, so that the answer is near. */
  get opening(): boolean {
    return this.#state === 'opening' || this.#state === 'greeting';
  }

  /** Whether it waits for room: it does not read, or was not opened. */
  get blocked(): boolean {
    return this.#paused || this.#state === 'held';
  }

  /** Opens the first connection. */
  start(): void {
    if (this.#state === 'idle') this.#open();
  }

  /** Opens a connection now where one is due later, or where `mayOpen` said no. */
  retry(): void {
    if (this.#state !== 'waiting' && this.#state !== 'held') return;
    this.#cancelTimer();
    this.#open();
  }

  /** As {@link retry}, for a lane that `mayOpen` held back. */
  release(): void {
    if (this.#state === 'held') this.retry();
  }

  /** Sends a text where the connection is open; says whether it was handed over. */
  send(text: string): boolean {
    if (this.#state !== 'open' || this.#socket === undefined) return false;
    return this.#write(this.#socket, text);
  }

  /** The connection has been of use: the next wait starts short again. */
  progress(): void {
    this.#progress = true;
  }

  /** Stops reading. `false` where the socket has no way to. */
  pause(): boolean {
    const socket = this.#socket;
    if (this.#state !== 'open' || socket?.pause === undefined || socket.resume === undefined) return false;
    if (!this.#paused) {
      this.#paused = true;
      socket.pause();
    }
    return true;
  }

  /** Reads on. */
  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#heard = true;
    this.#socket?.resume?.();
  }

  /** Leaves the connection because of what came on it, and comes back. */
  drop(reason: ClosedReason, detail: string): void {
    if (this.#state !== 'open') return;
    this.#goodbyeTo(reason);
    this.#fail({ reason, detail }, CLOSE_CODES.shutdown);
  }

  /** Ends it for good. Settles when the socket is closed, or after a bounded wait. */
  close(reason: string): Promise<void> {
    const socket = this.#socket;
    if (this.#state === 'open') this.#goodbyeTo(reason);
    this.#state = 'over';
    this.#cancelTimer();
    this.#socket = undefined;
    return socket === undefined ? Promise.resolve() : this.#leave(socket, CLOSE_CODES.normal);
  }

  #goodbyeTo(reason: string): void {
    // Events were given to nobody over this connection, so nothing was delivered by this side (AEP-0003 §3.5).
    if (this.#socket !== undefined) this.#write(this.#socket, encodeFrame({ type: 'closing', reason, delivered: [] }));
  }

  #open(): void {
    if (!this.#events.mayOpen()) {
      this.#state = 'held';
      return;
    }
    const { url, headers, maxMessageBytes, webSocket, connectTimeoutMs, timers } = this.#settings;
    this.#state = 'opening';
    this.#endpoint = this.#goodbye = this.#status = this.#trouble = undefined;
    this.#progress = this.#paused = false;
    let socket: WebSocketLike;
    try {
      socket = new webSocket(url, [], { headers, maxPayload: Number.isFinite(maxMessageBytes) ? maxMessageBytes : 0, perMessageDeflate: false });
    } catch {
      // The error of a platform may hold the URL, and that a token.
      this.#fail({ reason: 'no-answer', detail: 'The connection could not be opened.' });
      return;
    }
    this.#socket = socket;
    socket.binaryType = 'arraybuffer';
    const current = (): boolean => this.#socket === socket;
    socket.onopen = () => {
      if (current()) this.#greet(socket);
    };
    socket.onmessage = (event: SocketMessage) => {
      if (current()) this.#message(event.data);
    };
    socket.onerror = (event: unknown) => {
      if (current()) this.#note(event);
    };
    socket.onclose = (event: SocketEnd) => {
      if (current()) this.#ended(event);
    };
    this.#cancelTimer = after(timers, connectTimeoutMs, () => this.#fail({ reason: 'no-answer', detail: 'No hello in time.' }));
  }

  #greet(socket: WebSocketLike): void {
    this.#state = 'greeting';
    this.#write(socket, encodeFrame({ type: 'hello', versions: this.#settings.versions, ...this.#hello }));
  }

  #message(data: unknown): void {
    this.#heard = true;
    if (typeof data !== 'string') {
      // Binary messages have no meaning in 0.1 and are never parsed (AEP-0003 §3.5).
      this.#fail({ reason: 'protocol', detail: 'The endpoint sent a binary message.' }, CLOSE_CODES.binary);
      return;
    }
    const { maxMessageBytes } = this.#settings;
    if (data.length > maxMessageBytes || (data.length * 3 > maxMessageBytes && utf8Length(data) > maxMessageBytes)) {
      this.#fail({ reason: 'protocol', detail: 'The endpoint sent a message above maxMessageBytes.' }, CLOSE_CODES.tooLarge);
      return;
    }
    const message = decodeMessage(data, { maxEventBytes: Infinity });
    if (this.#state === 'greeting') {
      this.#first(message);
      return;
    }
    switch (message.type) {
      case 'event':
        this.#events.event(message.wire);
        return;
      case 'frame':
        this.#frame(message.frame);
        return;
      case 'fault':
        this.#events.invalid(message.code, message.detail.slice(0, MAX_DETAIL));
        return;
      case 'unknown':
    }
  }

  /** The first frame is `hello`, or the `error` of a refused opening (AEP-0003 §3.5.1). */
  #first(message: DecodedMessage): void {
    const frame = message.type === 'frame' ? message.frame : undefined;
    if (frame?.type === 'error') {
      const { code, detail = '' } = frame;
      const says = detail.slice(0, MAX_DETAIL);
      if (FINAL.has(code)) this.#refuse({ type: 'refused', code: code.slice(0, MAX_DETAIL), detail: says });
      else this.#fail({ reason: 'unavailable', detail: says === '' ? code.slice(0, MAX_DETAIL) : says });
      return;
    }
    if (message.type === 'fault' && message.frame === 'hello') {
      this.#badOpening(message.code, `The hello of the endpoint is not usable: ${message.detail}`.slice(0, MAX_DETAIL));
      return;
    }
    if (frame?.type !== 'hello') {
      this.#badOpening('hello-required', 'The first message of the endpoint is no hello.');
      return;
    }
    const [version, ...others] = frame.versions;
    if (version === undefined || others.length > 0 || !this.#settings.versions.includes(version)) {
      this.#badOpening('version-unsupported', 'The endpoint names no single version out of those offered.', this.#settings.versions);
      return;
    }
    this.#state = 'open';
    this.#endpoint = { ...frame, version };
    this.#cancelTimer();
    this.#silentMs = 0;
    this.#watch();
    this.#events.opened(this.#endpoint);
  }

  #badOpening(code: string, detail: string, versions?: readonly string[]): void {
    if (this.#socket !== undefined) this.#write(this.#socket, encodeFrame({ type: 'error', code, detail, ...(versions === undefined ? {} : { versions }) }));
    this.#fail({ reason: 'protocol', detail }, CLOSE_CODES.protocol);
  }

  #frame(frame: Frame): void {
    switch (frame.type) {
      case 'ping':
        // Whoever asks and does not read the answers would have them pile up here.
        if ((this.#socket?.bufferedAmount ?? 0) <= MAX_PONG_BACKLOG) this.send(encodeFrame(Object.hasOwn(frame, 't') ? { type: 'pong', t: frame.t } : { type: 'pong' }));
        return;
      case 'pong':
        // Long enough without a break to make a ping due.
        if (frame.t === PING) this.#progress = true;
        else this.#events.frame(frame);
        return;
      case 'closing':
        this.#goodbye = frame.reason.slice(0, MAX_DETAIL);
        this.#cancelTimer();
        // The endpoint closes; one that only says so is left.
        this.#cancelTimer = after(this.#settings.timers, this.#settings.leaveMs, () => this.#fail({ reason: 'ended', detail: this.#goodbye }));
        this.#events.frame(frame);
        return;
      default:
        this.#events.frame(frame);
    }
  }

  /** One ping per interval; silence is counted in intervals, and not while this side does not read. */
  #watch(): void {
    const { timers, pingIntervalMs, silenceTimeoutMs } = this.#settings;
    this.#heard = false;
    this.#cancelTimer = after(timers, pingIntervalMs, () => {
      this.#silentMs = this.#heard || this.#paused ? 0 : this.#silentMs + pingIntervalMs;
      if (this.#silentMs >= silenceTimeoutMs) {
        this.#fail({ reason: 'silent' });
        return;
      }
      this.send(encodeFrame({ type: 'ping', t: PING }));
      this.#watch();
    });
  }

  /** What a failing socket says: a status from `ws`, a code from Node; never its text, which may hold the URL. */
  #note(event: unknown): void {
    const { message, error } = (typeof event === 'object' && event !== null ? event : {}) as { readonly message?: unknown; readonly error?: unknown };
    const status = typeof message === 'string' ? /^Unexpected server response: ([1-5][0-9]{2})$/.exec(message)?.[1] : undefined;
    if (status !== undefined) this.#status = Number(status);
    const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
    if (typeof code === 'string' && /^[A-Z0-9_]{1,40}$/.test(code)) this.#trouble = code;
  }

  #ended({ code, reason }: SocketEnd): void {
    // It is closed: there is nothing to leave.
    this.#socket = undefined;
    const status = this.#status;
    if (this.#state === 'opening' || this.#state === 'greeting') {
      if (status !== undefined && status >= 400 && status < 500 && status !== 408 && status !== 425 && status !== 429) {
        this.#refuse({ type: 'refused', code: status === 401 || status === 403 ? 'unauthorized' : 'refused', detail: `The endpoint answered ${status}.`, status });
      } else if (code === CLOSE_CODES.overload || (status !== undefined && status >= 400)) {
        this.#fail({ reason: 'unavailable', status, code });
      } else {
        this.#fail({ reason: 'no-answer', status, code, detail: this.#trouble ?? 'No connection.' });
      }
      return;
    }
    const says = this.#goodbye ?? (typeof reason === 'string' && reason !== '' ? reason.slice(0, MAX_DETAIL) : undefined);
    this.#fail({ reason: code === CLOSE_CODES.overload ? 'unavailable' : this.#goodbye === undefined && isCut(code) ? 'cut' : 'ended', code, detail: says });
  }

  #refuse(refused: Refused): void {
    if (this.#settings.retryRefused) {
      this.#fail({ reason: 'unavailable', detail: `${refused.code}: ${refused.detail}`, status: refused.status });
      return;
    }
    this.#release(CLOSE_CODES.normal);
    this.#state = 'over';
    this.#events.refused(refused);
  }

  /** This attempt is over; the next one follows. */
  #fail({ reason, detail, status, code }: Ending, closeCode: number = CLOSE_CODES.normal): void {
    if (this.#state === 'over') return;
    this.#release(closeCode);
    const { minBackoffMs, maxBackoffMs, random, timers } = this.#settings;
    this.#failures = this.#progress ? 1 : this.#failures + 1;
    const retryInMs = backoff(this.#failures - 1, minBackoffMs, maxBackoffMs, random);
    this.#state = 'waiting';
    this.#cancelTimer = after(timers, retryInMs, () => this.#open());
    this.#events.closed({
      type: 'closed',
      reason,
      ...(detail === undefined ? {} : { detail }),
      ...(status === undefined ? {} : { status }),
      ...(code === undefined ? {} : { code }),
      retryInMs,
    });
  }

  #release(closeCode: number): void {
    this.#cancelTimer();
    const socket = this.#socket;
    this.#socket = undefined;
    if (socket !== undefined) void this.#leave(socket, closeCode);
  }

  #leave(socket: WebSocketLike, code: number): Promise<void> {
    return leaveSocket(socket, code, this.#settings.leaveMs, this.#settings.timers);
  }

  #write(socket: WebSocketLike, text: string): boolean {
    try {
      socket.send(text);
      return true;
    } catch {
      // Closing: the end comes by itself.
      return false;
    }
  }
}

function isCut(code: number | undefined): boolean {
  return code === undefined || code === 1005 || code === 1006;
}
