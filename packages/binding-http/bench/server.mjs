// One server per process: `bare` does only the unavoidable work, `ours` is the binding with a hub and a log in memory.
import { createServer } from 'node:http';

import { serve } from '@hono/node-server';

const mode = process.argv[2];

if (mode === 'bare') {
  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const text = (chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)).toString();
      let count = 0;
      for (const line of text.split('\n')) {
        if (line === '') continue;
        JSON.parse(line);
        count += 1;
      }
      const body = `{"accepted":${count}}`;
      response.writeHead(202, { 'content-type': 'application/json', 'content-length': body.length });
      response.end(body);
    });
  });
  server.listen(0, '127.0.0.1', () => process.send(server.address().port));
} else {
  const { Access } = await import('@aepkit/access');
  const { Hub, memoryLog } = await import('@aepkit/hub');
  const { httpBinding } = await import('@aepkit/binding-http/server');
  let hub;
  if (mode === 'stub') {
    hub = { ingest: async (events) => ({ admissions: events.map(() => 'admitted') }), facts: () => ({ versions: ['0.1'], role: 'relay', capabilities: {} }) };
  } else {
    const { ReplayBuffer } = await import('@aepkit/replay-buffer');
    hub = new Hub({ id: 'bench', role: 'relay', log: memoryLog(new ReplayBuffer({ perSession: 1_000, sessions: 1_000, bytes: 64 * 1024 * 1024 })) });
  }
  const app = httpBinding({ hub, access: new Access({ host: '127.0.0.1' }) });
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, (info) => process.send(info.port));
  void server;
}
process.on('message', () => process.send(process.cpuUsage()));
process.on('disconnect', () => process.exit(0));
