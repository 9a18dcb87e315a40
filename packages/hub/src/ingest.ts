import { isCommand, type WireEvent } from '@aepkit/envelope';
import type { Admission, Commands, EventLog, Ingress, PeerConnection } from './contracts.js';
import { HubError } from './errors.js';
import type { HubIncident } from './options.js';
import type { Counters } from './stats.js';

/** What became of a batch. */
export interface IngestReceipt {
  /** One per Event, same order. */
  readonly admissions: readonly Admission[];
}

/** What ingest needs from the hub. */
export interface IngestHost {
  readonly log: EventLog;
  readonly commands: Commands | undefined;
  readonly counters: Counters;
  readonly maxUncommittedBytes: number;
  closing(): boolean;
  incident(incident: HubIncident): void;
}

/** The way in: validate and authorise all, then admit. */
export class Ingest {
  readonly #host: IngestHost;
  #uncommitted = 0;
  #running = 0;
  #idle: (() => void)[] = [];

  constructor(host: IngestHost) {
    this.#host = host;
  }

  /** Bytes of Events that wait for their commit. */
  get uncommittedBytes(): number {
    return this.#uncommitted;
  }

  /** Settles when no batch is on its way to the log. */
  idle(): Promise<void> {
    return this.#running === 0 ? Promise.resolve() : new Promise((resolve) => this.#idle.push(resolve));
  }

  /** See `Hub.ingest`. Everything up to the append happens in the turn of the call, so batches keep their order. */
  async ingest(events: readonly WireEvent[], from: Ingress): Promise<IngestReceipt> {
    let bytes: number;
    let kept: Promise<readonly Admission[]>;
    try {
      bytes = this.#check(events, from);
      if (events.length === 0) return { admissions: [] };
      this.#claim(events, from);
      this.#route(events, from);
    } catch (error) {
      this.#host.counters.refused++;
      throw error;
    }
    this.#uncommitted += bytes;
    this.#running++;
    try {
      kept = this.#host.log.append(events);
      return { admissions: await kept };
    } catch (error) {
      this.#host.counters.refused++;
      throw new HubError('unavailable', 'the log could not keep the batch', { cause: error });
    } finally {
      this.#uncommitted -= bytes;
      if (--this.#running === 0) for (const resolve of this.#idle.splice(0)) resolve();
    }
  }

  /** Refuses the batch as a whole, or gives its size. Has no effect. */
  #check(events: readonly WireEvent[], from: Ingress): number {
    if (this.#host.closing()) throw new HubError('closing', 'the endpoint is shutting down');
    const mayEmit = from.principal.scopes.has('emit');
    let bytes = 0;
    let index = 0;
    for (const wire of events) {
      if (!isWire(wire)) throw new HubError('invalid-event', 'not an Event with its text', { index });
      if (isCommand(wire.event.type) && from.via !== 'link') this.#checkCommand(events, index, from);
      else if (!mayEmit) throw new HubError('unauthorized', 'the scope emit is needed', { index });
      bytes += wire.json.length;
      index++;
    }
    // A single batch beyond the bound could never pass, so it only has to be alone.
    if (this.#uncommitted > 0 && this.#uncommitted + bytes > this.#host.maxUncommittedBytes) {
      throw new HubError('overloaded', `more than ${String(this.#host.maxUncommittedBytes)} bytes wait for their commit`);
    }
    return bytes;
  }

  /** Commands come in on an authenticated duplex connection only (AEP-0004 §4.1); over a link they are history. */
  #checkCommand(events: readonly WireEvent[], index: number, from: Ingress): void {
    if (from.via !== 'connection' || from.connection === undefined) {
      throw new HubError('command-refused', 'commands are taken on a duplex connection only', { index });
    }
    if (this.#host.commands === undefined) {
      throw refusedCommand('no-route', 'this endpoint routes no commands', index);
    }
    if (!from.principal.authenticated || !from.principal.scopes.has('control')) {
      throw refusedCommand('unauthorized', 'commands need authentication and the scope control', index);
    }
    // A refusal has to come before anything is handed over, and a batch is all or nothing.
    if (events.length > 1) throw new HubError('command-refused', 'a command comes alone, not in a batch', { index });
  }

  /** Decides, hands over, and appends (in `ingest`) in one turn: a refused command is in no history (AEP-0004 §4.5). */
  #route(events: readonly WireEvent[], from: Ingress): void {
    const [command] = events;
    const { commands } = this.#host;
    if (command === undefined || commands === undefined || from.via !== 'connection' || from.connection === undefined) return;
    if (!isCommand(command.event.type)) return;
    const answer = commands.route(command, from.connection);
    if (answer.type === 'refused') throw refusedCommand(answer.code, answer.detail, 0);
  }

  /** Only what an emitter sends on its own connection claims a session; not a POST, not a link (AEP-0003 §4.1). */
  #claim(events: readonly WireEvent[], from: Ingress): void {
    const { commands } = this.#host;
    const { connection } = from;
    if (commands === undefined || from.via !== 'connection' || connection === undefined || connection.role === 'consumer') return;
    for (const wire of events) if (Object.hasOwn(wire.event, 'seq')) this.#seen(commands, connection, wire);
  }

  #seen(commands: Commands, connection: PeerConnection, wire: WireEvent): void {
    try {
      commands.seen(connection, wire);
    } catch (error) {
      this.#host.incident({ type: 'commands-failed', connection: connection.id, error });
    }
  }
}

function refusedCommand(code: 'unauthorized' | 'no-route' | 'unsupported' | 'ambiguous', detail: string, index: number): HubError {
  return new HubError('command-refused', detail, { index, refusal: { type: 'refused', code, detail } });
}

function isWire(wire: unknown): wire is WireEvent {
  if (typeof wire !== 'object' || wire === null) return false;
  const { event, json } = wire as { readonly event?: { readonly type?: unknown } | null; readonly json?: unknown };
  return typeof json === 'string' && typeof event === 'object' && event !== null && typeof event.type === 'string';
}
