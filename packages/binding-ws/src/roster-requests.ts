import type { RosterEntry } from '@aepkit/hub';

import type { SocketClientSettings } from './client-options.js';
import { encodeFrame } from './encode-frame.js';
import { SocketClientError } from './errors.js';
import type { ErrorFrame, RosterFrame } from './frame.js';
import type { EndpointHello } from './socket-client.js';
import { after } from './socket-timers.js';

interface Request {
  readonly settle: PromiseWithResolvers<readonly RosterEntry[]>;
  readonly cancel: () => void;
}

/** Requests for the roster that wait for their answer (AEP-0003 §4.1). */
export class RosterRequests {
  readonly #settings: Pick<SocketClientSettings, 'timers' | 'requestTimeoutMs'>;
  readonly #write: (text: string) => boolean;
  readonly #requests = new Map<string, Request>();
  #last = 0;

  constructor(settings: Pick<SocketClientSettings, 'timers' | 'requestTimeoutMs'>, write: (text: string) => boolean) {
    this.#settings = settings;
    this.#write = write;
  }

  /** Requests without an answer. */
  get waiting(): number {
    return this.#requests.size;
  }

  /** Asks now, or when the connection that is being opened is open. */
  ask(endpoint: EndpointHello | undefined): Promise<readonly RosterEntry[]> {
    this.#last += 1;
    const id = `r-${this.#last}`;
    const settle = Promise.withResolvers<readonly RosterEntry[]>();
    const { timers, requestTimeoutMs } = this.#settings;
    const cancel = after(timers, requestTimeoutMs, () => this.#reject(id, new SocketClientError('timeout', 'No answer in time.')));
    this.#requests.set(id, { settle, cancel });
    if (endpoint !== undefined) this.#send(id, endpoint);
    return settle.promise;
  }

  opened(endpoint: EndpointHello): void {
    for (const id of [...this.#requests.keys()]) this.#send(id, endpoint);
  }

  answered({ id, entries }: RosterFrame): void {
    const request = this.#requests.get(id);
    if (request === undefined || entries === undefined) return;
    this.#requests.delete(id);
    request.cancel();
    request.settle.resolve(entries);
  }

  /** Whether the refusal answers one of these. */
  refused({ id, code, detail = '' }: ErrorFrame): boolean {
    const says = detail === '' ? 'The endpoint refuses the request.' : detail.slice(0, 1_000);
    return id !== undefined && this.#reject(id, new SocketClientError('refused', says, { reason: code.slice(0, 200) }));
  }

  fail(error: SocketClientError): void {
    for (const id of [...this.#requests.keys()]) this.#reject(id, error);
  }

  #send(id: string, { capabilities }: EndpointHello): void {
    // Unknown frames go unanswered: without the announcement no answer would come.
    const offered = capabilities !== undefined && Object.hasOwn(capabilities, 'roster') && typeof capabilities.roster === 'object' && capabilities.roster !== null;
    if (offered) this.#write(encodeFrame({ type: 'roster', id }));
    else this.#reject(id, new SocketClientError('not-offered', 'The endpoint serves no roster.'));
  }

  #reject(id: string, error: SocketClientError): boolean {
    const request = this.#requests.get(id);
    if (request === undefined) return false;
    this.#requests.delete(id);
    request.cancel();
    request.settle.reject(error);
    return true;
  }
}
