import type { ResolvedBindingOptions } from './binding-options.js';
import type { Wire } from './wire.js';

/** What a {@link Liveness} needs of its connection. */
export interface LivenessHost {
  readonly wire: Pick<Wire, 'buffered' | 'ping' | 'unfinished'>;
  readonly options: Pick<
    ResolvedBindingOptions,
    'pingMs' | 'idleTimeoutMs' | 'messageTimeoutMs' | 'probeTimeoutMs' | 'highWaterMarkBytes' | 'maxBufferedBytes' | 'timers' | 'now'
  >;
  /** Whether this side does not read at the moment. */
  paused(): boolean;
  /** Sends a `ping` frame. */
  ping(t: number): void;
  /** The peer is taken for dead, or sends a message without end. */
  end(reason: 'idle-timeout' | 'message-timeout'): void;
}

/**
 * Finds dead peers: a ping every `pingMs`, an end after `idleTimeoutMs` with nothing received (AEP-0003 §3.5). Whatever comes
 * in counts. Each `ping` frame goes with a ping of the WebSocket protocol, which runtimes answer by themselves.
 */
export class Liveness {
  readonly #host: LivenessHost;
  #aliveAt: number;
  /** How often something came in. */
  #heard = 0;
  #pingAt = Infinity;
  #timer: unknown;
  #probe: unknown;
  #stopped = false;
  /** Was found dead the last time. */
  #suspected = false;

  constructor(host: LivenessHost) {
    this.#host = host;
    this.#aliveAt = host.options.now();
  }

  /** Something came in. */
  alive(): void {
    this.#heard++;
    this.#aliveAt = this.#host.options.now();
  }

  start(): void {
    const { now, pingMs } = this.#host.options;
    this.#pingAt = now() + pingMs;
    this.#next();
  }

  stop(): void {
    this.#stopped = true;
    const { timers } = this.#host.options;
    timers.clearTimeout(this.#timer);
    timers.clearTimeout(this.#probe);
  }

  /** Asks for a sign of life at once, and takes the peer for dead where none comes. */
  probe(): void {
    if (this.#probe !== undefined || this.#stopped) return;
    const { timers, probeTimeoutMs, highWaterMarkBytes } = this.#host.options;
    if (probeTimeoutMs === Infinity) return;
    const heard = this.#heard;
    const { buffered } = this.#host.wire;
    this.#ping();
    this.#probe = timers.setTimeout(() => {
      // No ping goes behind a full buffer; one that empties has a reader.
      const dead = (): boolean => this.#heard === heard && !(buffered >= highWaterMarkBytes && this.#host.wire.buffered < buffered);
      this.#probe = timers.setTimeout(() => {
        this.#probe = undefined;
        if (dead()) this.#host.end('idle-timeout');
      }, 1);
    }, probeTimeoutMs);
  }

  #look(): void {
    const { wire, options } = this.#host;
    const { now, idleTimeoutMs, messageTimeoutMs, pingMs, maxBufferedBytes } = options;
    // Whoever is not read because of what waits to be kept cannot show that it lives.
    if (this.#host.paused() && wire.buffered < maxBufferedBytes / 2) this.alive();
    const { unfinished } = wire;
    const idle = now() - this.#aliveAt >= idleTimeoutMs;
    const late = unfinished !== undefined && !this.#host.paused() && now() - unfinished.since >= messageTimeoutMs;
    if (idle || late) {
      if (this.#suspected) {
        this.#host.end(idle ? 'idle-timeout' : 'message-timeout');
        return;
      }
      // Where this process stood still, what came in meanwhile is not read yet.
      this.#suspected = true;
      this.#next();
      return;
    }
    this.#suspected = false;
    if (now() >= this.#pingAt) {
      this.#pingAt = now() + pingMs;
      this.#ping();
    }
    this.#next();
  }

  #next(): void {
    if (this.#stopped) return;
    const { timers, now, idleTimeoutMs, messageTimeoutMs } = this.#host.options;
    const { unfinished } = this.#host.wire;
    const due = Math.min(this.#pingAt, this.#aliveAt + idleTimeoutMs, (unfinished?.since ?? now()) + messageTimeoutMs);
    if (due === Infinity) return;
    this.#timer = timers.setTimeout(() => {
      this.#look();
    }, Math.max(1, due - now()));
  }

  #ping(): void {
    const { wire, options } = this.#host;
    // Behind what already waits it would tell nobody anything.
    if (wire.buffered >= options.highWaterMarkBytes) return;
    this.#host.ping(Math.round(options.now()));
    wire.ping();
  }
}
