import { buildSession } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';

import { startRelay } from '../src/index.js';
import { post } from './support.js';

const EVENTS = 6_000;

interface Message {
  readonly type: string;
  readonly seq?: number;
  readonly reason?: string;
  readonly delivered?: readonly { readonly session: string; readonly epoch: number; readonly seq: number }[];
}

/** A peer of `/socket` that hands out its messages as they are read. */
async function peer(url: string, from: unknown): Promise<{ socket: WebSocket; messages: Message[]; ended: Promise<number>; until(found: (message: Message) => boolean): Promise<void> }> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/socket`);
  const messages: Message[] = [];
  let wake = (): void => undefined;
  socket.on('message', (data: Buffer) => {
    messages.push(JSON.parse(data.toString()) as Message);
    wake();
  });
  const ended = new Promise<number>((resolve) => socket.once('close', resolve));
  await new Promise((resolve) => socket.once('open', resolve));
  socket.send(JSON.stringify({ type: 'hello', versions: ['0.1'], role: 'consumer' }));
  socket.send(JSON.stringify({ type: 'subscribe', id: 'all', from }));
  const until = async (found: (message: Message) => boolean): Promise<void> => {
    while (!messages.some(found)) await new Promise<void>((resolve) => (wake = resolve));
  };
  await until(({ type }) => type === 'subscribed' || type === 'error');
  return { socket, messages, ended, until };
}

describe('a consumer that reads nothing', { timeout: 60_000 }, () => {
  it('is closed by the relay with its positions, in bounded memory, and resumes exactly behind them [B-061, B-181]', async () => {
    const relay = await startRelay({ port: 0, 'queue-bytes': 65_536 });
    const slow = await peer(relay.url, []);
    slow.socket.pause();
    // Far more than the sockets of a system take; nothing of it may be dropped.
    const events = buildSession(EVENTS, { severity: 'notice', subject: 'x'.repeat(4_000) });
    let waiting = 0;
    for (let at = 0; at < EVENTS; at += 100) {
      expect(await post(relay.url, events.slice(at, at + 100))).toBe(202);
      waiting = Math.max(waiting, relay.stats().queuedBytes);
      if (relay.stats().closed['slow-consumer'] > 0) slow.socket.resume();
    }
    await slow.ended;
    // The bound, and one commit that is let in whole.
    expect(waiting).toBeLessThan(65_536 + 101 * 4_600);
    const seen = slow.messages.filter(({ type }) => type === 'tool.requested').map(({ seq }) => seq);
    expect(seen.length).toBeLessThan(EVENTS);
    const closing = slow.messages.at(-1);
    expect(closing).toMatchObject({ type: 'closing', reason: 'slow-consumer', delivered: [{ session: 's1', epoch: 0, seq: seen.at(-1) }] });

    const again = await peer(relay.url, closing?.delivered?.map(({ session, epoch, seq }) => ({ session, epoch, seq })));
    await again.until(({ seq }) => seq === EVENTS - 1);
    const rest = again.messages.filter(({ type }) => type === 'tool.requested').map(({ seq }) => seq);
    expect([...seen, ...rest]).toEqual(events.map(({ event }) => event.seq));
    again.socket.close();
    await relay.close();
  });
});
