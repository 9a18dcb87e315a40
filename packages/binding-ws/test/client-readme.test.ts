import { readFileSync } from 'node:fs';

import { buildWire, launchNode, tempDir } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { connectSocket } from '../src/client-node.js';
import { SOCKET_CLIENT_ERROR_CODES } from '../src/client.js';
import { follow } from './example-client.js';

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');
const readme = read('../README.md');
const TOKEN = 'a-token-of-the-test-0123456789abcdef';

describe('the client part of the README', () => {
  it('shows a program that follows what it says', async () => {
    const program = read('./example-client.ts').replace("'../src/client-node.js'", "'@aepkit/binding-ws/client'").trim();
    expect(readme).toContain(`\`\`\`ts\n${program}\n\`\`\``);
    await using folder = await tempDir();
    const server = launchNode(new URL('server-program.mjs', import.meta.url).pathname, { args: [folder.path, '0'] });
    const [, port] = await server.output(/^listening ([0-9]+)$/m);
    const url = `ws://127.0.0.1:${port!}/socket`;
    const emitter = connectSocket({ url, token: TOKEN, role: 'emitter', identity: { agent: 'a1' } });
    const wanted = [1, 3].map((seq) => buildWire({ seq, type: 'attention.timeout', subject: 's', data: undefined }));
    await emitter.send([buildWire({ seq: 0 }), wanted[0]!, buildWire({ seq: 2 }), wanted[1]!]);
    const lines: string[] = [];
    await follow(url, TOKEN, (line) => lines.push(line) < 2);
    expect(lines).toEqual(wanted.map(({ json }) => json));
    await emitter.close();
    await server.stop('SIGKILL');
  });

  it('has a word for every code, option and default', () => {
    for (const code of SOCKET_CLIENT_ERROR_CODES) expect(readme).toContain(`\`${code}\``);
    const source = read('../src/client-options.ts');
    const numbers = readme.replaceAll(/(\d+) MiB/g, (_, count: string) => String(Number(count) * 1024 * 1024));
    for (const [, value] of source.matchAll(/export const DEFAULT_\w+(?:: number)? = ([\d_]+);/g)) expect(numbers).toContain(value!.replaceAll('_', ''));
    for (const [, name] of source.matchAll(/^ {2}readonly (max\w+|\w+Ms|tokenIn|onCommand)\??:/gm)) expect(readme).toContain(`\`${name!}\``);
  });

  it('is at most 8 KB, with the server part', () => {
    expect(Buffer.byteLength(readme)).toBeLessThanOrEqual(8 * 1024);
  });
});
