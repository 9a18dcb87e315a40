import { CAPTURES, SUPPORTED_VERSIONS, type WireEvent } from '@aepkit/envelope';
import type { Connection, ConnectOptions } from './connection.js';
import type { CloseReason, Commands, CommittedBatch, EventLog, Exhausted, Ingress, LogMark, PeerConnection } from './contracts.js';
import { HubError } from './errors.js';
import type { EndpointFacts } from './facts.js';
import { Fanout } from './fanout.js';
import { type ConnectionHost, HubConnection } from './hub-connection.js';
import { Ingest, type IngestReceipt } from './ingest.js';
import { type HubIncident, type HubOptions, resolveOptions, type ResolvedOptions } from './options.js';
import { type Counters, countCommit, type HubStats, newCounters } from './stats.js';

/**
 * The core of an endpoint: what comes in is kept by the log and then goes to the subscriptions that match, live or
 * replayed. Knows no transport; a binding hands Events in and implements `Sink`.
 *
 * @example
 * const hub = new Hub({ log: memoryLog(new ReplayBuffer({})), id: 'relay-1' });
 * const connection = hub.connect({ sink, principal });
 * connection.subscribe({ id: 's', filter: { text: '{"type":"tool.*"}' }, from: 'all' });
 * await hub.ingest([parseEvent(line)], { principal, via: 'post' });
 */
export class Hub {
  readonly #options: ResolvedOptions;
  readonly #log: EventLog;
  readonly #commands: Commands | undefined;
  readonly #counters: Counters = newCounters();
  readonly #fanout = new Fanout();
  readonly #ingest: Ingest;
  readonly #connections = new Map<string, HubConnection>();
  readonly #connectionHost: ConnectionHost;
  readonly #forget: () => void;
  #mark: LogMark;
  #made = 0;
  #closing: Promise<void> | undefined;

