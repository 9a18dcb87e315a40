import { HttpEmitter } from '@aepkit/binding-http/client';
import { SseConsumer } from '@aepkit/binding-sse/client';
import { buildSession, tempDir } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { startCollector } from '../src/index.js';

/** The consumer of a test: it knows a URL and nothing of what lies behind it. */
async function consume(url: string, count: number): Promise<string[]> {
  const seen: string[] = [];
  for await (const item of new SseConsumer({ url: `${url}/stream`, from: 'all' })) {
    if (item.type === 'event') seen.push(item.event.json);
    if (seen.length === count) break;
  }
  return seen;
}

describe('a hop in between', () => {
  it('changes nothing for the emitter and the consumer, who run the same code with and without it [E-002]', async () => {
    await using first = await tempDir();
    await using second = await tempDir();
    const near = await startCollector({ port: 0, data: first.path });
    const far = await startCollector({ port: 0, data: second.path });
    const events = buildSession(50, { session: 'chained', data: { tool: { name: 'shell' }, n: 1e2, text: 'é 👩‍💻' } });
    const stop = new AbortController();
    const hop = (async (): Promise<void> => {
      const onward = new HttpEmitter({ url: `${far.url}/events` });
      for await (const item of new SseConsumer({ url: `${near.url}/stream`, from: 'all', signal: stop.signal })) {
        if (item.type === 'event') await onward.send(item.event);
      }
    })();
    await new HttpEmitter({ url: `${near.url}/events` }).send(events);
    const direct = await consume(near.url, events.length);
    const relayed = await consume(far.url, events.length);
    expect(direct).toEqual(events.map(({ json }) => json));
    expect(relayed).toEqual(direct);
    stop.abort();
    await hop;
    await Promise.all([near.close(), far.close()]);
  });
});
