import type { Principal } from '@aepkit/access';
import { type AepEvent, comparePositions, dedupeKey, epochOf, isCommand, type Position, type WireEvent } from '@aepkit/envelope';
import type { Commands, Handed, PeerConnection, Refused, RosterEntry } from '@aepkit/hub';

import { acceptsOf, member } from './accepts.js';
import { BoundedMap } from './bounded-map.js';
import { boundOf, DEFAULT_MAX_CLAIMS, DEFAULT_MAX_CONNECTION_LENGTH, DEFAULT_MAX_HANDED } from './options.js';

/** What a policy decides about (AEP-0004 §4.3). */
export interface PolicyRequest {
  /** Who sends. */
  readonly principal: Principal;
  readonly command: WireEvent;
  /** The addressed session, and the connections that could get the command; none where nobody claims it. */
  readonly target: { readonly session: string; readonly run?: string; readonly claimants: readonly PeerConnection[] };
}

/** A command that reached nobody, for logs (AEP-0004 §8). */
export interface Refusal extends Refused {
  readonly command: WireEvent;
  readonly from: PeerConnection;
}

/** Options of {@link createRouter}. Every bound takes `Infinity` for "off". */
export interface RouterOptions {
  /** Who may command whom. Default: everybody who is authenticated. Anything but `allow`, an error included, denies. */
  readonly allow?: (request: PolicyRequest) => 'allow' | 'deny';
  /**
   * Asked to find out at once whether a claimant is still there, and to close it if not: another one claims the same
   * session (AEP-0004 §4.5). May be called again while the answer is due. Default: liveness takes its time.
   */
  readonly probe?: (connection: PeerConnection) => void;
  /** Told of each refusal. Must not throw. */
  readonly onRefusal?: (refusal: Refusal) => void;
  /** Sessions per connection, those that ended counted apart; the oldest are forgotten. Default {@link DEFAULT_MAX_CLAIMS}. */
  readonly maxClaims?: number;
  /** Remembered commands per connection; the oldest are forgotten. Default {@link DEFAULT_MAX_HANDED}. */
  readonly maxHanded?: number;
  /** UTF-16 units of names and ids, per connection and kind of memory. Default {@link DEFAULT_MAX_CONNECTION_LENGTH}. */
  readonly maxConnectionLength?: number;
}

/** What a router holds. */
export interface RouterStats {
  readonly connections: number;
  readonly claims: number;
  readonly handed: number;
  readonly refused: number;
}

/** The command side of an endpoint: claims, routing and roster. */
export interface Router extends Commands {
  stats(): RouterStats;
}

type Place = Pick<Position, 'epoch' | 'seq'>;

/** One connection that said `hello`. */
interface Peer {
  readonly connection: PeerConnection;
  readonly accepts: ReadonlySet<string> | undefined;
  /** Sessions it claims. */
  readonly claims: BoundedMap<true>;
  /** Sessions that ended here, with the position of the end: late Events do not bring their claims back. */
  readonly ended: BoundedMap<Place>;
  /** Commands handed to it, by session, source and id, with the number of the hand-over. */
  readonly handed: BoundedMap<number>;
  /** The session of the last sequenced Event, which is known to be claimed: most Events are of the same as the one before. */
  last: string | undefined;
}

/**
 * Makes the command side of an endpoint, for `new Hub({ commands })`. Pure: it owns no socket and no timer.
 *
 * A connection claims a session with its first sequenced Event and keeps the claim until the session ends or the connection
 * closes; a `session.started` behind the end takes it up again. A command goes to the one connection that claims its session, or to nobody.
 *
 * @throws RangeError for a bound that makes no sense.
 *
 * @example
 * const router = createRouter({ allow: ({ principal }) => (principal.name === 'ops' ? 'allow' : 'deny') });
 * const hub = new Hub({ log, id: 'relay-1', commands: router });
 */
