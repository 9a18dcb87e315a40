import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';

import { type Exit, type Launched, launchNode } from '@aepkit/testkit';

const bin = fileURLToPath(new URL('../bin/aep.js', import.meta.url));

/** An environment in which nothing of the machine counts. */
export function cleanEnv(home: string, more: Readonly<Record<string, string>> = {}): Record<string, string | undefined> {
  const cleared = Object.fromEntries(Object.keys(process.env).filter((name) => /^(AEP|XDG)_|^(CLAUDE_CONFIG_DIR|CODEX_HOME)$/.test(name)).map((name) => [name, undefined]));
  return { ...cleared, HOME: home, NO_COLOR: '1', ...more };
}

export interface Aep {
  /** Starts `aep` and follows it. */
  start(args: readonly string[], env?: Readonly<Record<string, string>>, cwd?: string): Launched;
  /** Runs `aep` to its end. */
  run(args: readonly string[], options?: { input?: string; env?: Readonly<Record<string, string>> }): Promise<Exit>;
}

/** The command with a home folder of its own. */
export function aepIn(home: string): Aep {
  return {
    start: (args, env, cwd) => launchNode(bin, { args, env: cleanEnv(home, env), ...(cwd === undefined ? {} : { cwd }) }),
    run: (args, { input = '', env } = {}) => launchNode(bin, { args, input, env: cleanEnv(home, env) }).exit,
  };
}

/** Starts a collector by the command line and gives its URL. */
export async function startCollector(aep: Aep, args: readonly string[] = []): Promise<{ url: string; port: string; process: Launched }> {
  const process = aep.start(['collector', '--port', '0', '--log-level', 'error', ...args]);
  const match = await process.output(/ready at (http:\/\/127\.0\.0\.1:(\d+))/);
  return { url: match[1] ?? '', port: match[2] ?? '', process };
}

/** A port that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

export function lines(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}

/** Takes every connection and says nothing. */
export async function silentServer(): Promise<AsyncDisposable & { readonly url: string }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => void sockets.add(socket.on('error', () => undefined)));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
