import type { AepEvent } from '@aepkit/envelope';
import { discover, HttpEmitter, type Receipt } from '../src/client.js';

export async function report(base: string, events: readonly AepEvent[]): Promise<Receipt> {
  const { endpoints } = await discover(`${base}/.well-known/aep`);
  return new HttpEmitter({ url: endpoints.events ?? `${base}/events` }).send(events);
}
