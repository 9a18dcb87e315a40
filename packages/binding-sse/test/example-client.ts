import { SseConsumer } from '../src/client.js';

export async function follow(url: string, show: (line: string) => void): Promise<void> {
  for await (const item of new SseConsumer({ url, filter: { severity: { gte: 'notice' } }, live: false, from: 'all' })) {
    if (item.type === 'event') show(item.event.json);
    else if (item.type === 'gap') show(`Events may be missing: ${item.reason}`);
    else if (item.type === 'refused') throw new Error(item.detail);
  }
}
