import { createEmitter, type CheckedAnswer, type CommandHandler, type Emitter } from '../src/index.js';
import { webSocketTransport } from '../src/websocket.js';

export function answerable(url: string, token: string, apply: (respond?: CheckedAnswer) => void): Emitter {
  const onCommand: CommandHandler = (_command, _session, respond) => ({ type: 'accepted', execute: (session) => { apply(respond); session.settle(); } });
  return createEmitter({ agent: 'my-agent', transport: webSocketTransport({ url, token }), accepts: ['control.attention.respond'], onCommand });
}
