import { Access } from '@aepkit/access';
import { Hub, memoryLog } from '@aepkit/hub';
import { ReplayBuffer } from '@aepkit/replay-buffer';
import { serve } from '@hono/node-server';
import { sseBinding } from '../src/server.js';

export const hub = new Hub({ log: memoryLog(new ReplayBuffer({})), id: 'relay-1' });
const { fetch } = sseBinding({ hub, access: new Access({ host: '127.0.0.1' }) });
export const server = serve({ fetch, hostname: '127.0.0.1', port: Number(process.env.PORT ?? 4319) });
