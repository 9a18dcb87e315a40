import type { Discovery } from '@aepkit/binding-http/client';
import { type PositionStore, type SavedPosition, SseConsumer, type SseItem } from '@aepkit/binding-sse/client';
import { connectSocket, type SocketItem } from '@aepkit/binding-ws/client';

import type { Upstream } from './upstream.js';

/** What comes from an upstream, whichever binding brings it. */
export type LinkItem = SseItem | SocketItem;

/** A stream from an upstream, which comes back by itself after each break. */
export interface LinkSource extends AsyncIterable<LinkItem> {
  /** How far each session was read. */
  positions(): readonly SavedPosition[];
  close(): Promise<void>;
}

/** What {@link openLinkSource} takes. */
export interface LinkSourceOptions {
  readonly upstream: Upstream;
  readonly found: Pick<Discovery, 'endpoints'>;
  /** Identity of the relay, told to the upstream. */
  readonly id: string;
  /** How far it was read before; what was read is held no longer than the relay runs, and neither is this. */
  readonly positions: readonly SavedPosition[];
  /** Milliseconds. */
  readonly minBackoffMs: number;
  readonly maxBackoffMs: number;
  /** Sessions whose place is remembered. */
  readonly maxSessions: number;
}

/**
 * Opens the stream of an upstream: its WebSocket where it has one, else SSE. Everything held, then live, as stored; what is sent again comes
 * again (AEP-0003 §5). As a consumer: whoever pushed other agents' Events would claim their sessions (O-54).
 */
export function openLinkSource({ upstream: { token }, found: { endpoints }, id, positions, minBackoffMs, maxBackoffMs, maxSessions }: LinkSourceOptions): LinkSource {
  const common = { minBackoffMs, maxBackoffMs, maxSessions, ...(token === undefined ? {} : { token }) };
  const before: PositionStore = { load: () => Promise.resolve(positions), save: () => Promise.resolve() };
  const asked = { from: 'all', redeliveries: true, ...(positions.length === 0 ? {} : { positions: before }) } as const;
  if (endpoints.socket !== undefined) {
    const client = connectSocket({ ...common, url: endpoints.socket, role: 'consumer', identity: { agent: 'aepkit', instance: id } });
    const subscription = client.subscribe(asked);
    return {
      [Symbol.asyncIterator]: () => subscription[Symbol.asyncIterator](),
      positions: () => subscription.positions(),
      close: () => client.close(),
    };
  }
  const { stream } = endpoints;
  if (stream === undefined) throw new Error('it offers neither a WebSocket nor a stream');
  const consumer = new SseConsumer({ ...common, ...asked, url: stream });
  return {
    [Symbol.asyncIterator]: () => consumer[Symbol.asyncIterator](),
    positions: () => consumer.positions(),
    close: () => {
      consumer.close();
      return Promise.resolve();
    },
  };
}
