// One way to take NDJSON by POST: `bare` parses each line and forgets it; `worker` and `inline` keep it.
import { createServer } from 'node:http';
import { parseEvent } from '@aepkit/envelope';
import { openHistory } from '../dist/index.js';

const [kind, path] = process.argv.slice(2);
const history = kind === 'bare' ? undefined : await openHistory({ path, writer: kind });
const started = performance.eventLoopUtilization();

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const lines = Buffer.concat(chunks).toString('utf8').split('\n');
    if (history === undefined) {
      for (const line of lines) if (line !== '') JSON.parse(line);
      response.writeHead(202).end();
      return;
    }
    const events = [];
    for (const line of lines) if (line !== '') events.push(parseEvent(line));
    history.append(events).then(
      () => response.writeHead(202).end(),
      () => response.writeHead(503).end(),
    );
  });
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
process.on('SIGTERM', async () => {
  const { utilization } = performance.eventLoopUtilization(started);
  const { user, system } = process.cpuUsage();
  console.log(JSON.stringify({ utilization, cpuMs: (user + system) / 1000 }));
  server.closeAllConnections();
  server.close();
  await history?.close();
});
