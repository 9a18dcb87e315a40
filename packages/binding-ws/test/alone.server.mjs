// Serves the page that runs alone.browser.mjs: see packaging/README.md.
import { once } from 'node:events';
import { createServer } from 'node:http';

import { Access } from '@aepkit/access';
import { attachWebSocket, decodeMessage, webSocketBinding } from '@aepkit/binding-ws/server';
import { Hub, memoryLog } from '@aepkit/hub';
import { ReplayBuffer } from '@aepkit/replay-buffer';

const line = (seq) =>
  `{"aep":"0.1","id":"é${seq}","type":"tool.requested","time":"2026-01-01T00:00:00Z","source":"aep://h/agent/a","agent":"a","session":"s","seq":${seq}}`;

export async function serve({ origin }) {
  const token = 'the-token-of-the-page-0123456789';
  const hub = new Hub({ id: 'here', log: memoryLog(new ReplayBuffer({})) });
  const access = new Access({ host: '127.0.0.1', allowedOrigins: [origin], tokens: [{ name: 'page', token, scopes: ['emit', 'observe', 'control'] }] });
  const server = createServer();
  attachWebSocket(server, webSocketBinding({ hub, access }));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const principal = { name: 'test', scopes: new Set(['emit']), authenticated: false };
  await hub.ingest(
    [0, 1, 2].map((seq) => decodeMessage(line(seq)).wire),
    { principal, via: 'post' },
  );
  return { url: `ws://127.0.0.1:${server.address().port}/socket` };
}
