import type { IncomingMessage } from 'node:http';

/** The request as Node has it, where the app runs on `@hono/node-server` or the like and nothing has read the body yet. */
export function nodeIncoming(env: unknown): IncomingMessage | undefined {
  if (typeof env !== 'object' || env === null || !('incoming' in env)) return undefined;
  const incoming = env.incoming as Partial<IncomingMessage> | null | undefined;
  return typeof incoming?.on === 'function' && typeof incoming.resume === 'function' ? (incoming as IncomingMessage) : undefined;
}
