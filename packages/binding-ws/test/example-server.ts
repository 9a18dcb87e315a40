import { createServer } from 'node:http';
import { Access } from '@aepkit/access';
import { Hub, memoryLog } from '@aepkit/hub';
import { ReplayBuffer } from '@aepkit/replay-buffer';
import { attachWebSocket, webSocketBinding } from '../src/server.js';

export const hub = new Hub({ log: memoryLog(new ReplayBuffer({})), id: 'relay-1' });
export const binding = webSocketBinding({ hub, access: new Access({ host: '127.0.0.1' }) });
export const server = createServer().listen(Number(process.env.PORT ?? 4319), '127.0.0.1');
attachWebSocket(server, binding);
