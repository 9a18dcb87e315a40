// One server per process. `bare` does only the unavoidable work: it parses each line, and writes it to whoever asked for a stream. `stub` is the HTTP binding with a hub that
// keeps nothing, `relay` the binding with a log in memory, `filtered` the same with a consumer whose filter has to be asked,
// `collector` the real program with its history on disk.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const mode = process.argv[2];
const HOST = '127.0.0.1';
let end = () => undefined;

const streams = new Set();

function bare(request, response) {
  if (request.method === 'GET') {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(': stream\n\n');
    streams.add(response.on('close', () => streams.delete(response)));
    return;
  }
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const text = (chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)).toString();
    let count = 0;
    for (const line of text.split('\n')) {
      if (line === '') continue;
      const event = JSON.parse(line);
      for (const stream of streams) stream.write(`event: ${event.type}\ndata: ${line}\nid: ${event.session}:0:${event.seq}\n\n`);
      count += 1;
    }
    const body = `{"accepted":${count}}`;
    response.writeHead(202, { 'content-type': 'application/json', 'content-length': body.length });
    response.end(body);
  });
}

async function binding() {
  const { Access } = await import('@aepkit/access');
  const { httpBinding } = await import('@aepkit/binding-http/server');
  const { serve } = await import('@hono/node-server');
  let hub = { ingest: async (events) => ({ admissions: events.map(() => 'admitted') }), facts: () => ({ versions: ['0.1'], role: 'relay', capabilities: {} }) };
  if (mode !== 'stub') {
    const { Hub, memoryLog } = await import('@aepkit/hub');
    const { ReplayBuffer } = await import('@aepkit/replay-buffer');
    // Each line is decoded by itself, so nothing needs a copy. Of a depth that is full after the warm-up: what is measured is a relay
    // that has been up for a while, not one that asks the system for memory.
    hub = new Hub({ id: 'bench', role: 'relay', log: memoryLog(new ReplayBuffer({ perSession: 1_000, copy: false })) });
    if (mode === 'filtered') {
      const sink = { write: () => true, drained: () => Promise.resolve(), exhausted: () => undefined, close: () => undefined };
      const principal = { name: 'bench', scopes: new Set(['observe']), authenticated: true };
      hub.connect({ sink, principal }).subscribe({ id: 's', filter: { value: { type: 'attention.*', severity: { gte: 'warning' } } } });
    }
  }
  const access = new Access({ host: HOST });
  const app = httpBinding({ hub, access });
  if (mode === 'relay') {
    const { sseBinding } = await import('@aepkit/binding-sse/server');
    app.route('/', sseBinding({ hub, access }));
  }
  return new Promise((resolve) => serve({ fetch: app.fetch, port: 0, hostname: HOST }, ({ port }) => resolve(port)));
}

async function collector() {
  const { startCollector } = await import('@aepkit/collector');
  const data = mkdtempSync(join(tmpdir(), 'aepkit-bench-'));
  const running = await startCollector({ port: 0, data });
  end = async () => {
    await running.close();
    rmSync(data, { recursive: true, force: true });
  };
  return running.port;
}

function bareServer() {
  return new Promise((resolve) => {
    const server = createServer(bare).listen(0, HOST, () => resolve(server.address().port));
  });
}

process.send(await (mode === 'bare' ? bareServer() : mode === 'collector' ? collector() : binding()));
process.on('message', () => process.send(process.cpuUsage()));
process.on('disconnect', async () => {
  await end();
  process.exit(0);
});
