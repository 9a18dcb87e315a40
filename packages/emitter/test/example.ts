import { createEmitter } from '../src/index.js';
import { httpTransport } from '../src/http.js';

const transport = httpTransport({ url: process.env.AEP_URL ?? 'http://127.0.0.1:8787/events' });
const emitter = createEmitter({ agent: 'my-agent', transport });
const session = await emitter.session();
session.emit('tool.requested', { data: { tool: { name: 'Bash', call_id: 'c1' }, args: { command: 'ls' } } });
session.emit('tool.completed', { data: { tool: { name: 'Bash', call_id: 'c1' }, duration_ms: 12 } });
session.end();
console.log(await emitter.close()); // { done: true, left: 0, leftBytes: 0, spooled: 0, lost: 0 }
