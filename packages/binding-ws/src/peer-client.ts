import { type AepEvent, createId, type WireEvent } from '@aepkit/envelope';
import type { RosterEntry } from '@aepkit/hub';

import { Berths } from './berths.js';
import type { SocketClientSettings } from './client-options.js';
import { CLOSE_CODES } from './close-codes.js';
import { encodeFrame } from './encode-frame.js';
import { SocketClientError } from './errors.js';
import type { Frame } from './frame.js';
import { RosterRequests } from './roster-requests.js';
import { SendQueue } from './send-queue.js';
import type { CommandReceipt, EndpointHello, SendOptions, SocketClient, SocketClientStats, SocketStatus, SocketSubscription } from './socket-client.js';
import type { Refused } from './socket-item.js';
import { StreamSubscription } from './stream-subscription.js';
import { resolveSubscribeOptions, type SubscribeOptions } from './subscribe-options.js';

/** The {@link SocketClient} of both platforms. */
export class PeerClient implements SocketClient {
  readonly #settings: SocketClientSettings;
  readonly #berths: Berths;
  readonly #queue: SendQueue;
  readonly #rosters: RosterRequests;
  #refused: Refused | undefined;
  #closed = false;

  constructor(settings: SocketClientSettings) {
    const { role, identity, capabilities, onCommand } = settings;
    this.#settings = settings;
    const named = role === 'consumer' ? identity : { instance: createId(), ...identity };
    const hello = { role, ...(named === undefined ? {} : { identity: named }), ...(capabilities === undefined ? {} : { capabilities }) };
    this.#berths = new Berths(settings, hello, {
      opened: (endpoint) => {
        this.#queue.opened();
        this.#rosters.opened(endpoint);
        this.#tell({ type: 'open', endpoint });
      },
      closed: (closed) => {
        this.#queue.closed(closed.code === CLOSE_CODES.tooLarge);
        this.#rosters.fail(new SocketClientError('disconnected', 'The connection ended.'));
        this.#tell(closed);
      },
      refused: (refused) => {
        this.#refused = refused;
        this.#queue.end(() => refusedError(refused));
        this.#rosters.fail(refusedError(refused));
        this.#tell(refused);
      },
      frame: (frame) => this.#frame(frame),
      command: (wire) => harmless(() => onCommand?.(wire)),
      waits: () => this.#queue.bytes > 0 || this.#rosters.waiting > 0,
    });
    const lane = this.#berths.main;
    this.#queue = new SendQueue(settings, { write: (text) => lane.send(text), ping: (t) => lane.send(encodeFrame({ type: 'ping', t })) });
    this.#rosters = new RosterRequests(settings, (text) => lane.send(text));
    lane.start();
  }

  get endpoint(): EndpointHello | undefined {
    return this.#berths.main.endpoint;
  }

  subscribe(options: SubscribeOptions = {}): SocketSubscription {
    this.#mustBeOpen();
    const resolved = resolveSubscribeOptions(options);
    if (options.id !== undefined && this.#berths.has(options.id)) throw new SocketClientError('duplicate-id', 'A subscription of this client has this id.');
    const subscription = new StreamSubscription(options.id ?? this.#berths.freshId(), resolved, this.#berths);
    this.#berths.add(subscription);
    return subscription;
  }

  async send(events: readonly (WireEvent | AepEvent)[], { resend = true, signal }: SendOptions = {}): Promise<void> {
    this.#mustBeOpen();
    signal?.throwIfAborted();
    this.#mustNotBeRefused();
    this.#berths.clearMain();
    const lane = this.#berths.main;
    if (!resend && lane.endpoint === undefined) {
      lane.retry();
      if (!lane.opening) throw new SocketClientError('disconnected', 'There is no connection.', { reason: 'not-written' });
    }
    await this.#queue.add(events, !resend, signal);
  }

  async command(command: WireEvent | AepEvent): Promise<CommandReceipt> {
    this.#mustBeOpen();
    if (this.#refused !== undefined) return { type: 'not-sent', detail: this.#refused.detail };
    this.#berths.clearMain();
    if (!this.#isNear()) return { type: 'not-sent', detail: 'There is no connection.' };
    try {
      await this.#queue.add([command], true);
      return { type: 'sent' };
    } catch (error) {
      if (!(error instanceof SocketClientError)) throw error;
      const { code, reason = '', message: detail } = error;
      if (code === 'refused') return { type: 'refused', code: reason, detail };
      return code === 'disconnected' && reason === 'written' ? { type: 'unknown', detail } : { type: 'not-sent', detail };
    }
  }

  async roster(): Promise<readonly RosterEntry[]> {
    this.#mustBeOpen();
    this.#mustNotBeRefused();
    this.#berths.clearMain();
    if (!this.#isNear()) throw new SocketClientError('disconnected', 'There is no connection.');
    return this.#rosters.ask(this.endpoint);
  }

  stats(): SocketClientStats {
    return { ...this.#berths.counts, sockets: this.#berths.size, queuedBytes: this.#queue.bytes };
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const closing = this.#berths.close();
    this.#queue.end(closedError);
    this.#rosters.fail(closedError());
    await closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #frame(frame: Frame): void {
    switch (frame.type) {
      case 'pong':
        if (this.#queue.pong(frame.t)) this.#berths.main.progress();
        return;
      case 'roster':
        this.#rosters.answered(frame);
        return;
      case 'error': {
        const { cause } = frame;
        if (this.#rosters.refused(frame) || cause === undefined) return;
        this.#queue.refused(frame);
        harmless(() => this.#settings.onRefused?.({ ...frame, cause }));
        return;
      }
      default:
    }
  }

  #tell(status: SocketStatus): void {
    harmless(() => this.#settings.onStatus?.(status));
  }

  /** Whether there is a connection, or one is being opened. */
  #isNear(): boolean {
    return this.endpoint !== undefined || this.#berths.main.opening;
  }

  #mustBeOpen(): void {
    if (this.#closed) throw closedError();
  }

  #mustNotBeRefused(): void {
    if (this.#refused !== undefined) throw refusedError(this.#refused);
  }
}

function closedError(): SocketClientError {
  return new SocketClientError('closed', 'The client was closed.');
}

function refusedError({ code, detail }: Refused): SocketClientError {
  return new SocketClientError('refused', detail === '' ? 'The endpoint refuses the connection.' : detail, { reason: code });
}

function harmless(call: () => void): void {
  try {
    call();
  } catch {
    // What a callback throws is not about the connection.
  }
}
