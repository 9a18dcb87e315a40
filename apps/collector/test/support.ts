import { fileURLToPath } from 'node:url';

import type { WireEvent } from '@aepkit/envelope';
import { type Launched, launchNode } from '@aepkit/testkit';

export interface RunningCollector {
  readonly process: Launched;
  readonly url: string;
  readonly port: number;
}

/** Starts the built collector as a process of its own. */
export async function launchCollector(flags: Readonly<Record<string, string>>): Promise<RunningCollector> {
  const script = fileURLToPath(new URL('./fixtures/run-collector.mjs', import.meta.url));
  const process = launchNode(script, { args: [JSON.stringify({ port: '0', 'log-level': 'error', ...flags })] });
  const match = await process.output(/ready at (http:\/\/[^:]+:(\d+))/);
  return { process, url: match[1] ?? '', port: Number(match[2]) };
}

export function post(url: string, body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(`${url}/events`, {
    method: 'POST',
    headers: { 'aep-version': '0.1', 'content-type': 'application/x-ndjson', ...headers },
    body: body as string,
  });
}

export function ndjson(events: readonly WireEvent[]): string {
  return events.map(({ json }) => `${json}\n`).join('');
}

/** Everything that a stream without a live part gives: comments and data lines, in order. */
export async function readReplay(url: string, query: Readonly<Record<string, string>> = { from: 'all' }, headers: Readonly<Record<string, string>> = {}): Promise<{ comments: string[]; data: string[]; order: string[] }> {
  const response = await fetch(`${url}/stream?${new URLSearchParams({ live: '0', ...query }).toString()}`, { headers });
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
  const lines = (await response.text()).split('\n');
  return {
    comments: lines.filter((line) => line.startsWith(':')),
    data: lines.filter((line) => line.startsWith('data: ')).map((line) => line.slice(6)),
    order: lines.filter((line) => line.startsWith(': replay-exhausted') || line.startsWith('data: ')),
  };
}

/** Reads a live stream line by line until it has seen `count` data lines. */
export async function readLive(response: Response, count: number): Promise<string[]> {
  const data: string[] = [];
  let rest = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    rest += decoder.decode(chunk, { stream: true });
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.startsWith('data: ')) data.push(line.slice(6));
    if (data.length >= count) break;
  }
  return data;
}
