import { Access } from '@aepkit/access';
import type { Hub } from '@aepkit/hub';
import { serve, type ServerType } from '@hono/node-server';
import { httpBinding } from '../src/server.js';

export function listen(hub: Hub, port: number): ServerType {
  const access = new Access({ host: '127.0.0.1' });
  return serve({ fetch: httpBinding({ hub, access }).fetch, hostname: '127.0.0.1', port });
}
