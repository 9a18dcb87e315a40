import { decodeUtf8 } from '@aepkit/envelope';

import { textOf } from './capabilities.js';
import { isControlType } from './control-type.js';
import { MessageError, type MessageFacts } from './errors.js';
import { MESSAGE_VERSION, type Message } from './message.js';
import { refusal, type Outgoing } from './outgoing.js';
import { parseMessage } from './parse-message.js';
import type { ProducerIncident } from './producer-incident.js';
import type { ConnectOptions, ProducerConnection } from './producer-connection.js';
import type { ProducerCore } from './producer-core.js';
import { ProducerSession } from './producer-session.js';
import { isFinal } from './session-state.js';
import { wireError, type WireError } from './wire-error.js';

/** The inside of a {@link ProducerConnection}. */
export class ConnectionCore implements ProducerConnection {
  readonly transport: string;
  readonly replay: boolean;
  readonly identity: unknown;
  readonly #core: ProducerCore;
  readonly #options: ConnectOptions;
  readonly #onClose: (connection: ConnectionCore) => void;
  readonly #sessions = new Map<string, ProducerSession>();
  #full = false;
  #backlog = 0;
  #turn = -1;
  #closed = false;

  constructor(core: ProducerCore, options: ConnectOptions, onClose: (connection: ConnectionCore) => void) {
    this.#core = core;
    this.#options = options;
    this.#onClose = onClose;
    this.transport = options.transport;
    this.replay = options.replay ?? options.transport !== 'stdio';
    this.identity = options.identity;
  }

  /** Whether events go out at the moment. */
  get canSend(): boolean {
    return !this.#full && !this.#closed;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Bytes of the filters of its subscriptions, and of requests whose cursors are being opened. */
  get filterBytes(): number {
    let bytes = 0;
    for (const session of this.#sessions.values()) bytes += session.filterBytes;
    return bytes;
  }

  /** Its sessions, those that are over included. */
  sessions(): readonly ProducerSession[] {
    return [...this.#sessions.values()];
  }

  receive(input: string | Uint8Array | { readonly bad: string }): void {
    if (this.#closed) return;
    this.#core.clock.catchUp();
    if (typeof input === 'object' && 'bad' in input) {
      this.#refuse({}, wireError('protocol_error', input.bad));
      return;
    }
    let message: Message;
    try {
      message = parseMessage(input, this.#core.settings);
    } catch (error) {
      if (!(error instanceof MessageError)) throw error;
      const details = error.wireCode === 'unsupported_version' ? { supported: [MESSAGE_VERSION] } : { reason: error.code, path: error.path };
      this.#refuse(error.facts, wireError(error.wireCode, error.message, details));
      return;
    }
    this.#dispatch(message, input);
  }

  drained(): void {
    if (this.#closed) return;
    this.#full = false;
    this.#backlog = 0;
    // Another one first every time: who catches up with much must not keep the others waiting.
    const sessions = this.sessions();
    this.#turn = (this.#turn + 1) % Math.max(1, sessions.length);
    for (const session of [...sessions.slice(this.#turn), ...sessions.slice(0, this.#turn)]) session.drained();
  }

  endSession(sessionId: string, reason = 'ended by the producer'): boolean {
    const session = this.#sessions.get(sessionId);
    if (session === undefined || isFinal(session.state)) return false;
    session.end('closed', { type: 'session.closed', payload: { session_id: sessionId, reason } });
    return true;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const session of this.#sessions.values()) session.end('disconnected');
    this.#onClose(this);
  }

  /** Sends a message of the producer; unlike events these are never held back. */
  send(outgoing: Outgoing): void {
    if (this.#closed) return;
    if (this.#full) {
      this.#backlog += 1;
      if (this.#backlog > this.#core.settings.maxControlBacklog) {
        this.#giveUp({ type: 'overloaded' });
        return;
      }
    }
    this.sendText(JSON.stringify(this.#core.make(outgoing)));
  }

  sendText(text: string): void {
    if (this.#closed) return;
    try {
      if (!this.#options.send(text)) this.#full = true;
    } catch (error) {
      this.fail(error);
    }
  }

  /** Its transport or a hook threw: gives it up, and keeps that from whoever gets the same event next. */
  fail(error: unknown): void {
    if (this.#closed) return;
    this.#giveUp({ type: 'connection-failed', error });
  }

  /** Answers a message with `event.rejected` (C3). */
  refuse(message: Message, error: WireError): void {
    this.#refuse(message, error);
  }

  #dispatch(message: Message, input: string | Uint8Array): void {
    const handOn = (): void => this.#core.settings.onMessage(message, { identity: this.identity, text: typeof input === 'string' ? input : decodeUtf8(input) });
    if (message.type === 'session.opened') {
      this.#open(message);
      return;
    }
    const id = message.session_id ?? (message.type.startsWith('session.') ? textOf(message.payload, 'session_id') : undefined);
    const session = id === undefined ? undefined : this.#sessions.get(id);
    const control = isControlType(message.type);
    if (id === undefined && !control) {
      handOn();
      return;
    }
    if (session === undefined || isFinal(session.state)) {
      this.#refuse(message, wireError('session_error', session === undefined ? 'no such session' : 'the session is over'));
      return;
    }
    if (control) session.receive(message);
    else handOn();
  }

  #open(message: Message): void {
    const id = textOf(message.payload, 'session_id');
    const version = textOf(message.payload, 'version');
    const { maxIdLength, maxSessions } = this.#core.settings;
    if (id === undefined || id === '' || version === undefined || (message.session_id !== undefined && message.session_id !== id)) {
      this.#refuse(message, wireError('invalid_envelope', 'session.opened carries session_id and version'));
      return;
    }
    if (version !== MESSAGE_VERSION) {
      this.#refuse(message, wireError('unsupported_version', 'another version of the draft', { supported: [MESSAGE_VERSION] }));
      return;
    }
    // Both are kept for as long as the connection lasts.
    if (id.length > maxIdLength || message.source.length > maxIdLength) {
      this.#refuse(message, wireError('session_error', `the ${id.length > maxIdLength ? 'session id' : 'source'} is too long`));
      return;
    }
    if (this.#sessions.has(id)) {
      this.#refuse(message, wireError('session_error', 'the session is there already, or over'));
      return;
    }
    if (this.#sessions.size >= maxSessions) {
      this.#refuse(message, wireError('session_error', 'too many sessions on one connection', { reason: 'limit' }));
      return;
    }
    const session = new ProducerSession(this.#core, this, id, message.source);
    this.#sessions.set(id, session);
    session.open(message);
  }

  #refuse({ id, type, session_id: sessionId, correlation_id: correlationId }: MessageFacts, error: WireError): void {
    // Answering a refusal with a refusal would never end.
    if (type === 'session.error' || type?.startsWith('event.') === true) {
      this.#core.counts.ignored += 1;
      return;
    }
    this.send({ ...refusal(id, error), session_id: sessionId, correlation_id: correlationId });
  }

  #giveUp(incident: ProducerIncident): void {
    this.close();
    this.#core.settings.onIncident(incident);
    try {
      this.#options.close?.();
    } catch {
      // A transport that cannot be closed is let go of all the same.
    }
  }
}
