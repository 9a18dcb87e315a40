import { createEmitter, type CommandHandler, type Emitter } from '../src/index.js';
import { webSocketTransport } from '../src/websocket.js';

const onCommand: CommandHandler = () => ({ type: 'accepted', execute: (session) => void session.emit('progress.status', { data: { phase: 'paused' } }) });

export function controlled(url: string, token: string): Emitter {
  return createEmitter({ agent: 'my-agent', transport: webSocketTransport({ url, token }), accepts: ['control.pause'], onCommand });
}
