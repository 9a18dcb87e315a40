import type { Principal } from '@aepkit/access';
import type { CloseReason, Connection, DeliveredPosition, Ingress, PeerConnection, Sink } from '@aepkit/hub';

import type { ResolvedBindingOptions } from './binding-options.js';
import { CLOSE_CODES, type CloseCode } from './close-codes.js';
import { closingText } from './closing-text.js';
import { decodeMessage } from './decode-message.js';
import { encodeFrame } from './encode-frame.js';
import { END_CODES, type EndReason } from './end-reason.js';
import { endpointHello } from './endpoint-hello.js';
import type { WsErrorCode } from './error-code.js';
import type { ErrorFrame, Frame, HelloFrame, SubscribeFrame } from './frame.js';
import type { FrameFault } from './frame-fault.js';
import { refusalOf } from './hub-refusal.js';
import { Intake, type Message } from './intake.js';
import { Liveness } from './liveness.js';
import { rosterText } from './roster-text.js';
import { selectVersion } from './select-version.js';
import type { ServerConnectionInit } from './server-connection-init.js';
import { textFrame, wsEncoder } from './text-frame.js';
import type { Wire, WireEvents } from './wire.js';

/**
 * One peer of the endpoint, from the upgrade to the end (AEP-0003 §3.5, §4): a state machine between a wire and the hub.
 *
 * `opening`: nothing but a `hello` is taken, and nothing is sent ahead of ours but the `error` that refuses it. `open`: see
 * {@link Intake} for the order in which messages are handled. `closing`: everything has been said, the close handshake is
 * on its way; what still comes is not looked at. `over`: the socket is gone.
 */
export class ServerConnection implements WireEvents {
  readonly id: string;
  readonly #principal: Principal;
  readonly #wire: Wire;
  readonly #options: ResolvedBindingOptions;
  readonly #init: ServerConnectionInit;
  readonly #intake: Intake;
  #state: 'opening' | 'open' | 'closing' | 'over' = 'opening';
  #connection: Connection | undefined;
  #ingress: Ingress | undefined;
  #opened = false;
  #faults = 0;
  #paused = false;
  readonly #liveness: Liveness;
  #helloTimer: unknown;
  #grace: unknown;
  #drained: PromiseWithResolvers<void> | undefined;

