import { resolveSettings } from '@aepkit/config';
import { createId } from '@aepkit/envelope';
import { endpointAccess, endpointHub, type EndpointLog, keepOwnerToken, listen, loadTls, shutDown, SILENT_LOG, SOCKET_PATH } from '@aepkit/endpoint';
import { type HubStats, memoryLog } from '@aepkit/hub';
import { ReplayBuffer, type ReplayBufferStats } from '@aepkit/replay-buffer';

import { draws } from './draws.js';
import { DEFAULT_MAX_SESSIONS, type LinkState, startLink } from './link.js';
import { relayApp } from './relay-app.js';
import { relaySettings, type RelayValues } from './settings.js';
import { loadUpstreams } from './upstream.js';

/** A relay that serves. */
export interface Relay {
  /** Base URL, with the port that was taken. */
  readonly url: string;
  readonly port: number;
  /** Its identity, made anew at each start. */
  readonly id: string;
  /** How each link is, by the URL of its upstream. */
  links(): ReadonlyMap<string, LinkState>;
  stats(): HubStats & { readonly held: ReplayBufferStats };
  /** Leaves the upstreams, tells consumers, ends. Settles within `shutdown-ms` and a moment. */
  close(): Promise<void>;
}

/** The values of a relay whose settings nobody touched. */
export function defaultValues(): RelayValues {
  return resolveSettings(relaySettings).values;
}

/**
 * Starts a relay: an endpoint that holds Events in memory, fed by emitters, by other endpoints, or both.
 *
 * @param given values that differ from the defaults; see {@link relaySettings}
 * @throws EndpointError, AccessConfigError
 *
 * @example
 * ```ts
 * const relay = await startRelay({ port: 0, upstream: ['http://127.0.0.1:8787'] });
 * console.log(relay.url);
 * await relay.close();
 * ```
 */
export async function startRelay(given: Partial<RelayValues> = {}, log: EndpointLog = SILENT_LOG): Promise<Relay> {
  const values: RelayValues = { ...defaultValues(), ...given };
  const tls = await loadTls(values['tls-cert'], values['tls-key']);
  const upstreams = await loadUpstreams(values);
  const { access, ownerToken, authenticates } = await endpointAccess({ values, tls: tls !== undefined, owner: values['owner-token'] !== undefined });
  const id = createId();
  const chain = draws(id);
  // Every text that comes in here was decoded by itself.
  const buffer = new ReplayBuffer({ perSession: values.buffer, sessions: values.sessions, bytes: values['buffer-bytes'], copy: false });
  const { hub, socket } = endpointHub({ id, role: 'relay', events: memoryLog(buffer), access, authenticates, values, log, drawsFrom: () => chain.from() });
  const onError = (error: unknown): void => {
    log.error({ err: error }, 'a request failed');
  };
  const app = relayApp({ hub, access, values, log, onError });
  const listening = await listen({ app, host: values.host, port: values.port, tls, sockets: { [SOCKET_PATH]: socket }, onError });
  const owner = await keepOwnerToken({ file: values['owner-token'], token: ownerToken, listening });
  const links = upstreams.map((upstream) => startLink({ upstream, hub, draws: chain, log, maxSessions: Math.max(DEFAULT_MAX_SESSIONS, values.sessions) }));
  const shutDownAll = async (): Promise<void> => {
    await Promise.all([owner.remove(), ...links.map((link) => link.close())]);
    await shutDown({ listening, hub, socket, graceMs: values['shutdown-ms'] });
  };
  let closing: Promise<void> | undefined;
  return {
    url: listening.url,
    port: listening.port,
    id,
    links: () => new Map(links.map(({ upstream, state }) => [upstream, state])),
    stats: () => ({ ...hub.stats(), held: buffer.stats() }),
    close: () => (closing ??= shutDownAll()),
  };
}
