import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A program for a page, and what it is called with. */
export interface PageProgram {
  readonly name: string;
  /** An ES module that exports `main(context)`. */
  readonly code: string;
  readonly context: unknown;
}

/** What a program gave: its value, or why it failed. */
export type PageResult = { readonly value: unknown } | { readonly error: string };

export interface PageSite {
  readonly origin: string;
  /** Runs each program in a page of its own, one after the other. */
  readonly url: string;
  /** Sets what is run; before `url` is opened. */
  offer(programs: readonly PageProgram[]): void;
  /** Settles when all have answered. */
  readonly results: Promise<ReadonlyMap<string, PageResult>>;
  close(): void;
}

const html = (script: string): string => `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><script type="module">${script}</script>`;

const PAGE = `
const answer = (body) => parent.postMessage(JSON.stringify(body), location.origin);
addEventListener('error', (event) => answer({ error: String(event.message) }));
addEventListener('unhandledrejection', (event) => answer({ error: String(event.reason?.stack ?? event.reason) }));
try {
  const { main } = await import(location.pathname + '.js');
  answer({ value: await main(await (await fetch(location.pathname + '.json')).json()) });
} catch (error) {
  answer({ error: String(error?.stack ?? error) });
}`;

const INDEX = `
for (const name of await (await fetch('/names')).json()) {
  const frame = document.createElement('iframe');
  const body = await new Promise((resolve) => {
    addEventListener('message', (event) => resolve(event.data), { once: true });
    frame.src = '/page/' + name;
    document.body.append(frame);
    setTimeout(() => resolve(JSON.stringify({ error: 'no answer within 20 s' })), 20_000);
  });
  frame.remove();
  await fetch('/result/' + name, { method: 'POST', body });
}`;

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** A site on loopback that runs programs in whatever browser opens it. */
export async function openPageSite(): Promise<PageSite> {
  let programs = new Map<string, PageProgram>();
  const results = new Map<string, PageResult>();
  const all = Promise.withResolvers<ReadonlyMap<string, PageResult>>();

  const answer = (path: string): [type: string, body: string] | undefined => {
    if (path === '/') return ['text/html', html(INDEX)];
    if (path === '/names') return ['application/json', JSON.stringify([...programs.keys()])];
    const [, name = '', extension] = /^\/page\/([a-z0-9-]+)(\.js|\.json)?$/.exec(path) ?? [];
    const program = programs.get(name);
    if (program === undefined) return undefined;
    if (extension === '.js') return ['text/javascript', program.code];
    return extension === '.json' ? ['application/json', JSON.stringify(program.context)] : ['text/html', html(PAGE)];
  };

  const server = createServer((request, response) => {
    void (async () => {
      const path = request.url ?? '/';
      if (request.method === 'POST' && path.startsWith('/result/')) {
        results.set(path.slice('/result/'.length), JSON.parse(await bodyOf(request)) as PageResult);
        response.end();
        if (results.size === programs.size) all.resolve(results);
        return;
      }
      const found = answer(path);
      if (found === undefined) response.writeHead(404).end();
      else response.writeHead(200, { 'Content-Type': `${found[0]}; charset=utf-8` }).end(found[1]);
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    url: `${origin}/`,
    offer: (offered) => (programs = new Map(offered.map((program) => [program.name, program]))),
    results: all.promise,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
