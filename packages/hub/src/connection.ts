import type { Principal } from '@aepkit/access';
import type { Position } from '@aepkit/envelope';
import type { DeliveredPosition, PeerConnection, RosterEntry, Sink } from './contracts.js';

/** A filter of a subscription: text as it came in a URL, or a JSON value that the caller parsed. */
export type FilterRequest = { readonly text: string } | { readonly value: unknown };

/** Where a subscription starts: the word `all`, positions, or either of them as text or as a parsed JSON value. */
export type FromRequest = 'all' | readonly Position[] | { readonly text: string } | { readonly value: unknown };

/** What a consumer asks for. Nothing in it has to be checked beforehand. */
export interface SubscribeRequest {
  /** Names the subscription on its connection; not empty. */
  readonly id: string;
  /** attr-match (AEP-0003 §6). Absent: every Event. */
  readonly filter?: FilterRequest;
  /** The ceiling (AEP-0003 §6.4). Absent: Events as stored. */
  readonly capture?: string;
  /** Absent, or an empty list: no replay. */
  readonly from?: FromRequest;
  /** `false`: the replay and nothing after it. Default true. */
  readonly live?: boolean;
}

/** A subscription that runs. */
export interface Subscription {
  readonly id: string;
  /** Settles when the subscription is over: replay finished with `live: false`, unsubscribed, or closed. Never rejects. */
  readonly done: Promise<void>;
}

/** How a binding announces a peer. */
export interface ConnectOptions {
  readonly sink: Sink;
  readonly principal: Principal;
  /** Default: the role of `peer`, otherwise `consumer`. An `emitter` may not subscribe. */
  readonly role?: 'emitter' | 'consumer' | 'both';
  /**
   * Keep the last position written per session, for `Sink.close`. `false` where the transport has no place to tell it (SSE):
   * saves the memory. Default true.
   */
  readonly positions?: boolean;
  /** The duplex side, where the binding has one; handed on to `Commands`. */
  readonly peer?: PeerConnection;
}

/** One peer, as a binding holds it. */
export interface Connection {
  readonly id: string;
  readonly principal: Principal;
  /** `debug` and `info` Events dropped because this consumer was slow (AEP-0003 §8.4). */
  readonly dropped: number;
  /** Bytes of Events that wait for this consumer. */
  readonly queuedBytes: number;
  /**
   * Starts a subscription. Returns before anything is written for it.
   * @throws HubError `invalid-filter`, `limit-exceeded`, `unauthorized`, `closing`; other subscriptions go on.
   */
  subscribe(request: SubscribeRequest): Subscription;
  /** Ends a subscription. Nothing is written for it afterwards. An unknown id is no error. */
  unsubscribe(id: string): void;
  /**
   * The live claims, or `undefined` where the endpoint keeps none (AEP-0003 §4.1).
   * @throws HubError `unauthorized`, under the rule of `subscribe`.
   */
  roster(): readonly RosterEntry[] | undefined;
  /**
   * The last positions written, latest session first, as `Sink.close` gets them: for a binding that ends a connection for a
   * reason of its own (AEP-0003 §3.5). Empty behind the end of the connection.
   */
  delivered(): readonly DeliveredPosition[];
  /** The peer is gone. The sink is not called any more. */
  close(): void;
}
