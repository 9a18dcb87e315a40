import { type AepEvent, type WireEvent, wireEvent } from '@aepkit/envelope';

import type { SocketClientSettings } from './client-options.js';
import { SocketClientError } from './errors.js';
import type { ErrorFrame } from './frame.js';
import { utf8Length } from './utf8-length.js';

/** What an Event costs besides its text, in bytes. */
const ENTRY_COST = 512;

/** What a {@link SendQueue} writes to. Both say whether the connection took it. */
export interface SendPort {
  write(text: string): boolean;
  /** A ping that carries this mark. */
  ping(mark: string): boolean;
}

/** One call of `send`: settled when all of its Events are. */
interface Call {
  /** Only for the connection that is there or on its way. */
  readonly once: boolean;
  readonly settle: PromiseWithResolvers<undefined>;
  left: number;
  /** Nobody waits for it: it is not sent again. */
  abandoned: boolean;
  refused: { readonly index: number; readonly code: string; readonly detail: string } | undefined;
}

interface Entry {
  readonly text: string;
  readonly id: string;
  readonly bytes: number;
  readonly index: number;
  readonly call: Call;
}

/** How a call that was for one connection ended with it; in `cause` of the error. */
export type Reach = 'written' | 'not-written';

/**
 * Events on their way to the endpoint. WebSocket has no receipt, but messages are handled in order: a `pong` confirms what was sent
 * ahead of its `ping` (AEP-0003 §3.5). What none has confirmed when a connection ends goes out again on the next one, in the same order
 * and ahead of everything newer. No more than a window is sent ahead of its confirmation, which also keeps the socket's own buffer small.
 */
export class SendQueue {
  readonly #settings: Pick<SocketClientSettings, 'maxQueuedBytes' | 'maxUnconfirmedBytes' | 'maxEventBytes'>;
  readonly #port: SendPort;
  #waiting: Entry[] = [];
  /** Written on this connection, not yet confirmed. */
  #written: Entry[] = [];
  #writtenBytes = 0;
  #bytes = 0;
  /** How many of `#written` each mark that is out covers, in order. */
  #marks: { readonly mark: string; covers: number }[] = [];
  #lastMark = 0;
  #open = false;
  /** One at a time: the endpoint cut a connection over one of them, and it is not known which. */
  #single = false;

  constructor(settings: Pick<SocketClientSettings, 'maxQueuedBytes' | 'maxUnconfirmedBytes' | 'maxEventBytes'>, port: SendPort) {
    this.#settings = settings;
    this.#port = port;
  }

