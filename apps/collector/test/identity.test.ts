import { rawClient, tempDir } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { startCollector } from '../src/index.js';
import { post, readLive, readReplay } from './support.js';

const LINES = [
  // Big integers and odd spellings of numbers.
  '{"aep":"0.1","id":"1","type":"tool.completed","time":"2026-01-01T00:00:00Z","source":"aep://h/agent/a/session/s","agent":"a","session":"s","seq":1,"data":{"tool":{"name":"t"},"n":2512292042121000001,"m":1.0,"e":1e2,"z":-0.0}}',
  // Odd key order, inner white space, escapes for what needs none.
  '{"seq":2, "data" : {"tool":{"name":"\\u0074\\/"}},"session":"s","agent":"a","source":"aep://h/agent/a/session/s","time":"2026-01-01T00:00:00Z","type":"tool.completed","id":"2","aep":"0.1"}',
  // Characters of two, three and four bytes, and separators that some readers take for line ends.
  '{"aep":"0.1","id":"3 é 語 👩‍💻 \u2028\u0085","type":"tool.completed","time":"2026-01-01T00:00:00Z","source":"aep://h/agent/a/session/s","agent":"a","session":"s","seq":3,"data":{"tool":{"name":"\\ud83d\\udc69"}}}',
  // Extension attributes, one beyond 2^53.
  '{"aep":"0.1","id":"4","type":"tool.completed","time":"2026-01-01T00:00:00Z","source":"aep://h/agent/a/session/s","agent":"a","session":"s","seq":4,"acmebig":9007199254740993,"acmeflag":true,"acmetext":"","__proto":1}'.replace(',"__proto":1', ''),
];

describe('bytes in are bytes out', () => {
  it('as lines of a POST, live and replayed data of SSE, across a restart', async () => {
    await using dir = await tempDir();
    let collector = await startCollector({ port: 0, data: dir.path });
    const live = readLive(await fetch(`${collector.url}/stream`), LINES.length);
    expect((await post(collector.url, `${LINES.join('\n')}\n`)).status).toBe(202);
    expect(await live).toEqual(LINES);
    expect((await readReplay(collector.url)).data).toEqual(LINES);
    await collector.close();
    collector = await startCollector({ port: 0, data: dir.path });
    expect((await readReplay(collector.url)).data).toEqual(LINES);
    await collector.close();
  });

  it('when characters are split across packets', async () => {
    await using dir = await tempDir();
    const collector = await startCollector({ port: 0, data: dir.path });
    const body = Buffer.from(LINES[2] ?? '');
    const client = await rawClient(collector.port);
    client.socket.setNoDelay(true);
    client.write(`POST /events HTTP/1.1\r\nHost: 127.0.0.1:${collector.port}\r\nAEP-Version: 0.1\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`);
    for (const byte of body) {
      await new Promise<void>((resolve) => {
        client.socket.write(Uint8Array.of(byte), () => {
          setImmediate(resolve);
        });
      });
    }
    expect(await client.closed()).toMatch(/^HTTP\/1\.1 202 /);
    expect((await readReplay(collector.url)).data).toEqual([LINES[2]]);
    await collector.close();
  });

  it('without the white space around, and line breaks within, of a pretty-printed body', async () => {
    await using dir = await tempDir();
    const collector = await startCollector({ port: 0, data: dir.path });
    const pretty = `\n  ${(LINES[0] ?? '').replaceAll(',"', ',\r\n  "')}\n`;
    expect((await post(collector.url, pretty, { 'content-type': 'application/json' })).status).toBe(202);
    const [text = ''] = (await readReplay(collector.url)).data;
    expect(text.replaceAll(/(?<=,) *(?=")/g, '')).toBe(LINES[0]);
    expect(text).toContain('2512292042121000001');
    await collector.close();
  });
});
