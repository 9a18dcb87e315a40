// Serves the page that runs alone.browser.mjs: see packaging/README.md.
import { once } from 'node:events';

import { Access } from '@aepkit/access';
import { httpBinding } from '@aepkit/binding-http/server';
import { Hub, memoryLog } from '@aepkit/hub';
import { ReplayBuffer } from '@aepkit/replay-buffer';
import { serve as listen } from '@hono/node-server';

export async function serve({ origin }) {
  const hub = new Hub({ id: 'here', log: memoryLog(new ReplayBuffer({})) });
  const access = new Access({ host: '127.0.0.1', allowedOrigins: [origin] });
  const server = listen({ fetch: httpBinding({ hub, access }).fetch, hostname: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${server.address().port}` };
}