  constructor(init: ServerConnectionInit) {
    const { id, principal, wire, options } = init;
    this.id = id;
    this.#init = init;
    this.#principal = principal;
    this.#wire = wire;
    this.#options = options;
    this.#liveness = new Liveness({
      wire,
      options,
      paused: () => this.#paused,
      ping: (t) => this.#send({ type: 'ping', t }),
      end: (reason) => this.end(reason),
    });
    this.#intake = new Intake({
      hub: options.hub,
      options,
      ingress: () => this.#ingress,
      full: () => wire.buffered >= options.maxBufferedBytes,
      open: (message) => this.#first(message),
      handle: (message) => {
        if (message.type === 'frame') this.#frame(message.frame);
        else if (message.type === 'fault') this.#fault(message);
        else if (message.type === 'leaving') this.#depart();
        else if (message.type === 'binary') this.#refuse('binary-unsupported', { code: 'binary-unsupported', detail: 'binary messages have no meaning in AEP 0.1' });
      },
      pong: (pong) => this.#send({ type: 'pong', ...pong }),
      refused: ({ event }, error) => this.#error({ ...refusalOf(error), cause: event.id }),
      failed: (reason, error) => this.#failed(reason, error),
      gather: () => wire.cork(),
      release: () => wire.uncork(),
      relieved: () => this.#flow(),
    });
    if (options.helloTimeoutMs === Infinity) return;
    this.#helloTimer = options.timers.setTimeout(() => this.#refuseOpening('hello-required', 'no hello in time'), options.helloTimeoutMs);
  }

  /** Bytes of messages and Events of this peer that wait. */
  get pendingBytes(): number {
    return this.#intake.pendingBytes;
  }

  text(message: Uint8Array): void {
    this.#push(message);
  }

  binary(): void {
    this.#push('binary');
  }

  alive(): void {
    this.#liveness.alive();
  }

  relieved(): void {
    if (this.#wire.buffered <= this.#options.highWaterMarkBytes / 2) this.#drain();
    if (this.#wire.buffered < this.#options.maxBufferedBytes) this.#intake.wake();
    this.#flow();
  }

  leaving(): void {
    // Behind the messages ahead of it.
    this.#push('leaving');
  }

  gone(): void {
    if (this.#state === 'over') return;
    this.#leave();
    this.#state = 'over';
    this.#options.timers.clearTimeout(this.#grace);
    this.#init.gone();
  }

  /** Ends the connection from this side: `closing` with the positions, then the close handshake (AEP-0003 §3.5). */
  end(reason: EndReason): void {
    if (this.#state === 'open') this.#close(reason, this.#connection?.delivered() ?? []);
    else if (this.#state === 'opening') this.#hangUp(END_CODES[reason], reason);
  }

  /** Ends it at once: it holds too much. */
  drop(): void {
    this.end('limit-exceeded');
    this.#wire.destroy();
  }

  /** Asks for a sign of life at once, and ends the connection where none comes (AEP-0004 §4.5). */
  probe(): void {
    if (this.#state === 'open') this.#liveness.probe();
  }

  #push(message: Message): void {
    if (this.#state !== 'opening' && this.#state !== 'open') return;
    this.#intake.push(message);
    this.#flow();
  }

  #first(message: Message): void {
    if (message === 'leaving') {
      this.#depart();
      return;
    }
    if (message === 'binary') {
      this.#refuseOpening('hello-required', 'a binary message');
      return;
    }
    if (message.length > this.#options.maxHelloBytes) {
      this.#refuseOpening('limit-exceeded', `the first message has more than ${String(this.#options.maxHelloBytes)} bytes`);
      return;
    }
    const decoded = decodeMessage(message, this.#options);
    if (decoded.type === 'frame' && decoded.frame.type === 'hello') this.#hello(decoded.frame);
    else if (decoded.type === 'fault' && decoded.frame === 'hello') this.#refuseOpening(decoded.code, decoded.detail);
    else this.#refuseOpening('hello-required', 'the first message has to be a hello');
  }

  #hello({ versions, role, identity, capabilities }: HelloFrame): void {
    const { hub } = this.#options;
    const version = selectVersion(versions, hub.facts().versions);
    if (version === undefined) {
      this.#refuseOpening('version-unsupported', 'no version in common');
      return;
    }
    if (role !== 'consumer' && identity?.agent === undefined) {
      this.#refuseOpening('invalid-hello', '$.identity.agent: needed from an emitter');
      return;
    }
    const peer: PeerConnection = {
      id: this.id,
      principal: this.#principal,
      role,
      ...(identity?.agent === undefined ? {} : { agent: identity.agent }),
      ...(identity?.instance === undefined ? {} : { instance: identity.instance }),
      ...(capabilities === undefined ? {} : { capabilities }),
      send: (command) => {
        // A target that reads nothing has not got it; better the sender hears so than that it waits.
        if (this.#state !== 'open' || this.#wire.buffered >= this.#options.maxBufferedBytes) return false;
        this.#wire.write(wsEncoder(command));
        return true;
      },
    };
    try {
      this.#connection = hub.connect({ sink: this.#sink(), principal: this.#principal, role, peer });
    } catch (error) {
      const { code, detail } = refusalOf(error);
      if (code === undefined) throw error;
      this.#refuseOpening('unavailable', detail);
      return;
    }
    this.#ingress = { principal: this.#principal, via: 'connection', connection: peer };
    this.#state = 'open';
    this.#options.timers.clearTimeout(this.#helloTimer);
    this.#send(endpointHello(version, this.#options));
    this.#liveness.start();
    this.#leaveOpening();
  }

  #frame(frame: Frame): void {
    const connection = this.#connection;
    if (connection === undefined) return;
    switch (frame.type) {
      case 'hello':
        this.#error({ code: 'invalid-request', detail: 'one hello per connection; the first one holds' });
        break;
      case 'subscribe':
        this.#subscribe(connection, frame);
        break;
      case 'unsubscribe':
        connection.unsubscribe(frame.id);
        this.#send({ type: 'unsubscribed', id: frame.id });
        break;
      case 'roster':
        this.#roster(connection, frame.id);
        break;
      case 'closing':
        // The peer starts the close handshake next; one that does not is not waited for.
        this.#expire();
        break;
      default:
        // Frames of the other direction, and signs of life.
        break;
    }
  }

  #subscribe(connection: Connection, { id, filter, from, capture }: SubscribeFrame): void {
    try {
      connection.subscribe({
        id,
        ...(filter === undefined ? {} : { filter: { value: filter } }),
        ...(from === undefined ? {} : { from: { value: from } }),
        ...(capture === undefined ? {} : { capture: capture as string }),
      });
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal.code === undefined) throw error;
      this.#error({ ...refusal, id });
      return;
    }
    this.#send({ type: 'subscribed', id });
  }

  #roster(connection: Connection, id: string): void {
    // Where it is not announced it is a frame like any unknown one.
    if (this.#options.hub.facts().capabilities.roster === undefined) return;
    const { maxRosterBytes } = this.#options;
    let text: string | undefined;
    try {
      const entries = connection.roster();
      if (entries === undefined) return;
      text = rosterText(id, entries, maxRosterBytes);
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal.code === undefined) throw error;
      this.#error({ ...refusal, id });
      return;
    }
    if (text === undefined) this.#error({ code: 'limit-exceeded', id, detail: `a roster of more than ${String(maxRosterBytes)} bytes` });
    else this.#wire.write(textFrame(text));
  }

  #fault({ code, detail, id, cause }: FrameFault): void {
    if (code === 'invalid-message' && ++this.#faults > this.#options.maxFaults) {
      this.#refuse('too-many-faults', { code: 'too-many-faults', detail: `more than ${String(this.#options.maxFaults)} messages that cannot be read` });
      return;
    }
    this.#error({ code, detail, ...(id === undefined ? {} : { id }), ...(cause === undefined ? {} : { cause }) });
  }

  #sink(): Sink {
    return {
      write: (batch) => {
        if (this.#state !== 'open') return false;
        this.#wire.write(batch.encoded(wsEncoder));
        return this.#wire.buffered < this.#options.highWaterMarkBytes;
      },
      drained: () => {
        if (this.#state !== 'open' || this.#wire.buffered < this.#options.highWaterMarkBytes) return Promise.resolve();
        this.#drained ??= Promise.withResolvers();
        return this.#drained.promise;
      },
      exhausted: ({ session, epoch, seq }, sub) => {
        this.#send({ type: 'replay-exhausted', sub, session, earliest: { epoch, seq } });
      },
      close: (reason: CloseReason, delivered) => {
        if (this.#state === 'open') this.#close(reason, delivered);
      },
    };
  }

  #send(frame: Frame): void {
    if (this.#state === 'open') this.#wire.write(textFrame(encodeFrame(frame)));
  }

  #error(error: Omit<ErrorFrame, 'type' | 'code'> & { readonly code: WsErrorCode }): void {
    this.#send({ type: 'error', ...error });
  }

  /** Refuses the peer for good, in the open state. */
  #refuse(reason: EndReason, error: { readonly code: WsErrorCode; readonly detail: string }): void {
    this.#error(error);
    this.end(reason);
  }

  /** The `error` frame of a refused opening is all that this side says (AEP-0003 §3.5, §4). */
  #refuseOpening(code: WsErrorCode, detail: string): void {
    if (this.#state !== 'opening') return;
    const versions = code === 'version-unsupported' ? { versions: this.#options.hub.facts().versions } : {};
    this.#wire.write(textFrame(encodeFrame({ type: 'error', code, ...versions, detail })));
    this.#hangUp(code === 'unavailable' ? CLOSE_CODES.overload : CLOSE_CODES.protocol, code);
  }

  #failed(reason: 'unavailable' | 'internal-error', error: unknown): void {
    if (reason === 'internal-error') {
      try {
        this.#options.onIncident({ connection: this.id, error });
      } catch {
        // A log that fails is no reason to fail others.
      }
    }
    this.end(reason);
  }

  #close(reason: EndReason, delivered: readonly DeliveredPosition[]): void {
    this.#wire.write(textFrame(closingText(reason, delivered)));
    this.#hangUp(END_CODES[reason], reason);
  }

  #hangUp(code: CloseCode, reason: string): void {
    this.#wire.close(code, reason);
    this.#depart();
  }

  /** The wire closes by itself. */
  #depart(): void {
    this.#leave();
    this.#expire();
  }

  /** The peer is out of the hub: subscriptions, claims and what waits for it are gone at once. */
  #leave(): void {
    if (this.#state === 'closing' || this.#state === 'over') return;
    this.#state = 'closing';
    this.#options.timers.clearTimeout(this.#helloTimer);
    this.#liveness.stop();
    this.#intake.stop();
    this.#connection?.close();
    this.#drain();
    // The answer to the close frame has to be read.
    if (this.#paused) this.#wire.resume();
    this.#paused = false;
    this.#leaveOpening();
  }

  #leaveOpening(): void {
    if (this.#opened) return;
    this.#opened = true;
    this.#init.opened();
  }

  /** A full socket passes neither `closing` nor a close frame: what has not left after a while is destroyed (AEP-0003 §8.4). */
  #expire(): void {
    const { timers, closeGraceMs } = this.#options;
    if (this.#grace !== undefined || closeGraceMs === Infinity || this.#isOver()) return;
    this.#grace = timers.setTimeout(() => {
      this.#leave();
      this.#wire.destroy();
    }, closeGraceMs);
  }

  #isOver(): boolean {
    return this.#state === 'over';
  }

  #drain(): void {
    this.#drained?.resolve();
    this.#drained = undefined;
  }

  /** Reads, or does not: bounded are what waits to be kept and what waits to leave. */
  #flow(): void {
    if (this.#state !== 'open' && this.#state !== 'opening') return;
    const { maxUncommittedBytes, maxBufferedBytes } = this.#options;
    const pending = this.#intake.pendingBytes;
    const { buffered } = this.#wire;
    if (!this.#paused && (pending >= maxUncommittedBytes || buffered >= maxBufferedBytes)) {
      this.#paused = true;
      this.#wire.pause();
    } else if (this.#paused && pending <= maxUncommittedBytes / 2 && buffered <= maxBufferedBytes / 2) {
      this.#paused = false;
      this.alive();
      this.#wire.resume();
    }
  }
}
