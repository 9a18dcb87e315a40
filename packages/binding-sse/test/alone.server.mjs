// Serves the page that runs alone.browser.mjs: see packaging/README.md.
import { once } from 'node:events';

import { Access } from '@aepkit/access';
import { sseBinding } from '@aepkit/binding-sse/server';
import { parseEvent } from '@aepkit/envelope';
import { Hub, memoryLog } from '@aepkit/hub';
import { ReplayBuffer } from '@aepkit/replay-buffer';
import { serve as listen } from '@hono/node-server';

const line = (seq) =>
  `{"aep":"0.1","id":"é${seq}","type":"tool.requested","time":"2026-01-01T00:00:00Z","source":"aep://h/agent/a","agent":"a","session":"s","seq":${seq}}`;

export async function serve({ origin }) {
  const hub = new Hub({ id: 'here', log: memoryLog(new ReplayBuffer({})) });
  const access = new Access({ host: '127.0.0.1', allowedOrigins: [origin] });
  const server = listen({ fetch: sseBinding({ hub, access }).fetch, hostname: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  const principal = { name: 'test', scopes: new Set(['emit']), authenticated: false };
  await hub.ingest(
    [0, 1, 2].map((seq) => parseEvent(line(seq))),
    { principal, via: 'post' },
  );
  return { url: `http://127.0.0.1:${server.address().port}` };
}
