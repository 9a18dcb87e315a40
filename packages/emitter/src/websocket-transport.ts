import { connectSocket, SocketClientError, type SocketClient, type SocketClientOptions, type SocketStatus } from '@aepkit/binding-ws/client';
import type { WireEvent } from '@aepkit/envelope';

import { TransportError } from './errors.js';
import { milliseconds } from './options.js';
import { GLOBAL_TIMERS, idleTimer } from './timers.js';
import type { Transport, TransportPeer } from './transport.js';

/** How long the endpoint may take to confirm a batch, in milliseconds, unless `confirmTimeoutMs` says otherwise. */
export const DEFAULT_CONFIRM_TIMEOUT_MS = 30_000;

/** What {@link webSocketTransport} takes: where to, and how the connection is kept. Queue and attempts are the emitter's business. */
export interface WebSocketTransportOptions
  extends Pick<
    SocketClientOptions,
    | 'url'
    | 'token'
    | 'tokenIn'
    | 'headers'
    | 'connectTimeoutMs'
    | 'pingIntervalMs'
    | 'silenceTimeoutMs'
    | 'minBackoffMs'
    | 'maxBackoffMs'
    | 'maxUnconfirmedBytes'
    | 'webSocket'
    | 'random'
    | 'timers'
  > {
  /** Tells the processes of this agent apart. Default: a fresh id per transport. */
  readonly instance?: string;
  /** An identity document (AEP-0003 §8.3). */
  readonly card?: unknown;
  /** Categories that are emitted, for `capabilities.emits`: a hint for routing. Default: not stated. */
  readonly emits?: readonly string[];
  /** Default {@link DEFAULT_CONFIRM_TIMEOUT_MS}. */
  readonly confirmTimeoutMs?: number;
  /** Told of the connection: open, closed. What it throws is dropped. */
  readonly onStatus?: (status: SocketStatus) => void;
}

/**
 * Brings Events to an endpoint over WebSocket (AEP-0003 §3.5), and commands from there to the emitter (AEP-0004). It connects when it is
 * given to an emitter, and stays connected until that is closed, which also keeps the program running.
 *
 * A batch is taken when a pong covers it. What the endpoint finds wrong with one Event loses that Event; whatever else goes wrong may
 * pass, a wrong token too. An endpoint knows whose a session is by what came over the connection, so where commands are taken the last
 * Event of each open session is sent once more after a reconnect.
 *
 * Throws RangeError or TypeError for options that cannot be used.
 *
 * @example
 * const transport = webSocketTransport({ url: 'ws://127.0.0.1:8787/socket', token });
 * const emitter = createEmitter({ agent: 'my-agent', transport, accepts: ['control.cancel'], onCommand });
 */
export function webSocketTransport(options: WebSocketTransportOptions): Transport {
  return new SocketTransport(options);
}

class SocketTransport implements Transport {
  readonly #options: WebSocketTransportOptions;
  readonly #confirmTimeoutMs: number;
  readonly #attached = Promise.withResolvers<SocketClient>();
  #client: SocketClient | undefined;
  #status: SocketStatus | undefined;
  /** The last Event of each open session, where commands are taken. */
  #claims: Map<string, WireEvent> | undefined;
  #opened = 0;

  constructor(options: WebSocketTransportOptions) {
    this.#options = options;
    this.#confirmTimeoutMs = milliseconds('confirmTimeoutMs', options.confirmTimeoutMs ?? DEFAULT_CONFIRM_TIMEOUT_MS);
  }

  attach({ agent, control, onCommand }: TransportPeer): void {
    if (this.#client !== undefined) throw new TypeError('a WebSocket transport belongs to one emitter');
    const { instance, card, emits, confirmTimeoutMs: _, onStatus, ...socket } = this.#options;
    if (onCommand !== undefined) this.#claims = new Map();
    const capabilities = { ...(emits === undefined ? {} : { emits: [...emits] }), ...(control === undefined ? {} : { control: { ...control, accepts: [...control.accepts] } }) };
    this.#client = connectSocket({
      ...socket,
      role: 'emitter',
      identity: { agent, ...(instance === undefined ? {} : { instance }), ...(card === undefined ? {} : { card }) },
      ...(Object.keys(capabilities).length === 0 ? {} : { capabilities }),
      ...(onCommand === undefined ? {} : { onCommand }),
      // A refusal concerns the endpoint and not the Events: they wait until somebody has repaired it.
      retryRefused: true,
      onStatus: (status) => {
        this.#status = status;
        if (status.type === 'open') this.#claimAgain();
        onStatus?.(status);
      },
    });
    this.#attached.resolve(this.#client);
  }

  async send(batch: readonly WireEvent[], { signal }: { readonly signal: AbortSignal }): Promise<void> {
    const client = this.#client ?? (await this.#wait(signal));
    const over = new AbortController();
    const stop = (): void => over.abort();
    const { timers = GLOBAL_TIMERS } = this.#options;
    const timer = idleTimer(timers, () => over.abort(new TransportError('the endpoint did not confirm in time', { retryable: true, code: 'timeout' })), this.#confirmTimeoutMs);
    signal.addEventListener('abort', stop, { once: true });
    try {
      await client.send(batch, { resend: false, signal: over.signal });
      this.#remember(batch);
    } catch (error) {
      throw this.#translate(error);
    } finally {
      timers.clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    }
  }

  async close(): Promise<void> {
    await this.#client?.close();
  }

  /** A spool delivers before there is an emitter. */
  #wait(signal: AbortSignal): Promise<SocketClient> {
    return new Promise((resolve, reject) => {
      const stop = (): void => reject(new TransportError('there is no emitter', { retryable: true }));
      if (signal.aborted) stop();
      signal.addEventListener('abort', stop, { once: true });
      void this.#attached.promise.then((client) => {
        signal.removeEventListener('abort', stop);
        resolve(client);
      });
    });
  }

  #remember(batch: readonly WireEvent[]): void {
    if (this.#claims === undefined) return;
    for (const wire of batch) {
      const { session, seq, type } = wire.event;
      if (session === undefined || seq === undefined) continue;
      this.#claims.delete(session);
      if (type !== 'session.ended') this.#claims.set(session, wire);
    }
  }

  #claimAgain(): void {
    this.#opened += 1;
    if (this.#opened === 1 || this.#claims === undefined || this.#claims.size === 0) return;
    // Whoever gets one of these again has its id already.
    this.#client?.send([...this.#claims.values()], { resend: false }).catch(() => undefined);
  }

  #translate(error: unknown): unknown {
    if (!(error instanceof SocketClientError)) return error;
    const { code, reason, index, message } = error;
    // A token without the right may get it; anything else that is said of an Event is about that Event.
    if (index !== undefined && reason !== 'unauthorized') return new TransportError(message, { retryable: false, accepted: index, index, code, cause: error });
    return new TransportError(code === 'disconnected' ? this.#whyClosed(message) : message, { retryable: true, code: reason === 'unauthorized' ? 'forbidden' : this.#troubleCode(code), cause: error });
  }

  /** A batch learns only that the connection is gone; what the endpoint, or the network, said is in the status. */
  #whyClosed(message: string): string {
    return (this.#status?.type === 'closed' ? this.#status.detail : undefined) ?? message;
  }

  /** As over HTTP. */
  #troubleCode(code: string): string {
    if (code !== 'disconnected') return code;
    const status = this.#status?.type === 'closed' ? this.#status.status : undefined;
    if (status === 401) return 'unauthorized';
    if (status === 403) return 'forbidden';
    return status !== undefined && status >= 400 && status < 500 ? 'refused' : 'network';
  }
}