  /** Throws a `TypeError` or `RangeError` for options that make no sense. */
  constructor(options: HubOptions) {
    this.#options = resolveOptions(options);
    this.#log = options.log;
    this.#commands = options.commands;
    const shared = {
      log: options.log,
      commands: options.commands,
      counters: this.#counters,
      closing: () => this.#closing !== undefined,
      incident: (incident: HubIncident) => {
        this.#counters.incidents++;
        this.#options.onIncident(incident);
      },
    };
    this.#ingest = new Ingest({ ...shared, maxUncommittedBytes: this.#options.maxUncommittedBytes });
    this.#connectionHost = {
      ...shared,
      options: this.#options,
      fanout: this.#fanout,
      mark: () => this.#mark,
      gone: (connection) => {
        this.#gone(connection);
      },
    };
    this.#mark = options.log.mark();
    this.#forget = options.log.onCommit((batch) => {
      this.#committed(batch);
    });
  }

  /**
   * Admits a batch, all or nothing; resolves after its commit and fan-out. Repeats of `(source, id)` are a success
   * (AEP-0003 §5). Batches are admitted in the order of the calls.
   *
   * Rejects with {@link HubError}: `unauthorized`, `command-refused`, `invalid-event`, `overloaded`, `unavailable`,
   * `closing`; `index` names the Event that is to blame. Nothing of the batch was admitted or fanned out then.
   */
  ingest(events: readonly WireEvent[], from: Ingress): Promise<IngestReceipt> {
    return this.#ingest.ingest(events, from);
  }

  /**
   * Adds a peer. It gets nothing before it subscribes.
   * @throws HubError `limit-exceeded`, `closing`.
   */
  connect(options: ConnectOptions): Connection {
    if (this.#closing !== undefined) throw new HubError('closing', 'the endpoint is shutting down');
    if (this.#connections.size >= this.#options.maxConnections) {
      throw new HubError('limit-exceeded', `more than ${String(this.#options.maxConnections)} connections`);
    }
    const id = options.peer?.id ?? `c${String(++this.#made)}`;
    if (this.#connections.has(id)) throw new TypeError(`peer.id: ${id} is in use`);
    const connection = new HubConnection(id, options, this.#connectionHost);
    this.#connections.set(id, connection);
    if (options.peer !== undefined) this.#announce(options.peer, (commands, peer) => commands.hello(peer));
    return connection;
  }

  /**
   * Takes note that Events of a session ahead of a position never come: the endpoint they are drawn from no longer holds them. They count as
   * evicted here, and whoever is subscribed gets its marker ahead of the session's next Event from there on (AEP-0003 §5). Call it when
   * what came before has been admitted, and ahead of what follows.
   */
  missed(earliest: Exhausted): void {
    this.#log.missed?.(earliest);
    for (const connection of [...this.#connections.values()]) connection.missed(earliest);
  }

  /** What the endpoint states about itself, in discovery and in `hello` (AEP-0003 §3.4, §4). */
  facts(): EndpointFacts {
    const { id, role, replayAll, control, experimental } = this.#options;
    return {
      id,
      versions: [...SUPPORTED_VERSIONS],
      role,
      capabilities: {
        filters: ['attr-match'],
        replay: replayAll ? { buffer: this.#log.buffer, all: true } : { buffer: this.#log.buffer },
        capture: [...CAPTURES],
        ...(control === undefined || this.#commands === undefined ? {} : { control }),
        ...(this.#commands === undefined ? {} : { roster: {} }),
        experimental: experimental(),
      },
    };
  }

  stats(): HubStats {
    let queuedBytes = 0;
    let subscriptions = 0;
    for (const connection of this.#connections.values()) {
      queuedBytes += connection.queuedBytes;
      subscriptions += connection.subscriptions;
    }
    return {
      ...this.#counters,
      closed: { ...this.#counters.closed },
      connections: this.#connections.size,
      subscriptions,
      queuedBytes,
      uncommittedBytes: this.#ingest.uncommittedBytes,
    };
  }

  /**
   * Shuts down: nothing new is taken, what is on its way to the log is committed and fanned out, queues are let out, then
   * every sink is told. Waits for slow ones no longer than `closeTimeoutMs`. A second call joins the first.
   */
  close(reason: CloseReason = 'shutdown'): Promise<void> {
    return (this.#closing ??= this.#shutDown(reason));
  }

  async #shutDown(reason: CloseReason): Promise<void> {
    const { closeTimeoutMs, timers } = this.#options;
    let timer: unknown;
    const expired = new Promise<void>((resolve) => {
      if (closeTimeoutMs !== Infinity) timer = timers.setTimeout(resolve, closeTimeoutMs);
    });
    await Promise.race([expired, this.#ingest.idle()]);
    await Promise.race([expired, Promise.all([...this.#connections.values()].map((each) => each.flushed()))]);
    if (timer !== undefined) timers.clearTimeout(timer);
    this.#forget();
    for (const connection of [...this.#connections.values()]) connection.end(reason);
  }

  /**
   * One committed batch. Matching comes first and calls nobody; then the mark moves; then outboxes are served. So a
   * subscription that a sink asks for while it is being written to reads a mark that covers this batch, and the batch was
   * not matched for it: the replay has it, and live delivery has not.
   */
  #committed(batch: CommittedBatch): void {
    this.#fanout.run(batch, () => {
      this.#mark = batch.mark;
      countCommit(this.#counters, batch);
    });
  }

  #gone(connection: HubConnection): void {
    this.#connections.delete(connection.id);
    if (connection.peer !== undefined) this.#announce(connection.peer, (commands, peer) => commands.closed(peer));
  }

  #announce(peer: PeerConnection, tell: (commands: Commands, peer: PeerConnection) => void): void {
    if (this.#commands === undefined) return;
    try {
      tell(this.#commands, peer);
    } catch (error) {
      this.#connectionHost.incident({ type: 'commands-failed', connection: peer.id, error });
    }
  }
}
