// An endpoint with a durable log: `server-program.mjs FOLDER PORT`. Says `listening PORT`. Dies by signals.
import { createServer } from 'node:http';
import { join } from 'node:path';

import { Access } from '@aepkit/access';
import { openHistory } from '@aepkit/history';
import { Hub } from '@aepkit/hub';

import { attachWebSocket, webSocketBinding } from '../dist/server.js';

const [folder, port, origins = ''] = process.argv.slice(2);
const history = await openHistory({ path: join(folder, 'log.db'), buffer: 10_000 });
const hub = new Hub({ log: history, id: `endpoint-${process.pid}` });
const tokens = [{ name: 'all', token: 'a-token-of-the-test-0123456789abcdef', scopes: ['emit', 'observe', 'control'] }];
const access = new Access({ tokens, host: '127.0.0.1', allowedOrigins: origins === '' ? [] : origins.split(',') });
const binding = webSocketBinding({ hub, access, highWaterMarkBytes: 4_096 });
const server = createServer((_, response) => response.writeHead(426).end());
attachWebSocket(server, binding);
server.listen(Number(port), '127.0.0.1', () => process.stdout.write(`listening ${server.address().port}\n`));
process.on('SIGTERM', () => {
  void (async () => {
    server.close();
    await hub.close('shutdown');
    await binding.close();
    await history.close();
    process.exit(0);
  })();
});
