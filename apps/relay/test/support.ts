import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

import type { EndpointLog } from '@aepkit/endpoint';
import type { WireEvent } from '@aepkit/envelope';
import { type Launched, launchNode } from '@aepkit/testkit';

import { type Relay, startRelay } from '../src/index.js';

export interface Running {
  readonly process: Launched;
  readonly url: string;
  readonly port: number;
}

const script = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

async function launched(path: string, flags: Readonly<Record<string, unknown>>): Promise<Running> {
  const process = launchNode(script(path), { args: [JSON.stringify({ port: '0', 'log-level': 'error', ...flags })] });
  const match = await process.output(/ready at (http:\/\/[^:]+:(\d+))/);
  return { process, url: match[1] ?? '', port: Number(match[2]) };
}

/** Starts the built relay as a process of its own. */
export function launchRelay(flags: Readonly<Record<string, unknown>> = {}): Promise<Running> {
  return launched('./fixtures/run-relay.mjs', flags);
}

/** Starts the built collector as a process of its own. */
export function launchCollector(flags: Readonly<Record<string, unknown>>): Promise<Running> {
  return launched('../../collector/test/fixtures/run-collector.mjs', { spool: 'off', ...flags });
}

/** Starts a consumer of `/socket` as a process of its own, that keeps its positions in a file. */
export function launchConsumer(endpoint: string, file: string): Launched {
  return launchNode(script('./fixtures/consume.mjs'), { args: [`${endpoint.replace('http', 'ws')}/socket`, file] });
}

/** A port that nobody listens on now. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export async function post(url: string, events: readonly WireEvent[], headers: Readonly<Record<string, string>> = {}): Promise<number> {
  const response = await fetch(`${url}/events`, {
    method: 'POST',
    headers: { 'aep-version': '0.1', 'content-type': 'application/x-ndjson', ...headers },
    body: events.map(({ json }) => `${json}\n`).join(''),
  });
  await response.body?.cancel();
  return response.status;
}

/** A stream that is read step by step: data and comments, one line each. */
export interface Lines {
  /** Settles when a line like this has come; gives all lines so far. */
  until(found: (lines: readonly string[]) => boolean): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Opens `/stream`; settles when the endpoint has taken the subscription. */
export async function stream(url: string, query: Readonly<Record<string, string>> = {}, headers: Readonly<Record<string, string>> = {}): Promise<Lines> {
  const response = await fetch(`${url}/stream?${new URLSearchParams(query).toString()}`, { headers });
  if (response.status !== 200 || response.body === null) throw new Error(`${String(response.status)}: ${await response.text()}`);
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  const lines: string[] = [];
  let rest = '';
  return {
    async until(found) {
      while (!found(lines)) {
        const { done, value } = await reader.read();
        if (done) throw new Error(`the stream ended: ${lines.slice(-5).join(' | ')}`);
        const parts = (rest + decoder.decode(value, { stream: true })).split('\n');
        rest = parts.pop() ?? '';
        for (const line of parts) if (line.startsWith('data: ')) lines.push(line.slice(6));
          else if (line.startsWith(': replay-exhausted')) lines.push(line);
      }
      return lines;
    },
    close: () => reader.cancel(),
  };
}

/** A log that says when something is logged. */
export interface Watched {
  readonly log: EndpointLog;
  readonly said: [string, Readonly<Record<string, unknown>>][];
  /** Settles when a message like this has been logged that often. */
  until(message: RegExp, times?: number): Promise<Readonly<Record<string, unknown>>>;
}

export function watched(): Watched {
  const said: Watched['said'] = [];
  let wake: (() => void)[] = [];
  const hear = (facts: object, message: string): void => {
    said.push([message, facts as Readonly<Record<string, unknown>>]);
    for (const each of wake.splice(0)) each();
  };
  return {
    log: { info: hear, warn: hear, error: hear, debug: () => undefined },
    said,
    async until(message, times = 1) {
      for (;;) {
        const found = said.filter(([text]) => message.test(text));
        if (found.length >= times) return found[times - 1]?.[1] ?? {};
        await new Promise<void>((resolve) => (wake = [...wake, resolve]));
      }
    },
  };
}

/** A relay in this process that draws already. */
export async function drawing(upstreams: readonly string[], given: Parameters<typeof startRelay>[0] = {}): Promise<{ relay: Relay } & Watched> {
  const watch = watched();
  const relay = await startRelay({ port: 0, upstream: upstreams, ...given }, watch.log);
  await watch.until(/^drawing from upstream/, upstreams.length);
  return { relay, ...watch };
}

/** Positions of the Events in lines, in their order. */
export function seqs(lines: readonly string[]): (number | string)[] {
  return lines.map((line) => (line.startsWith(':') ? line : ((JSON.parse(line) as { seq?: number; id: string }).seq ?? (JSON.parse(line) as { id: string }).id)));
}
