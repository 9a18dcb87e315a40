import type { Access } from '@aepkit/access';
import { webSocketBinding, type WebSocketBinding } from '@aepkit/binding-ws/server';
import { createRouter } from '@aepkit/control';
import type { JsonObject } from '@aepkit/envelope';
import { type EventLog, Hub } from '@aepkit/hub';

import { type Chain, chainFacts } from './chain.js';
import type { EndpointLog } from './endpoint-log.js';
import type { EndpointValues } from './settings.js';

/** Where endpoints serve their WebSocket. */
export const SOCKET_PATH = '/socket';

/** What {@link endpointHub} is made of. */
export interface EndpointHubParts {
  readonly id: string;
  readonly role: 'collector' | 'relay';
  readonly events: EventLog;
  readonly access: Access;
  /** Whether anybody can authenticate; see `EndpointAccess`. */
  readonly authenticates: boolean;
  readonly values: Pick<EndpointValues, 'max-connections' | 'queue-bytes' | 'shutdown-ms' | 'max-event-bytes'>;
  readonly log: EndpointLog;
  /** Identities of the endpoints that this one draws from, as they are when it is asked. Default: none. */
  readonly drawsFrom?: () => Chain['from'];
}

/** The hub of an endpoint and its duplex side. */
export interface EndpointHub {
  readonly hub: Hub;
  readonly socket: WebSocketBinding;
}

/** Makes the hub of an endpoint, with commands routed over its WebSocket. */
export function endpointHub({ id, role, events, access, authenticates, values, log, drawsFrom = () => [] }: EndpointHubParts): EndpointHub {
  const commands = createRouter({
    probe: ({ id: connection }) => {
      socket.probe(connection);
    },
    onRefusal: ({ code, detail, command: { event }, from }) => {
      log.debug({ code, detail, type: event.type, connection: from.id, principal: from.principal.name }, 'a command was refused');
    },
  });
  const hub = new Hub({
    log: events,
    id,
    role,
    commands,
    // Announced where commands can be routed (AEP-0004 §7).
    ...(authenticates ? { control: { accepts: [] } } : {}),
    experimental: (): JsonObject => chainFacts({ id, from: drawsFrom() }),
    maxConnections: values['max-connections'],
    maxQueueBytes: values['queue-bytes'],
    closeTimeoutMs: values['shutdown-ms'],
    onIncident: ({ type, connection, error }) => {
      log.error({ incident: type, connection, err: error }, 'a consumer could not be served');
    },
  });
  const socket = webSocketBinding({
    hub,
    access,
    maxEventBytes: values['max-event-bytes'],
    onRefusal: (refusal) => {
      log.debug({ refusal }, 'a WebSocket was refused');
    },
    onIncident: ({ connection, error }) => {
      log.error({ connection, err: error }, 'a WebSocket failed');
    },
  });
  return { hub, socket };
}
