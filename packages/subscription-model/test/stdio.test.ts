import { PassThrough } from 'node:stream';

import { describe, expect, it } from 'vitest';

import { stdioDuplex } from '../examples/stdio.js';
import { runConsumer, runProducer, SubscriptionConsumer, type ConsumerItem } from '../src/index.js';
import { errorOf, message, part, rig } from './support.js';
import type { Message } from '../src/index.js';

const line = (type: string, payload: unknown, id = type): string => JSON.stringify(message({ id, type, source: 'agent:a', session_id: 's', payload }));

describe('a pair of pipes', () => {
  it('carries one message in each line, LF or CR LF, blank lines aside, and offers no replay [S-146]', async () => {
    const { producer, publish } = rig();
    const [input, output] = [new PassThrough(), new PassThrough()];
    const run = runProducer(producer, stdioDuplex(input, output), { transport: 'stdio', replay: false });
    const text = [
      `${line('session.opened', { session_id: 's', version: '0.1' })}\r\n\n  \n`,
      `${line('subscription.requested', { types: '*', from_cursor: 'stream_01:0' })}\n`,
      `${line('subscription.requested', { types: '*' })}\n`,
      'not json\n',
      `${line('subscription.requested', { types: '*' })}${line('session.closed', {})}\n`,
    ].join('');
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += 7) input.write(bytes.subarray(at, at + 7));
    let seen = '';
    const lines = async (count: number): Promise<Message[]> => {
      while (seen.split('\n').length <= count) {
        seen += String((output.read() as Buffer | null) ?? '');
        await new Promise((resolve) => setImmediate(resolve));
      }
      return seen.split('\n').slice(0, -1).map((each) => JSON.parse(each) as Message);
    };
    const answers = await lines(5);
    expect(answers.map(({ type }) => type)).toEqual(['session.ready', 'subscription.rejected', 'subscription.created', 'event.rejected', 'event.rejected']);
    expect(part(answers[0], 'capabilities')).toMatchObject({ transports: ['stdio'], features: [], delivery_modes: ['best_effort', 'at_least_once'] });
    expect(errorOf(answers[1]).message).toBe('replay not supported');
    publish('e1');
    expect((await lines(6)).at(-1)).toMatchObject({ id: 'e1', delivery: { mode: 'best_effort', sequence: 1 } });
    input.end();
    await run;
    expect(producer.stats()).toMatchObject({ connections: 0, sessions: 0 });
    expect(output.writableEnded).toBe(true);
  });

  it('answers a line that is too long or not UTF-8, and goes on', async () => {
    const { producer } = rig();
    const [input, output] = [new PassThrough(), new PassThrough()];
    const run = runProducer(producer, stdioDuplex(input, output), { transport: 'stdio', replay: false });
    input.write(`${'x'.repeat(1_048_577)}\n`);
    input.write(Buffer.from([0xff, 0x0a]));
    input.end(`${line('session.opened', { session_id: 's', version: '0.1' })}\n`);
    await run;
    const answers = String(output.read()).trimEnd().split('\n').map((each) => JSON.parse(each) as Message);
    expect(answers.map((answer) => (answer.type === 'event.rejected' ? errorOf(answer).message : answer.type))).toEqual(['line-too-long', 'invalid-utf8', 'session.ready']);
  });

  it('stops reading from a peer that does not read', async () => {
    const { producer } = rig();
    const input = new PassThrough({ highWaterMark: 1_024 });
    const output = new PassThrough({ highWaterMark: 1_024 });
    const run = runProducer(producer, stdioDuplex(input, output), { transport: 'stdio', replay: false });
    const request = `${line('subscription.requested', {})}\n`;
    let written = 0;
    // Nobody reads the output: the answers fill it, and then the requests fill the input.
    while (input.write(request) || written < 5) {
      written += 1;
      await new Promise((resolve) => setImmediate(resolve));
      if (written > 1_000) break;
    }
    expect(written).toBeLessThan(100);
    expect(output.writableLength).toBeLessThan(10_000);
    output.destroy();
    await run;
    expect(producer.stats().connections).toBe(0);
  });

  it('serves a consumer until the session or the pipe ends, and again over another one', async () => {
    const { producer, publish } = rig();
    const items: ConsumerItem[] = [];
    let duplex: ReturnType<typeof stdioDuplex> | undefined;
    const consumer = new SubscriptionConsumer({
      source: 'agent:a',
      send: (text) => duplex?.send(text),
      onItem: (item) => {
        items.push(item);
        if (item.type === 'event') consumer.processed(item);
        if (item.type === 'created' && !item.resumed) publish('e0');
      },
    });
    const memory = consumer.subscribe({ types: 'memory.*', delivery_mode: 'replayable' });
    const round = async (count: number, end: (input: PassThrough) => void): Promise<void> => {
      const [up, down] = [new PassThrough(), new PassThrough()];
      duplex = stdioDuplex(down, up);
      const serving = runProducer(producer, stdioDuplex(up, down), { transport: 'memory' });
      const running = runConsumer(consumer, duplex);
      while (items.filter(({ type }) => type === 'event').length < count) await new Promise((resolve) => setImmediate(resolve));
      end(down);
      await Promise.all([serving, running]);
      expect(consumer.state).toBe('closed');
    };
    publish('e1');
    const first = round(1, (down) => down.end());
    await first;
    publish('e2');
    publish('e3');
    await round(3, () => consumer.close());
    expect(items.flatMap((item) => (item.type === 'event' ? [item.message.id] : []))).toEqual(['e0', 'e2', 'e3']);
    expect(memory.state).toBe('ended');
    expect(items.filter(({ type }) => type === 'session-ended')).toHaveLength(2);
  });
});
