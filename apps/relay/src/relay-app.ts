import type { Access } from '@aepkit/access';
import { httpBinding } from '@aepkit/binding-http/server';
import { sseBinding } from '@aepkit/binding-sse/server';
import { type EndpointLog, endpointRoutes, SOCKET_PATH } from '@aepkit/endpoint';
import type { Hub } from '@aepkit/hub';
import type { Hono } from 'hono';

import type { RelayValues } from './settings.js';
import { VERSION } from './version.js';

/** What the routes of a relay are made of. */
export interface RelayParts {
  readonly hub: Hub;
  readonly access: Access;
  readonly values: RelayValues;
  readonly log: EndpointLog;
  readonly onError: (error: unknown) => void;
}

/** Puts the bindings and `GET /healthz` together. */
export function relayApp({ hub, access, values, log, onError }: RelayParts): Hono {
  const { app } = endpointRoutes({ access, version: VERSION, socket: SOCKET_PATH, onError });
  app.route(
    '/',
    httpBinding({
      hub,
      access,
      endpoints: { events: '/events', stream: '/stream', socket: SOCKET_PATH },
      maxEventBytes: values['max-event-bytes'],
      maxBodyBytes: values['max-body-bytes'],
      maxLines: values['max-batch'],
      onRefusal: (refusal) => {
        log.debug({ refusal }, 'a request was refused');
      },
    }),
  );
  app.route(
    '/',
    sseBinding({
      hub,
      access,
      heartbeatMs: values['heartbeat-ms'],
      onRefusal: (refusal) => {
        log.debug({ refusal }, 'a stream was refused');
      },
    }),
  );
  return app;
}