export function createRouter(options: RouterOptions = {}): Router {
  const maxLength = boundOf('maxConnectionLength', options.maxConnectionLength, DEFAULT_MAX_CONNECTION_LENGTH);
  const perSession = { maxLength, maxEntries: boundOf('maxClaims', options.maxClaims, DEFAULT_MAX_CLAIMS) };
  const perCommand = { maxLength, maxEntries: boundOf('maxHanded', options.maxHanded, DEFAULT_MAX_HANDED) };
  const peers = new Map<string, Peer>();
  /** Who claims a session; the other side of `Peer.claims`. */
  const claimants = new Map<string, Set<Peer>>();
  let handed = 0;
  let refused = 0;

  const release = (peer: Peer, session: string): void => {
    const owners = claimants.get(session);
    owners?.delete(peer);
    if (owners?.size === 0) claimants.delete(session);
  };

  const claim = (peer: Peer, session: string): boolean => {
    if (!peer.claims.set(session, true)) return false;
    const owners = claimants.get(session) ?? new Set();
    claimants.set(session, owners.add(peer));
    return true;
  };

  /** A retry after the end of the session: who was handed the first copy still knows its answer (AEP-0004 §2.3). */
  const handedTo = (key: string): Peer[] => {
    let first: { readonly peer: Peer; readonly at: number } | undefined;
    for (const peer of peers.values()) {
      const at = peer.handed.get(key);
      if (at !== undefined && (first === undefined || at < first.at)) first = { peer, at };
    }
    return first === undefined ? [] : [first.peer];
  };

  const probe = (those: Iterable<Peer>): void => {
    for (const { connection } of those) options.probe?.(connection);
  };

  const allowed = (command: WireEvent, from: PeerConnection, session: string, owners: readonly Peer[]): boolean => {
    if (options.allow === undefined) return true;
    const { run } = command.event;
    const target = { session, ...(run === undefined ? {} : { run }), claimants: owners.map(({ connection }) => connection) };
    try {
      return options.allow({ principal: from.principal, command, target }) === 'allow';
    } catch {
      return false;
    }
  };

  /** The order of the checks is that of AEP-0004 §4: who asks, what is asked, policy, claimants, `accepts`. */
  const decide = (command: WireEvent, from: PeerConnection): Peer | Refused => {
    const { type, session } = command.event;
    if (!from.principal.authenticated || !from.principal.scopes.has('control')) {
      return refusal('unauthorized', 'commands need authentication and the scope control');
    }
    if (!isCommand(type) || !Object.hasOwn(command.event, 'session') || session === undefined || Object.hasOwn(command.event, 'seq')) return refusal('no-route', 'not a command that names a session');
    const live = claimants.get(session);
    const owners = live === undefined ? handedTo(handedKey(command.event)) : [...live];
    if (!allowed(command, from, session, owners)) return refusal('unauthorized', 'the policy of this endpoint denies it');
    const [target] = owners;
    if (target === undefined) return refusal('no-route', 'no emitter connected here owns the session');
    if (owners.length > 1) {
      probe(owners);
      return refusal('ambiguous', `${String(owners.length)} connections claim the session`);
    }
    if (!target.connection.principal.authenticated) return refusal('unauthorized', 'the owner of the session is connected without authentication');
    if (target.accepts === undefined) return refusal('unsupported', 'the owner of the session declares no commands');
    if (!target.accepts.has(type)) return refusal('unsupported', 'the owner of the session does not accept this type');
    return target;
  };

  return {
    hello(connection) {
      const peer: Peer = {
        connection,
        accepts: acceptsOf(connection.capabilities),
        claims: new BoundedMap(perSession, {
          forgotten: (session) => {
            release(peer, session);
          },
        }),
        ended: new BoundedMap(perSession),
        handed: new BoundedMap(perCommand),
        last: undefined,
      };
      peers.set(connection.id, peer);
    },

    seen(connection, { event }) {
      const peer = peers.get(connection.id);
      const { session, type } = event;
      if (peer === undefined || connection.role === 'consumer' || session === undefined) return;
      if (!Object.hasOwn(event, 'seq') || !Object.hasOwn(event, 'session')) return;
      if (type === 'session.ended') {
        const [before, now] = [peer.ended.get(session), placeOf(event)];
        // One that comes again says nothing of a session that went on since.
        if (before !== undefined && comparePositions(now, before) <= 0) return;
        if (peer.claims.delete(session)) release(peer, session);
        peer.ended.set(session, now);
        peer.last = undefined;
        return;
      }
      if (peer.last === session) return;
      if (!peer.claims.has(session)) {
        // Agents take sessions up again under their old names. Nothing less says so: acks of an ended session are behind its end as well.
        const end = peer.ended.get(session);
        if (end !== undefined && (type !== 'session.started' || comparePositions(placeOf(event), end) <= 0)) return;
        const others = [...(claimants.get(session) ?? [])];
        if (!claim(peer, session)) return;
        // The older ones may be half-open connections of the same emitter; merging or electing is forbidden (AEP-0004 §4.5).
        probe(others);
      }
      peer.last = session;
    },

    closed(connection) {
      const peer = peers.get(connection.id);
      if (peer === undefined) return;
      peers.delete(connection.id);
      for (const session of peer.claims.keys()) release(peer, session);
    },

    route(command, from): Handed | Refused {
      const target = decide(command, from);
      if ('type' in target) {
        refused++;
        options.onRefusal?.({ ...target, command, from });
        return target;
      }
      // Remembered ahead of the hand-over: a peer that answers within the call must find it there.
      const key = handedKey(command.event);
      const known = target.handed.has(key);
      if (!known) target.handed.set(key, handed);
      let written: boolean;
      try {
        written = target.connection.send(command);
      } catch {
        // Nobody knows what was written. Refused, it might be executed and be in no history; so its sender waits for the ack.
        written = true;
      }
      if (!written) {
        if (!known) target.handed.delete(key);
        refused++;
        const answer = refusal('no-route', 'the connection of the owner takes nothing any more');
        options.onRefusal?.({ ...answer, command, from });
        return answer;
      }
      handed++;
      return { type: 'handed', connection: target.connection.id };
    },

    roster(): readonly RosterEntry[] {
      return [...peers.values()].flatMap(({ connection, claims }) => {
        const { agent, instance, capabilities } = connection;
        const control = member(capabilities, 'control');
        const emits = member(capabilities, 'emits');
        const declared = {
          ...(agent === undefined ? {} : { agent }),
          ...(instance === undefined ? {} : { instance }),
          ...(control === undefined ? {} : { control }),
          ...(emits === undefined ? {} : { emits }),
        };
        return [...claims.keys()].map((session) => ({ session, ...declared }));
      });
    },

    stats: () => ({
      connections: peers.size,
      claims: [...peers.values()].reduce((sum, { claims }) => sum + claims.size, 0),
      handed,
      refused,
    }),
  };
}

function placeOf(event: AepEvent): Place {
  return { epoch: epochOf(event), seq: event.seq ?? 0 };
}

/** The session belongs to it: the copy that names another is a command to somebody else. */
function handedKey(command: WireEvent['event']): string {
  return dedupeKey({ source: command.session ?? '', id: dedupeKey(command) });
}

function refusal(code: Refused['code'], detail: string): Refused {
  return { type: 'refused', code, detail };
}
