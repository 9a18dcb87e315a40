import { runInNewContext } from 'node:vm';

import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';

describe('the root entry', () => {
  it('bundles for a browser and runs without a Node built-in', async () => {
    const result = await build({
      stdin: {
        contents: `
          import { SubscriptionConsumer, SubscriptionProducer } from '@aepkit/subscription-model';
          const seen = [];
          let connection;
          const timers = { setTimeout: () => 0, clearTimeout: () => undefined };
          const createId = () => 'id' + Math.random();
          const consumer = new SubscriptionConsumer({
            source: 'agent:a', timers, createId,
            send: (text) => connection.receive(text),
            onItem: (item) => { if (item.type === 'event') { seen.push(item.message.payload); consumer.processed(item); } },
          });
          const producer = new SubscriptionProducer({ source: 'memory:main', timers, createId });
          connection = producer.connect({ transport: 'page', send: (text) => { consumer.receive(text); return true; } });
          consumer.open();
          consumer.subscribe({ types: 'memory.*', delivery_mode: 'at_least_once' });
          producer.publish({ type: 'memory.fact.added', payload: 'it' });
          globalThis.found = seen;
        `,
        resolveDir: import.meta.dirname,
      },
      alias: { '@aepkit/subscription-model': new URL('../src/index.ts', import.meta.url).pathname },
      bundle: true,
      format: 'iife',
      platform: 'browser',
      metafile: true,
      write: false,
      logLevel: 'silent',
    });
    const imports = Object.values(result.metafile.outputs).flatMap((output) => output.imports);
    expect(imports.filter((found) => found.external)).toEqual([]);
    const page: { found?: unknown } = {};
    // A bare context has the language and what is handed in, and nothing of Node.
    runInNewContext(result.outputFiles[0]!.text, Object.assign(page, { TextEncoder, TextDecoder, crypto: globalThis.crypto }));
    expect([...(page.found as Iterable<unknown>)]).toEqual(['it']);
  });
});
