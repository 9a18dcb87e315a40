import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

import type { Principal } from '@aepkit/access';
import { type WebSocket, WebSocketServer } from 'ws';

import { resolveBindingOptions, type ResolvedBindingOptions, type WebSocketBindingOptions } from './binding-options.js';
import { nodeWire } from './node-wire.js';
import { answerRefused, refusalOfUpgrade, UpgradeRefused } from './refuse-upgrade.js';
import { ServerConnection } from './server-connection.js';
import { upgradeFacts } from './upgrade-facts.js';
import type { Wire } from './wire.js';

/** The WebSocket side of an endpoint. */
export interface WebSocketBinding {
  /**
   * Takes over the socket of an `upgrade` event of `node:http` or `node:https`, whose path the caller has matched. Refuses with
   * a plain HTTP answer: 400, 401, 403, 405, 414, 421, 426, 503.
   */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Peers, those that have not said `hello` included. */
  readonly connections: number;
  /**
   * Asks the connection of that id for a sign of life and ends it where none comes: for a router that finds a second claimant of
   * a session (AEP-0004 §4.5). An id that is not known is no error.
   */
  probe(connection: string): void;
  /** Ends what is left, and takes nothing new. Close the hub first: it tells its consumers what they got. */
  close(): Promise<void>;
}

let made = 0;

/**
 * Makes the duplex side of an endpoint (AEP-0003 §3.5): Events and commands in, subscriptions and replays out, on `ws`.
 *
 * @throws RangeError or TypeError for options that make no sense.
 * @example
 * const binding = webSocketBinding({ hub, access });
 * attachWebSocket(server, binding);
 */
export function webSocketBinding(options: WebSocketBindingOptions): WebSocketBinding {
  const resolved = resolveBindingOptions(options);
  const server = upgrader(resolved);
  const peers = new Map<string, { readonly connection: ServerConnection; readonly wire: Wire }>();
  let opening = 0;
  let unfinished = 0;
  let closed: PromiseWithResolvers<void> | undefined;

  /** Ends the peers that hold most, until the sum is below the bound. */
  const relieve = (): void => {
    while (unfinished > resolved.maxUnfinishedBytes) {
      let worst: ServerConnection | undefined;
      let most = 0;
      for (const { connection, wire } of peers.values()) {
        const bytes = wire.unfinished?.bytes ?? 0;
        if (bytes <= most) continue;
        most = bytes;
        worst = connection;
      }
      if (worst === undefined) return;
      worst.drop();
    }
  };

  const welcome = (ws: WebSocket, socket: Duplex, principal: Principal): void => {
    const id = `ws${String(++made)}`;
    const wire = nodeWire(ws, socket, resolved.now, (change) => {
      unfinished += change;
      if (unfinished > resolved.maxUnfinishedBytes) relieve();
    });
    opening++;
    const connection = new ServerConnection({
      id,
      principal,
      wire,
      options: resolved,
      opened: () => {
        opening--;
      },
      gone: () => {
        peers.delete(id);
        if (peers.size === 0) closed?.resolve();
      },
    });
    peers.set(id, { connection, wire });
    wire.listen(connection);
  };

  return {
    handleUpgrade(request, socket, head) {
      // Without a listener a reset of the socket would end the process.
      socket.on('error', () => socket.destroy());
      try {
        if (closed !== undefined) throw new UpgradeRefused(503, 'unavailable', 'The endpoint is shutting down.', retryAfter(resolved));
        if (opening >= resolved.maxOpening) throw new UpgradeRefused(503, 'unavailable', 'Too many connections are being opened.', retryAfter(resolved));
        const principal = resolved.access.authenticate(upgradeFacts(request, resolved.maxUrlChars), { queryToken: true });
        server.handleUpgrade(request, socket, head, (ws) => welcome(ws, socket, principal));
      } catch (thrown) {
        const refused = refusalOfUpgrade(thrown);
        const { detail: _detail, headers: _headers, ...refusal } = refused;
        try {
          resolved.onRefusal(refusal);
        } catch {
          // A counter that fails is no reason to fail the request.
        }
        answerRefused(socket, refused);
      }
    },
    get connections() {
      return peers.size;
    },
    probe(connection) {
      peers.get(connection)?.connection.probe();
    },
    close() {
      if (closed === undefined) {
        closed = Promise.withResolvers();
        for (const { connection } of [...peers.values()]) connection.end('shutdown');
        if (peers.size === 0) closed.resolve();
      }
      return closed.promise;
    },
  };
}

function upgrader({ maxMessageBytes }: ResolvedBindingOptions): WebSocketServer {
  // `ws` takes 0 for "off", and 31 bits.
  const most = (count: number): number => (count > 0x7fff_ffff ? 0 : count);
  const options = {
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: most(maxMessageBytes),
    // Each part costs an object besides its bytes; an unfinished message in tiny ones would cost many times its size.
    maxFragments: MAX_FRAGMENTS,
    maxBufferedChunks: most(Math.max(MAX_FRAGMENTS, Math.ceil(maxMessageBytes / MIN_CHUNK_BYTES))),
    // AEP names no subprotocol, so none is agreed on.
    handleProtocols: () => false as const,
  };
  return new WebSocketServer(options);
}

const MAX_FRAGMENTS = 4_096;
/** A peer whose packets hold less on average cannot send the largest message. */
const MIN_CHUNK_BYTES = 512;

function retryAfter({ retryAfterSeconds }: ResolvedBindingOptions): Readonly<Record<string, string>> {
  return { 'Retry-After': String(retryAfterSeconds) };
}
