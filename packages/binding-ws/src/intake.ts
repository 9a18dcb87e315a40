import { isCommand, type WireEvent } from '@aepkit/envelope';
import type { Hub, HubError, HubErrorCode, Ingress } from '@aepkit/hub';

import { decodeMessage, type DecodedMessage } from './decode-message.js';
import type { ResolvedBindingOptions } from './binding-options.js';

/** Most Events and UTF-16 units that go to the hub as one batch. */
const MAX_BATCH_EVENTS = 1_000;
const MAX_BATCH_LENGTH = 256 * 1024;
/** What a waiting message costs besides its bytes. */
const MESSAGE_OVERHEAD_BYTES = 64;
/** How long to wait ahead of another try where the hub has no room. */
const OVERLOAD_RETRY_MS = 20;

/** One message: text as bytes of UTF-8, a binary one, whose content nobody looks at, or the start of the close handshake. */
export type Message = Uint8Array | 'binary' | 'leaving';

type Read = DecodedMessage | { readonly type: 'binary' | 'leaving' };

/** What an intake needs of its connection. All of it is called in the order of the messages. */
export interface IntakeHost {
  readonly hub: Pick<Hub, 'ingest'>;
  readonly options: Pick<ResolvedBindingOptions, 'maxEventBytes' | 'overloadTimeoutMs' | 'timers' | 'now'>;
  /** Who sends; `undefined` ahead of the `hello`. */
  ingress(): Ingress | undefined;
  /** Whether so much waits to leave that nothing may be answered now. */
  full(): boolean;
  /** The first message, as it came. */
  open(message: Message): void;
  /** A message that is neither an Event nor a ping. */
  handle(message: Exclude<Read, { readonly type: 'event' }>): void;
  /** The Events ahead of this ping are kept, or were answered. */
  pong(t: { readonly t?: unknown }): void;
  /** The hub takes an Event for a reason of its own not. */
  refused(wire: WireEvent, error: HubError): void;
  /** Nothing more can be kept. The intake has stopped. */
  failed(reason: 'unavailable' | 'internal-error', error: unknown): void;
  /** Answers to one turn's messages leave in one write: what is sent between these two calls. */
  gather(): void;
  release(): void;
  /** {@link Intake.pendingBytes} went down. */
  relieved(): void;
}

interface Kept {
  readonly type: 'batch';
  done: boolean;
}

interface WaitingPong {
  readonly type: 'pong';
  readonly pong: { readonly t?: unknown };
}

/**
 * Takes the messages of one peer strictly in order.
 *
 * Consecutive Events that arrive together go to the hub as one batch, a command alone. Commits are pipelined: the next
 * Events do not wait for those ahead. A `pong` does, so it is a receipt (AEP-0003 §3.5): batches and pings stand in one list,
 * and a ping is answered when it has come to the front. Everything else is handled when no ping ahead of it is unanswered, so
 * that answers keep the order of the messages.
 */
export class Intake {
  readonly #host: IntakeHost;
  #inbox: Message[] = [];
  #head = 0;
  #inboxBytes = 0;
  /** Read and not handled yet. */
  #next: Read | undefined;
  #batch: WireEvent[] = [];
  #batchLength = 0;
  #uncommitted = 0;
  readonly #receipts: (Kept | WaitingPong)[] = [];
  #pongs = 0;
  #scheduled = false;
  /** The hub has a batch in hand and has not said yet that it takes it. */
  #held = false;
  #retry: unknown;
  #stopped = false;

  constructor(host: IntakeHost) {
    this.#host = host;
  }

  /** Bytes of messages that wait, and of Events whose commit does. */
  get pendingBytes(): number {
    return this.#inboxBytes + this.#uncommitted;
  }

