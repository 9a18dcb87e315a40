import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';

import { parseEvent } from '@aepkit/envelope';
import { tempDir } from '@aepkit/testkit';
import { describe, expect, it, vi } from 'vitest';

import { EMITTER_ERROR_CODES } from '../src/index.js';
import { answerable } from './example-commands.js';
import { durable } from './example-durable.js';

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');
const readme = read('../README.md');
const published = (name: string): string => read(name).replaceAll(/'\.\.\/src\/index\.js'/g, "'@aepkit/emitter'").replaceAll(/'\.\.\/src\/([\w-]+)\.js'/g, "'@aepkit/emitter/$1'").trim();

describe('README', () => {
  it('begins with a program of ten lines that emits what it says', async () => {
    const program = published('./example.ts');
    expect(readme.indexOf(`\`\`\`ts\n${program}\n\`\`\``)).toBeGreaterThan(0);
    expect(readme.indexOf(`\`\`\`ts\n${program}`)).toBe(readme.indexOf('```ts'));
    expect(program.split('\n').length).toBeLessThanOrEqual(10);

    const lines: string[] = [];
    const server = createServer((request, response) => {
      request.setEncoding('utf8').toArray().then(
        (chunks) => {
          lines.push(...chunks.join('').trim().split('\n'));
          response.writeHead(202).end();
        },
        () => undefined,
      );
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    process.env.AEP_URL = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/events`;
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    try {
      await import('./example.js');
      expect(log.mock.calls).toEqual([[{ done: true, left: 0, leftBytes: 0, spooled: 0, lost: 0 }]]);
    } finally {
      log.mockRestore();
      server.close();
      server.closeAllConnections();
    }
    const events = lines.map((line) => parseEvent(line).event);
    expect(events.map(({ type, seq }) => [type, seq])).toEqual([['tool.requested', 0], ['tool.completed', 1], ['session.ended', 2]]);
    expect(events[1]!.cause).toBe(events[0]!.id);
    expect(lines.join('\n')).not.toContain('"ls"');
  });

  it('shows a program that loses nothing over a restart, and it does so', async () => {
    const text = published('./example-durable.ts');
    expect(readme).toContain(`\`\`\`ts\n${text}\n\`\`\``);
    await using dir = await tempDir();
    const emitter = await durable('http://127.0.0.1:1/events', dir.path);
    const session = await emitter.session('work');
    expect(session.source).toContain(encodeURIComponent(hostname()));
    session.emit('progress.status');
    expect(await emitter.close()).toEqual({ done: true, left: 0, leftBytes: 0, spooled: 1, lost: 0, trouble: { code: 'network', detail: expect.stringContaining('did not answer') } });
    const again = await durable('http://127.0.0.1:1/events', dir.path);
    expect((await again.session('work')).epoch).toBeGreaterThan(session.epoch);
    await again.close();
  });

  it('shows a program that takes answers', async () => {
    expect(readme).toContain(`\`\`\`ts\n${published('./example-commands.ts')}\n\`\`\``);
    const emitter = answerable('ws://127.0.0.1:1/socket', 'a-token-of-the-test-0123', () => undefined);
    (await emitter.session()).emit('progress.status');
    expect(await emitter.close({ timeoutMs: 50 })).toMatchObject({ done: false, left: 1 });
  });

  it('has a word for every code, option and default', () => {
    for (const code of EMITTER_ERROR_CODES) expect(readme).toContain(`\`${code}\``);
    const options = /export interface EmitterOptions \{([\s\S]*?)\n\}/.exec(read('../src/options.ts'))![1]!;
    for (const [, name] of options.matchAll(/^ {2}readonly (\w+)\??:/gm)) expect(readme).toContain(`\`${name!}\``);
    for (const [, value] of read('../src/options.ts').matchAll(/export const DEFAULT_\w+(?:: number)? = ([\d_]+);/g)) {
      expect(readme.replaceAll(',', '')).toContain(value!.replaceAll('_', ''));
    }
  });

  it('is at most 8 KB', () => {
    expect(Buffer.byteLength(readme)).toBeLessThanOrEqual(8 * 1024);
  });
});
