import type { AepEvent, WireEvent } from '@aepkit/envelope';
import type { RosterEntry } from '@aepkit/hub';
import type { SavedPosition } from '@aepkit/resume';

import type { HelloFrame } from './frame.js';
import type { Closed, Refused, SocketItem } from './socket-item.js';
import type { SubscribeOptions } from './subscribe-options.js';

/** What the endpoint said of itself, and the version that holds (AEP-0003 §4). */
export type EndpointHello = HelloFrame & { readonly version: string };

/** How the first connection is. */
export type SocketStatus = { readonly type: 'open'; readonly endpoint: EndpointHello } | Closed | Refused;

/** Takes a command whose target this peer is. */
export type CommandDelivery = (command: WireEvent) => void;

/**
 * What came of a command on its way to the endpoint; what its target makes of it comes as Events (AEP-0004 §3).
 *
 * - `sent`: the endpoint has taken it.
 * - `refused`: an `error` frame named it as its `cause`. Any code settles it.
 * - `unknown`: the connection broke before the endpoint confirmed. It may have arrived: a retry with the same id is safe.
 * - `not-sent`: there was no connection.
 */
export type CommandReceipt =
  | { readonly type: 'sent' }
  | { readonly type: 'refused'; readonly code: string; readonly detail: string }
  | { readonly type: 'unknown'; readonly detail: string }
  | { readonly type: 'not-sent'; readonly detail: string };

/** What `send` takes besides Events. */
export interface SendOptions {
  /**
   * Whether Events that no pong covers are sent again on the next connection. `false`: the call fails with `disconnected`, and where
   * there is no connection an attempt is made at once. Default `true`.
   */
  readonly resend?: boolean;
  /** Gives up: what has not been written is not sent. The call fails with the reason of the signal. */
  readonly signal?: AbortSignal;
}

/** Counters of a {@link SocketClient}. */
export interface SocketClientStats {
  /** Connections that reached the `hello` of the endpoint. */
  readonly opened: number;
  /** Connections that are wanted at the moment. */
  readonly sockets: number;
  /** Events given out, replacements included. */
  readonly events: number;
  /** Events that came again, or from before a live start, and were dropped. */
  readonly duplicates: number;
  /** Events that were given out again because they came with more in them. */
  readonly replaced: number;
  /** Messages that could not be read. */
  readonly invalid: number;
  /** Events that no subscription of their connection asked for. */
  readonly unclaimed: number;
  /** Bytes given to `send` and not yet confirmed. */
  readonly queuedBytes: number;
}

/**
 * One subscription: what it gives, in order, once. An item counts as processed when the next one is asked for; saved positions move
 * then, never before. Ending the iteration ends the subscription.
 */
export interface SocketSubscription extends AsyncIterable<SocketItem> {
  readonly id: string;
  /** Settles when the endpoint has taken it for the first time: `true`; or when it is over before: `false`. */
  readonly opened: Promise<boolean>;
  /** How far each session of each source has been processed. */
  positions(): SavedPosition[];
  /** Awaits the handler for each item; one that throws ends the subscription with its error. */
  run(handler: (item: SocketItem) => void | Promise<void>): Promise<void>;
  /** Ends the subscription: the iteration finishes without an error. */
  close(): void;
}

/** A peer of an endpoint (AEP-0003 §3.5): it comes back after each break and resumes what it was doing. `await using` closes it. */
export interface SocketClient extends AsyncDisposable {
  /** What the endpoint said on the connection that is open; `undefined` while there is none. */
  readonly endpoint: EndpointHello | undefined;
  /**
   * Asks for Events. Works while there is no connection: the request goes out with the next one. Throws {@link SocketClientError}
   * `closed`, `duplicate-id`, and `RangeError` or `TypeError` for options that make no sense.
   */
  subscribe(options?: SubscribeOptions): SocketSubscription;
  /**
   * Sends Events, in the order of the calls. Resolves when the endpoint has confirmed all of them by a pong behind them; what none
   * covered is sent again after a reconnect, with the same texts.
   *
   * Rejects with {@link SocketClientError} `refused` (`index` and `reason` of the first one; the others were taken), `too-large`,
   * `queue-full`, `disconnected`, `closed`, and with `EnvelopeError` for what is no Event.
   */
  send(events: readonly (WireEvent | AepEvent)[], options?: SendOptions): Promise<void>;
  /** Sends a command over this connection or the one that is being opened, once: a retry is the sender's decision (AEP-0004 §2). */
  command(command: WireEvent | AepEvent): Promise<CommandReceipt>;
  /** The live claims at the endpoint (AEP-0003 §4.1). Rejects with `not-offered`, `refused`, `timeout`, `disconnected`, `closed`. */
  roster(): Promise<readonly RosterEntry[]>;
  stats(): SocketClientStats;
  /** Says goodbye and ends all connections and subscriptions. What no pong covers fails with `closed`. */
  close(): Promise<void>;
}