  /** Takes a message. It is handled at the end of the turn, with those that come in the same. */
  push(message: Message): void {
    if (this.#stopped) return;
    this.#inbox.push(message);
    this.#inboxBytes += sizeOf(message);
    this.wake();
  }

  /** Goes on where answers had no room. */
  wake(): void {
    if (this.#scheduled || this.#stopped || this.#held) return;
    this.#scheduled = true;
    queueMicrotask(() => {
      this.#scheduled = false;
      this.#run();
    });
  }

  /** Handles nothing more, and answers no ping: what waits may never be kept. */
  stop(): void {
    this.#stopped = true;
    this.#inbox = [];
    this.#head = 0;
    this.#inboxBytes = 0;
    this.#next = undefined;
    this.#batch = [];
    this.#receipts.length = 0;
    if (this.#retry !== undefined) this.#host.options.timers.clearTimeout(this.#retry);
    this.#retry = undefined;
  }

  #run(): void {
    this.#host.gather();
    try {
      while (!this.#stopped && !this.#held && this.#step());
    } catch (error) {
      this.#fail('internal-error', error);
    } finally {
      this.#host.release();
    }
    if (!this.#stopped) this.#host.relieved();
  }

  /** Handles one message. `false`: nothing more can be done now. */
  #step(): boolean {
    if (this.#host.ingress() === undefined) return this.#open();
    const next = (this.#next ??= this.#read());
    if (next?.type === 'event' && !isCommand(next.wire.event.type)) {
      this.#next = undefined;
      this.#batch.push(next.wire);
      this.#batchLength += next.wire.json.length;
      if (this.#batch.length < MAX_BATCH_EVENTS && this.#batchLength < MAX_BATCH_LENGTH) return true;
    }
    // All that is no such Event comes behind those ahead of it.
    if (this.#batch.length > 0) {
      const batch = this.#batch;
      this.#batch = [];
      this.#batchLength = 0;
      this.#ingest(batch);
      return true;
    }
    if (next === undefined) return false;
    // Nothing is answered any more.
    if (next.type === 'leaving') {
      this.#host.handle(next);
      return false;
    }
    if (this.#host.full()) return false;
    if (next.type === 'frame' && next.frame.type === 'ping') {
      this.#next = undefined;
      this.#ping('t' in next.frame ? { t: next.frame.t } : {});
      return true;
    }
    if (this.#pongs > 0) return false;
    this.#next = undefined;
    if (next.type === 'event') this.#ingest([next.wire]);
    else this.#host.handle(next);
    return true;
  }

  #open(): boolean {
    const first = this.#take();
    if (first !== undefined) this.#host.open(first);
    return first !== undefined;
  }

  #take(): Message | undefined {
    const message = this.#inbox[this.#head];
    if (message === undefined) return undefined;
    this.#inboxBytes -= sizeOf(message);
    this.#head++;
    if (this.#head === this.#inbox.length) {
      this.#inbox = [];
      this.#head = 0;
    }
    return message;
  }

  #read(): Read | undefined {
    const message = this.#take();
    if (message === undefined) return undefined;
    return typeof message === 'string' ? { type: message } : decodeMessage(message, this.#host.options);
  }

  #ping(pong: { readonly t?: unknown }): void {
    if (this.#receipts.length === 0) {
      this.#host.pong(pong);
      return;
    }
    this.#receipts.push({ type: 'pong', pong });
    this.#pongs++;
  }

  #ingest(events: readonly WireEvent[]): void {
    let bytes = 0;
    for (const { json } of events) bytes += json.length;
    const receipt: Kept = { type: 'batch', done: false };
    this.#receipts.push(receipt);
    this.#uncommitted += bytes;
    this.#offer(events, receipt, bytes, this.#host.options.now());
  }

  /**
   * Hands a batch to the hub. What the hub refuses at once it refuses ahead of its first wait, so the rejection is known one
   * microtask later; nothing behind is handed over before, or it could overtake a batch that has to be tried again.
   */
  #offer(events: readonly WireEvent[], receipt: Kept, bytes: number, since: number): void {
    const ingress = this.#host.ingress();
    if (ingress === undefined) return;
    this.#held = true;
    let overloaded = false;
    this.#host.hub.ingest(events, ingress).then(
      () => this.#settle(receipt, bytes),
      (error: unknown) => {
        if (this.#stopped) return;
        const code = codeOf(error);
        if (code === 'overloaded') {
          overloaded = true;
          this.#later(events, receipt, bytes, since, error);
        } else if (code === 'closing') {
          // The hub ends the connection as well. No pong may say that these were kept.
          this.stop();
        } else if (code === 'unavailable') {
          this.#fail('unavailable', error);
        } else if (code === undefined) {
          this.#fail('internal-error', error);
        } else {
          for (const wire of events) this.#host.refused(wire, error as HubError);
          this.#settle(receipt, bytes);
        }
      },
    );
    queueMicrotask(() => {
      if (overloaded || this.#stopped) return;
      this.#held = false;
      this.#run();
    });
  }

  /** The hub has no room at the moment. The peer is not read for so long; it sees that its writes do not leave. */
  #later(events: readonly WireEvent[], receipt: Kept, bytes: number, since: number, error: unknown): void {
    const { timers, now, overloadTimeoutMs } = this.#host.options;
    if (now() - since >= overloadTimeoutMs) {
      this.#fail('unavailable', error);
      return;
    }
    this.#retry = timers.setTimeout(() => {
      this.#retry = undefined;
      this.#offer(events, receipt, bytes, since);
    }, OVERLOAD_RETRY_MS);
  }

  #settle(receipt: Kept, bytes: number): void {
    receipt.done = true;
    this.#uncommitted -= bytes;
    if (this.#stopped) return;
    for (let [first] = this.#receipts; first !== undefined; [first] = this.#receipts) {
      if (first.type === 'batch') {
        if (!first.done) break;
      } else {
        this.#pongs--;
        this.#host.pong(first.pong);
      }
      this.#receipts.shift();
    }
    this.#host.relieved();
    if (this.#pongs === 0) this.wake();
  }

  #fail(reason: 'unavailable' | 'internal-error', error: unknown): void {
    if (this.#stopped) return;
    this.stop();
    this.#host.failed(reason, error);
  }
}

function sizeOf(message: Message): number {
  return MESSAGE_OVERHEAD_BYTES + (typeof message === 'string' ? 0 : message.length);
}

const CODES: ReadonlySet<string> = new Set<HubErrorCode>([
  'invalid-event',
  'unauthorized',
  'command-refused',
  'unavailable',
  'overloaded',
  'closing',
]);

/** By name and code: an app may hold two copies of a package. */
function codeOf(error: unknown): HubErrorCode | undefined {
  if (!(error instanceof Error) || error.name !== 'HubError' || !('code' in error)) return undefined;
  return CODES.has(error.code as string) ? (error.code as HubErrorCode) : undefined;
}