  /** Bytes that wait, those in flight included. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Takes a call as a whole, or throws. */
  add(events: readonly (WireEvent | AepEvent)[], once: boolean, signal?: AbortSignal): Promise<void> {
    const call: Call = { once, settle: Promise.withResolvers<undefined>(), left: events.length, abandoned: false, refused: undefined };
    if (events.length === 0) return Promise.resolve();
    const entries = events.map((event, index) => this.#entry(event, index, call));
    const bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
    if (this.#bytes + bytes > this.#settings.maxQueuedBytes) throw new SocketClientError('queue-full', `More than ${this.#settings.maxQueuedBytes} bytes wait.`);
    this.#bytes += bytes;
    this.#waiting.push(...entries);
    const { promise } = call.settle;
    if (signal !== undefined) {
      const abort = (): void => this.#giveUp(call, signal.reason);
      signal.addEventListener('abort', abort, { once: true });
      void promise.catch(() => undefined).finally(() => signal.removeEventListener('abort', abort));
    }
    this.#pump();
    return promise;
  }

  opened(): void {
    this.#open = true;
    this.#pump();
  }

  /** The connection is over. `tooLarge`: the endpoint ended it over the size of a message. */
  closed(tooLarge: boolean): void {
    this.#open = false;
    const written = this.#written;
    this.#written = [];
    this.#writtenBytes = 0;
    this.#marks = [];
    this.#waiting = [...written, ...this.#waiting];
    for (const { call } of written) if (call.abandoned) this.#remove(call);
    const [first, second] = written;
    if (tooLarge && first !== undefined && second === undefined && this.#waiting[0] === first) {
      this.#waiting.shift();
      this.#settle(first, { code: 'too-large', detail: 'The endpoint closed the connection over the size of this Event.' });
    }
    this.#single = tooLarge;
    for (const entry of written) if (entry.call.once) this.#giveUp(entry.call, lost('written'));
    for (const entry of this.#waiting.filter(({ call }) => call.once)) this.#giveUp(entry.call, lost('not-written'));
  }

  /** Nothing goes out any more. */
  end(error: () => SocketClientError): void {
    this.#open = false;
    for (const { call } of [...this.#written, ...this.#waiting]) this.#giveUp(call, error());
  }

  /** Whether the mark is one of this queue's. */
  pong(mark: unknown): boolean {
    const place = this.#marks.findIndex((each) => each.mark === mark);
    if (place < 0) return false;
    const covers = this.#marks[place]?.covers ?? 0;
    this.#marks = this.#marks.slice(place + 1);
    for (const each of this.#marks) each.covers -= covers;
    const confirmed = this.#written.splice(0, covers);
    if (confirmed.length > 0) this.#single = false;
    for (const entry of confirmed) {
      this.#writtenBytes -= entry.bytes;
      this.#settle(entry);
    }
    this.#pump();
    return true;
  }

  /** An `error` frame names an Event. */
  refused({ cause, code, detail = '' }: ErrorFrame): void {
    // The oldest of that id: frames come in the order of what they answer.
    const place = this.#written.findIndex(({ id }) => id === cause);
    const entry = this.#written[place];
    if (entry === undefined) return;
    this.#written.splice(place, 1);
    this.#writtenBytes -= entry.bytes;
    for (const mark of this.#marks) if (mark.covers > place) mark.covers -= 1;
    this.#settle(entry, { code, detail });
    this.#pump();
  }

  #entry(event: WireEvent | AepEvent, index: number, call: Call): Entry {
    const wire = isWire(event) ? event : wireEvent(event);
    const size = utf8Length(wire.json);
    if (size > this.#settings.maxEventBytes) {
      throw new SocketClientError('too-large', `An Event has ${size} bytes, more than ${this.#settings.maxEventBytes}.`, { index });
    }
    return { text: wire.json, id: wire.event.id, bytes: size + ENTRY_COST, index, call };
  }

  #pump(): void {
    let wrote = false;
    while (this.#open) {
      const [entry] = this.#waiting;
      const full = this.#single ? this.#written.length > 0 : this.#writtenBytes > 0 && this.#writtenBytes + (entry?.bytes ?? 0) > this.#settings.maxUnconfirmedBytes;
      if (entry === undefined || full || !this.#port.write(entry.text)) break;
      this.#waiting.shift();
      this.#written.push(entry);
      this.#writtenBytes += entry.bytes;
      wrote = true;
    }
    if (!wrote) return;
    this.#lastMark += 1;
    const mark = `kept-${this.#lastMark}`;
    // A socket that does not take it is closing: then the next connection sends all of it again.
    if (this.#port.ping(mark)) this.#marks.push({ mark, covers: this.#written.length });
  }

  #settle(entry: Entry, refusal?: { readonly code: string; readonly detail: string }): void {
    const { call } = entry;
    this.#bytes -= entry.bytes;
    call.left -= 1;
    if (refusal !== undefined && (call.refused === undefined || call.refused.index > entry.index)) call.refused = { index: entry.index, ...refusal };
    if (call.left > 0) return;
    if (call.refused === undefined) call.settle.resolve(undefined);
    else call.settle.reject(refusedError(call.refused));
  }

  #giveUp(call: Call, reason: unknown): void {
    // What is on the wire keeps its place: a mark counts on it.
    call.abandoned = true;
    this.#remove(call);
    call.settle.reject(reason);
  }

  #remove(call: Call): void {
    for (const entry of this.#waiting) if (entry.call === call) this.#bytes -= entry.bytes;
    this.#waiting = this.#waiting.filter((entry) => entry.call !== call);
  }
}

function lost(reach: Reach): SocketClientError {
  return new SocketClientError('disconnected', 'The connection ended before the endpoint confirmed.', { reason: reach });
}

function refusedError({ index, code, detail }: NonNullable<Call['refused']>): SocketClientError {
  const says = detail === '' ? 'The endpoint refuses an Event.' : detail.slice(0, 1_000);
  return new SocketClientError(code === 'too-large' ? 'too-large' : 'refused', says, { reason: code.slice(0, 200), index });
}

function isWire(event: WireEvent | AepEvent): event is WireEvent {
  // Extension attributes may have these names as well.
  return !('aep' in event) && typeof event.json === 'string';
}
