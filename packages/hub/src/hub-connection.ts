import type { Principal } from '@aepkit/access';
import type { Connection, ConnectOptions, SubscribeRequest, Subscription } from './connection.js';
import type { CloseReason, Commands, DeliveredPosition, EventLog, Exhausted, LogMark, PeerConnection, RosterEntry, Sink } from './contracts.js';
import { HubError } from './errors.js';
import { Addressee, type Fanout } from './fanout.js';
import type { HubIncident, ResolvedOptions } from './options.js';
import { Outbox, type OutboxHost } from './outbox.js';
import type { Counters } from './stats.js';
import { checkRequest } from './subscribe-request.js';
import { LiveSubscription } from './subscription.js';

/** What all connections of a hub share. */
export interface ConnectionHost {
  readonly log: EventLog;
  readonly options: ResolvedOptions;
  readonly counters: Counters;
  readonly fanout: Fanout;
  readonly commands: Commands | undefined;
  mark(): LogMark;
  closing(): boolean;
  gone(connection: HubConnection): void;
  incident(incident: HubIncident): void;
}

/** One consumer, its subscriptions and its outbox. */
export class HubConnection implements Connection {
  readonly id: string;
  readonly principal: Principal;
  readonly peer: PeerConnection | undefined;
  readonly #role: 'emitter' | 'consumer' | 'both';
  readonly #host: ConnectionHost;
  readonly #sink: Sink;
  readonly #subscriptions = new Map<string, LiveSubscription>();
  readonly #addressee: Addressee;
  readonly #outbox: Outbox;
  #closed = false;

  constructor(id: string, options: ConnectOptions, host: ConnectionHost) {
    this.id = id;
    this.principal = options.principal;
    this.peer = options.peer;
    this.#role = options.role ?? options.peer?.role ?? 'consumer';
    this.#host = host;
    this.#sink = options.sink;
    const outboxHost: OutboxHost = {
      log: host.log,
      options: host.options,
      counters: host.counters,
      mark: () => host.mark(),
      subscriptions: () => this.#subscriptions.values(),
      replayed: (subscription) => {
        this.#replayed(subscription);
      },
      fail: (reason, error) => {
        this.end(reason, error);
      },
    };
    this.#outbox = new Outbox(options.sink, outboxHost, options.positions ?? true);
    this.#addressee = new Addressee(this.#outbox);
  }

  get dropped(): number {
    return this.#outbox.dropped;
  }

  get queuedBytes(): number {
    return this.#outbox.queuedBytes;
  }

  get subscriptions(): number {
    return this.#subscriptions.size;
  }

  subscribe(request: SubscribeRequest): Subscription {
    const { options, fanout, counters } = this.#host;
    this.#mayWatch('subscribe');
    const { id, filter, ceiling, from, live } = checkRequest(request, options);
    // The first of two subscriptions under one id goes on undisturbed.
    if (this.#subscriptions.has(id)) throw new HubError('invalid-filter', 'id: in use by another subscription of this connection');
    // Each replay is a stage of the outbox, also when its subscription has been ended meanwhile.
    if (this.#subscriptions.size >= options.maxSubscriptions || this.#outbox.stages > 4 * options.maxSubscriptions) {
      throw new HubError('limit-exceeded', `more than ${String(options.maxSubscriptions)} subscriptions of one connection`);
    }
    // Asked for by a sink in answer to a write: what the running fan-out holds for this connection is from before.
    this.#host.fanout.flush(this.#addressee);
    if (this.#closed) throw new HubError('closing', 'the connection is closed');
    // From here to the end nothing may wait: see Outbox.
    const subscription = new LiveSubscription({ id, filter, ceiling, live, since: this.#host.mark(), addressee: this.#addressee });
    this.#subscriptions.set(id, subscription);
    if (from !== undefined) counters.replays++;
    if (from !== undefined || !live) this.#outbox.replay(subscription, from);
    else this.#outbox.join();
    if (live) fanout.add(subscription);
    return subscription;
  }

  unsubscribe(id: string): void {
    const subscription = this.#subscriptions.get(id);
    if (subscription === undefined) return;
    this.#host.fanout.flush(this.#addressee);
    this.#end(subscription);
    this.#outbox.remove(subscription);
  }

  roster(): readonly RosterEntry[] | undefined {
    this.#mayWatch('ask for the roster');
    return this.#host.commands?.roster();
  }

  delivered(): readonly DeliveredPosition[] {
    return this.#closed ? [] : this.#outbox.delivered();
  }

  /** Events of a session ahead of a position never come. */
  missed({ session, epoch, seq }: Exhausted): void {
    for (const subscription of this.#subscriptions.values()) {
      const { sessions } = subscription.filter;
      if (subscription.live && (sessions === undefined || sessions.has(session))) this.#outbox.owe(session, subscription, { from: { epoch, seq } });
    }
  }

  close(): void {
    this.#leave('peer');
  }

  /** Ends the connection from this side; the sink learns why, and what it got (AEP-0003 §3.5). */
  end(reason: CloseReason, error?: unknown): void {
    if (this.#closed) return;
    const delivered = this.#outbox.delivered();
    this.#leave(reason);
    if (error !== undefined) this.#incident(reason, error);
    try {
      this.#sink.close(reason, delivered);
    } catch (cause) {
      this.#host.incident({ type: 'sink-failed', connection: this.id, error: cause });
    }
  }

  /** Settles when what was fanned out is written. */
  flushed(): Promise<void> {
    return this.#outbox.flushed();
  }

  /** Hands over what the running fan-out holds for it. */
  #mayWatch(what: string): void {
    if (this.#closed || this.#host.closing()) throw new HubError('closing', 'the endpoint or this connection is closing');
    if (this.#role === 'emitter') throw new HubError('unauthorized', `an emitter connection may not ${what}`);
    if (!this.principal.scopes.has('observe')) throw new HubError('unauthorized', `the scope observe is needed to ${what}`);
  }

  #replayed(subscription: LiveSubscription): void {
    if (subscription.live) return;
    this.#end(subscription);
    if (this.#subscriptions.size === 0) this.end('replay-done');
  }

  #end(subscription: LiveSubscription): void {
    this.#host.fanout.delete(subscription);
    this.#subscriptions.delete(subscription.id);
    subscription.end();
  }

  #leave(reason: CloseReason | 'peer'): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#host.counters.closed[reason]++;
    for (const subscription of [...this.#subscriptions.values()]) this.#end(subscription);
    this.#outbox.close();
    this.#host.gone(this);
  }

  #incident(reason: CloseReason, error: unknown): void {
    const type = reason === 'unavailable' ? 'replay-failed' : 'sink-failed';
    this.#host.incident({ type, connection: this.id, error });
  }
}
